import ContractsSupport
import Records

/// A random change to an answer with tweets that leaves it valid JSON.
struct TweetMutation {
    private var mutation: JSONMutation

    init(seed: UInt64) { mutation = JSONMutation(seed: seed, values: Self.values) }

    private static let values: [JSONValue] = spelled + texts.map(JSONValue.string)

    private static let spelled = [
        "null", "-1", "-1.0", "0", "1", "7", "10.0", "12.5", "1e2", "12345678901234567890", "1e400", "true", "false",
        "[]", "[3,9]", "[9,3]", "[-1,2]", "[0,99999]", #"["0","2"]"#, "[1,2,3]", "[1.5,2]", #"[null,"a",3,{}]"#, "{}",
        #"{"id":5,"text":"x"}"#, #"{"surprise":[1]}"#,
    ].compactMap { JSONValue(parsing: Array($0.utf8)) }

    private static let texts = [
        "", "7", " 7 ", "-1", "12.5", "true", "none", "😀 #rain &amp; @ada", "rain", "2026-02-06T12:00:00Z",
        "2026-02-06", "Wed Aug 27 13:08:45 +0000 2008", "Wed Aug 99 13:08:45 +0000 2008",
    ]

    private static let pieces = ["&amp;", "&lt;3", "😀", "👩🏽‍🚀", "#", "@", "é", "e\u{301}", "字", " ", "&", "x"]

    /// Returns `answer` with at most two elements per list, and either one to three changed values or longer texts.
    mutating func damaged(_ answer: JSONValue) -> JSONValue {
        var answer = shortened(answer)
        for list in ["statuses", "results", "users", "data", "ancestors", "descendants"] where answer[list] != nil {
            answer[list] = answer[list].map { shortened($0) }
        }
        if Bool.random(using: &mutation.random) { return spliced(answer) }
        mutation.damage(&answer)
        return answer
    }

    /// Returns the value with text inserted into each text, which makes the indices after it wrong.
    private mutating func spliced(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let elements): .array(elements.map { spliced($0) })
        case .object(let members):
            .object(
                members.map { member in
                    let text = ["text", "full_text"].contains(member.key) ? member.value.stringValue : nil
                    return .init(member.key, text.map { .string(spliced($0)) } ?? spliced(member.value))
                })
        default: value
        }
    }

    private mutating func spliced(_ text: String) -> String {
        var scalars = text.unicodeScalars
        let offset = Int.random(in: 0...scalars.count, using: &mutation.random)
        let piece = Self.pieces[Int.random(in: Self.pieces.indices, using: &mutation.random)]
        scalars.insert(contentsOf: piece.unicodeScalars, at: scalars.index(scalars.startIndex, offsetBy: offset))
        return String(scalars)
    }

    private mutating func shortened(_ value: JSONValue) -> JSONValue {
        guard let elements = value.elements, elements.count > 2 else { return value }
        return .array((0..<2).compactMap { _ in elements.randomElement(using: &mutation.random) })
    }
}
