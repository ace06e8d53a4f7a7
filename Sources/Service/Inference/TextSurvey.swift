import JSONText

/// The texts at one place of documents.
struct TextSurvey {
    /// Texts that stand for none among texts of any kind.
    static let wordsForNone: Set = ["N/A", "n/a", "null", "NULL"]
    /// Texts that stand for none among numbers, dates and Booleans.
    static let sentinels = wordsForNone.union(["", "-", "--", "NA", "NaN", "nan", "None", "none"])
    /// The longest text that is kept or can be a date, in bytes.
    private static let maximumBytes = 40
    /// The most values of an enumeration.
    private static let maximumDistinct = 12

    private(set) var count = 0
    /// How often each of `sentinels` appears.
    private(set) var none: [String: Int] = [:]
    /// The distinct texts; nil if there are too many, or too long ones.
    private(set) var distinct: Set<String>? = []
    /// A bit for each of the forms that all texts have, besides sentinels.
    private var forms = UInt64.max

    /// The number of texts that are no sentinels.
    var ordinary: Int { count - none.values.reduce(0, +) }

    /// The forms that all texts have, besides sentinels.
    var commonForms: [TextForm] {
        TextForm.all.indices.filter { forms & 1 << UInt64($0) != 0 }.map { TextForm.all[$0] }
    }

    mutating func add(_ node: JSONNode) {
        count += 1
        guard node.text.count <= Self.maximumBytes, let text = node.wellFormedString else {
            (distinct, forms) = (nil, 0)
            return
        }
        add([text])
        if Self.sentinels.contains(text) { return none[text, default: 0] += 1 }
        guard forms != 0 else { return }
        for (index, form) in TextForm.all.enumerated() where forms & 1 << UInt64(index) != 0 && !form.fits(text) {
            forms &= ~(1 << UInt64(index))
        }
        forms &= ~(UInt64.max << UInt64(TextForm.all.count))
    }

    private mutating func add(_ texts: Set<String>?) {
        guard let texts else { return distinct = nil }
        distinct?.formUnion(texts)
        if distinct?.count ?? 0 > Self.maximumDistinct { distinct = nil }
    }

    mutating func merge(_ other: TextSurvey) {
        count += other.count
        none.merge(other.none, uniquingKeysWith: +)
        forms &= other.forms
        add(other.distinct)
    }

    /// The values of an enumeration: few distinct words among many texts; nil if the texts are none.
    var words: [String]? {
        guard let distinct, distinct.count >= 2, count >= max(20, 4 * distinct.count), none.isEmpty,
            distinct.allSatisfy({ $0.wholeMatch(of: /[A-Za-z][A-Za-z0-9 _.-]*/) != nil })
        else { return nil }
        return distinct.sorted()
    }
}
