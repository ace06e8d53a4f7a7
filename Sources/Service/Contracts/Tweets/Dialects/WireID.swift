import JSONText
import LenientCoding

/// An id in a string or a number, kept digit for digit.
enum WireID: WireValue {
    case text(String)
    case number(Int64)

    var text: String {
        switch self {
        case .text(let text): text
        case .number(let number): String(number)
        }
    }

    static var expectation: String { "an id" }

    static func readPlain(_ node: JSONNode, _ rules: FieldRules) -> WireID? {
        switch node.kind {
        case .string: node.text.isEmpty ? nil : node.string.map(WireID.text)
        case .integer where node.text.first != UInt8(ascii: "-"): node.int64.map(WireID.number)
        default: nil
        }
    }

    static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> WireID? {
        if let text = node.string { return text.isEmpty ? reader.fail(.sentinel) : .text(text) }
        guard node.isNumber else { return reader.fail(.mistyped) }
        guard node.kind == .integer, node.text.first != UInt8(ascii: "-") else {
            // A number with a fraction or an exponent has lost digits.
            return reader.fail(node.kind == .integer && node.int64 == -1 ? .sentinel : .inexact)
        }
        return node.int64.map(WireID.number) ?? .text(String(decoding: node.text, as: UTF8.self))
    }
}

/// Twitter's ids since November 2010 (snowflakes): the upper bits count milliseconds.
extension WireID {
    /// The first millisecond that snowflakes count, in unix time.
    private static let epoch: UInt64 = 1_288_834_974_657

    /// Below all snowflakes, and above the last sequential id, which is about 29 billion.
    private static let firstSnowflake: UInt64 = 1 << 40

    /// When the tweet with this id was created, to the second; nil if the id is not a snowflake.
    var snowflakeTime: UnixSeconds? {
        guard let number = UInt64(text), number >= Self.firstSnowflake else { return nil }
        return UnixSeconds(Double(((number >> 22) + Self.epoch) / 1000))
    }
}
