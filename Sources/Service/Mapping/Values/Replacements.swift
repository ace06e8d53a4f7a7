import JMESPath
import Records

/// The keys `absent` and `map`: values of upstreams that stand for others.
struct Replacements: Sendable {
    private let absent: [JSONValue]
    /// Values by those of the upstream, or by the texts of its numbers and Booleans.
    private let entries: [String: JSONValue]
    /// The longest text that can stand for a key, in bytes, if all its characters are escaped.
    private let longestText: Int
    /// The value for others; nil if they pass.
    private let other: JSONValue?

    init(_ keys: KeyReader) {
        absent = keys.array("absent") ?? []
        let members = keys.object("map")?.members ?? []
        entries = Dictionary(members.filter { $0.key != "*" }.map { ($0.key, $0.value) }) { _, last in last }
        longestText = 6 * (members.map(\.key.utf8.count).max() ?? 0)
        other = members.last { $0.key == "*" }?.value
    }

    var isEmpty: Bool { absent.isEmpty && entries.isEmpty && other == nil }

    /// Returns what stands for a value; nil for none.
    func apply(to value: JMESValue, _ outcome: inout Outcome) -> JMESValue? {
        if absent.contains(where: { JMESValue($0).isEqual(to: value) }) {
            outcome.note(.defaulted, .sentinel)
            return nil
        }
        if entries.isEmpty, other == nil { return value }
        let word: String?
        switch value.kind {
        case .string: word = value.text(atMost: longestText)
        case .number: word = value.numberText
        case .boolean: word = value.bool == true ? "true" : "false"
        default: return value
        }
        let entry = word.flatMap { entries[$0] }
        if entry == nil { outcome.note(.unrecognized, .unknownValue) }
        guard let replacement = entry ?? other else { return value }
        return replacement.isNull ? nil : JMESValue(replacement)
    }
}
