import CivilDates
import JSONText
import Records

/// The numbers at one place of documents.
struct NumberSurvey {
    /// Numbers that stand for none.
    private static let sentinels = ["-999", "-9999", "-99999", "-999.9", "-999.99"]
    private static let doubles = sentinels.compactMap(Double.init)
    /// The digits that every double has.
    private static let exactDigits = 15
    private static let maximumDistinct = 40

    /// The numbers, and those without fraction and exponent.
    private(set) var count = 0, integers = 0
    /// The distinct integers; nil if there are too many, or fractions.
    private(set) var distinct: Set<Int>? = []
    /// Whether an integer has more digits than a double can hold.
    private(set) var isLong = false
    /// How often each of `sentinels` appears.
    private var candidates = Array(repeating: 0, count: sentinels.count)
    /// The range of the other numbers; empty without any.
    private(set) var least = Double.infinity, greatest = -Double.infinity

    /// The range of the numbers, of 0 alone without any.
    var range: ClosedRange<Double> { least <= greatest ? least...greatest : 0...0 }

    mutating func add(_ node: JSONNode) {
        add(node.double, isInteger: node.kind == .integer, bytes: node.text.count)
    }

    /// Adds a number that is a text.
    mutating func add(_ text: String) {
        add(Double(text), isInteger: text.allSatisfy { $0.isNumber || $0 == "-" }, bytes: text.utf8.count)
    }

    private mutating func add(_ number: Double?, isInteger: Bool, bytes: Int) {
        count += 1
        distinct?.formUnion([number.flatMap { Int(exactly: $0) } ?? .min])
        if distinct?.count ?? 0 > Self.maximumDistinct || distinct?.contains(.min) == true { distinct = nil }
        guard let number else { return }
        if isInteger {
            integers += 1
            if bytes > Self.exactDigits + (number < 0 ? 1 : 0) { isLong = true }
        }
        if let index = Self.doubles.firstIndex(of: number) {
            candidates[index] += 1
        } else {
            (least, greatest) = (min(least, number), max(greatest, number))
        }
    }

    mutating func merge(_ other: NumberSurvey) {
        (count, integers) = (count + other.count, integers + other.integers)
        isLong = isLong || other.isLong
        distinct = distinct.flatMap { own in other.distinct.map(own.union) }
        if distinct?.count ?? 0 > Self.maximumDistinct { distinct = nil }
        for index in candidates.indices { candidates[index] += other.candidates[index] }
        (least, greatest) = (min(least, other.least), max(greatest, other.greatest))
    }

    /// The sentinels that are far below all other numbers, with how often they appear.
    var outliers: [(text: String, count: Int)] {
        Self.sentinels.indices.compactMap { index in
            let isFar = least <= greatest && least > Self.doubles[index] / 4
            return candidates[index] > 0 && isFar ? (Self.sentinels[index], candidates[index]) : nil
        }
    }

    /// Whether so many different numbers are integers that the next one is an integer, too.
    var areIntegers: Bool { integers == count && count >= 20 && least < greatest }

    /// The value of `reads` for which all numbers are times in the years 2000 to 2099; nil for none.
    var unixForm: String? {
        guard integers == count else { return nil }
        if Self.years.contains(least), Self.years.contains(greatest) { return "unix" }
        return Self.years.contains(least / 1000) && Self.years.contains(greatest / 1000) ? "unixMilliseconds" : nil
    }

    /// The years 2000 to 2099, in seconds since 1970.
    static let years = 946_684_800.0...4_102_444_799.0
}

/// The distances between times that follow each other at one place of documents.
struct StepSurvey {
    private static let maximumDistinct = 32

    private var last: Double?
    private var counts: [Double: Int] = [:]

    /// The most common distance in seconds, the least of several; nil without two times.
    var common: Double? { counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key }

    mutating func add(_ node: JSONNode) {
        let years = NumberSurvey.years
        let number = node.double.map { years.contains($0 / 1000) ? $0 / 1000 : $0 }
        guard
            let time = number
                ?? node.wellFormedString.flatMap({ ISO8601Timestamp($0.utf8.span)?.instant.map { Double($0.seconds) } }),
            years.contains(time)
        else { return }
        if let last, time > last, counts.count < Self.maximumDistinct { counts[time - last, default: 0] += 1 }
        last = time
    }
}

/// The texts at one place of documents.
struct TextSurvey {
    /// Texts that stand for none among texts of any kind.
    static let wordsForNone: Set = ["N/A", "n/a", "null", "NULL"]
    /// Texts that stand for none among numbers, dates and Booleans.
    static let sentinels = wordsForNone.union(["", "-", "--", "NA", "NaN", "nan", "None", "none"])
    /// The longest text that is kept or can be a date, in bytes.
    static let maximumBytes = 40
    /// The most values of an enumeration.
    private static let maximumDistinct = 12

    private(set) var count = 0
    /// How often each of `sentinels` appears.
    private(set) var none: [String: Int] = [:]
    /// The distinct texts; nil if there are too many, or too long ones.
    private(set) var distinct: Set<String>? = []
    /// The numbers among the texts.
    private(set) var numbers = NumberSurvey()
    /// A bit for each of the forms that all texts have, besides sentinels.
    private var forms = UInt64.max

    /// The number of texts that are no sentinels.
    var ordinary: Int { count - none.values.reduce(0, +) }

    /// Whether texts with the form of numbers are numbers, for all that the name says.
    ///
    /// A few digits may as well be a code or a colour, and so may `1.10` beside `1.9`.
    func areNumbers(_ words: MemberWords) -> Bool {
        if words.isIdentifier || words.isLabel { return false }
        let fractions = distinct?.filter { $0.contains(".") } ?? []
        let places = Set(fractions.map { $0.reversed().prefix { $0 != "." }.count })
        if places.count > 1, fractions.contains(where: { $0.hasSuffix("0") && !$0.hasSuffix(".0") }) { return false }
        return ordinary >= 5 || !fractions.isEmpty
    }

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
        if TextForm.all[0].fits(text) { numbers.add(text) }
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
        numbers.merge(other.numbers)
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

/// A form of texts that a shape can read: a number, a Boolean or a date.
struct TextForm: Sendable {
    /// The form in the evidence: `ISO 8601`.
    let name: String
    /// The keys of the shape that reads the form.
    let keys: [JSONValue.Member]
    /// Whether the dates have a time but no offset from UTC.
    var isLocal = false
    let fits: @Sendable (String) -> Bool

    /// The name, which tells times with and without an offset apart.
    var title: String { isLocal ? "\(name) without an offset" : name }

    /// All forms; of several that fit, the first counts.
    static let all: [TextForm] =
        [
            TextForm(name: numbers, keys: [.init("type", "number"), .init("reads", "text")]) { text in
                text.utf8.count <= 16 && NumberText.isNumber(text)
                    && !text.utf8.contains { $0 | 0x20 == UInt8(ascii: "e") }
            },
            TextForm(name: "Booleans", keys: [.init("type", "boolean"), .init("reads", "text")]) {
                ["true", "false"].contains($0)
            },
            TextForm(name: "days of ISO 8601", keys: [.init("format", "date")]) {
                $0.utf8.count == 10 && timestamp($0) != nil
            },
            TextForm(name: "ISO 8601", keys: [.init("format", "date-time")]) { timestamp($0)?.offset != nil },
            TextForm(name: "ISO 8601", keys: [.init("format", "date-time")], isLocal: true) { timestamp($0) != nil },
            TextForm(name: "HTTP dates", keys: [.init("format", "date-time"), .init("reads", "http")]) {
                HTTPDate.parse($0).map(isPossible) == true
            },
        ] + patterns.compactMap(TextForm.init(pattern:))

    /// The name of the form of numbers.
    static let numbers = "numbers in texts"
    /// The two patterns that cannot be told apart for the first days of months.
    static let ambiguous = ["dd/MM/yyyy", "MM/dd/yyyy"]

    private static let patterns =
        (ambiguous + ["dd.MM.yyyy", "d.M.yyyy", "yyyy/MM/dd", "dd-MM-yyyy", "dd MMM yyyy"]).flatMap { day in
            ["", " HH:mm", " HH:mm:ss"].map { day + $0 }
        } + ["yyyy-MM-dd:HH", "EEE MMM dd HH:mm:ss Z yyyy", "EEE, dd MMM yyyy HH:mm:ss Z"]

    private static func timestamp(_ text: String) -> ISO8601Timestamp? {
        let timestamp = ISO8601Timestamp(text.utf8.span)
        return timestamp?.instant.map { isPossible($0.seconds) } == true ? timestamp : nil
    }

    /// Whether the year is one that shapes read, 1 to 9999, in every zone.
    private static func isPossible(_ seconds: Int) -> Bool { -62_135_500_000...253_402_200_000 ~= seconds }
}

extension TextForm {
    private init?(pattern: String) {
        guard let format = try? FixedDateFormat(pattern: pattern) else { return nil }
        let isDay = !pattern.contains("H")
        self.init(
            name: pattern, keys: [.init("format", isDay ? "date" : "date-time"), .init("reads", .string(pattern))],
            isLocal: !isDay && !format.hasZone
        ) { text in format.parse(text.utf8.span).map { Self.isPossible($0.seconds) } == true }
    }
}
