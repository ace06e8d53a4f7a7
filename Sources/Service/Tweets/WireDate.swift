import CivilDates
import Contracts
import JSONText
import Records

/// A date of a post or an account, in any form that an upstream, an archive or a compatible server writes.
///
/// The forms are Twitter v1.1's (`Wed Aug 27 13:08:45 +0000 2008`), ISO 8601 with `T` or a space and any fraction or zone,
/// those of mail and HTTP, and unix seconds or milliseconds in a number or a string, each with or without spaces around.
struct WireDate: WireValue {
    let time: UnixSeconds

    static func readPlain(_ node: JSONNode, _ rules: FieldRules) -> WireDate? {
        // The form of nearly all dates of Twitter v1.1; all others begin with a digit.
        if node.kind == .string, node.text.first?.isASCIILetter == true, let seconds = TwitterDate.parse(node.text.span)
        {
            return WireDate(time: UnixSeconds(Double(seconds)))
        }
        guard let seconds = seconds(of: node), ISODate.writable.contains(seconds) else { return nil }
        return WireDate(time: UnixSeconds(seconds))
    }

    static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> WireDate? {
        readPlain(node, rules) ?? reader.fail(seconds(of: node) == nil ? .mistyped : .implausible)
    }

    /// The least number of milliseconds, in 1973; as seconds, it is in the year 5138.
    private static let firstMilliseconds = 1e11

    private static func seconds(of node: JSONNode) -> Double? {
        if let seconds = ISODate.instant(of: node) { return seconds }
        if let epoch = node.double ?? node.numericStringAsDouble {
            return abs(epoch) < firstMilliseconds ? epoch : epoch / 1000
        }
        guard let string = node.string else { return nil }
        let text = string.utf8.span.extracting(string.utf8.span.boundsWithoutSpace)
        return (TwitterDate.parse(text) ?? MailDate.parse(text) ?? HTTPDate.parse(String(repairing: text)))
            .map(Double.init)
    }
}
