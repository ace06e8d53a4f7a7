import JSONText
import LenientCoding

/// The target of the website of one of Twitter's users: of `entities`, which has it at `url.urls[0].expanded_url`.
///
/// The user's own `url` is a link of t.co, which leads there.
struct WireProfileLink: WireValue {
    /// The address; nil if the user has no website, or if it is not known.
    let target: String?

    static var expectation: String { "an object" }

    static func readPlain(_ node: JSONNode, _ rules: FieldRules) -> WireProfileLink? {
        guard node.kind == .object else { return nil }
        let links = node["url"]?["urls"]?.elements
        let target = links?.first { _ in true }?["expanded_url"]?.string
        return WireProfileLink(target: target == "" ? nil : target)
    }

    static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> WireProfileLink? {
        readPlain(node, rules) ?? reader.fail(.mistyped)
    }
}
