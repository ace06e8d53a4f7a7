import FoundationEssentials
import JSONText
import LenientCoding

/// A date as Mastodon, its relatives and Twitter v2 send it: ISO 8601 with any fraction or zone, a day, or unix seconds
/// as a number or a string.
struct SentMoment: FieldValue, Hashable {
    var moment: UnixSeconds

    static var expectation: String { "a date" }

    /// From 0001 to 9999, in seconds: what a date can be written of.
    private static let years = -62_135_596_800.0..<253_402_300_800

    static func schema(in components: inout SchemaComponents) -> JSONValue { UnixSeconds.schema(in: &components) }

    static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> SentMoment? {
        let seconds =
            node.double ?? node.string.flatMap { ISO8601.date(from: $0)?.timeIntervalSince1970 }
            ?? node.numericStringAsDouble
        guard let seconds else { return reader.fail(.mistyped) }
        guard Self.years.contains(seconds) else { return reader.fail(.implausible) }
        return SentMoment(moment: UnixSeconds(seconds))
    }

    func write(to writer: inout JSONWriter, style: WritingStyle) { moment.write(to: &writer, style: style) }
}
