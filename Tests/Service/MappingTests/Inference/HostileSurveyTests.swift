import Mapping
import JSONText
import TestSupport
import Testing

@Suite("Routes from hostile answers", .timeLimit(.minutes(2)))
struct HostileSurveyTests {
    private static let documents: [(name: String, text: String)] = [
        ("512 arrays", String(repeating: "[", count: 512) + String(repeating: "]", count: 512)),
        ("500 objects", String(repeating: #"{"a":"#, count: 500) + "1" + String(repeating: "}", count: 500)),
        ("200,000 keys", "{" + (0..<200_000).map { #""k\#($0)":\#($0)"# }.joined(separator: ",") + "}"),
        (
            "200,000 objects of different keys",
            "[" + (0..<200_000).map { #"{"k\#($0)":{"v\#($0)":true}}"# }.joined(separator: ",") + "]"
        ),
        ("a tree of 9 members in 5 levels", tree(levels: 5)),
        ("long keys", #"{"\#(String(repeating: "x", count: 1_000_000))": 1, "b": "c"}"#),
        ("keys that are no text", #"{"\ud800": 1, "b": 2}"#),
        ("composed and decomposed keys", #"{"é": 1, "e\u0301": 2, "a_b": 3, "aB": 4, "a-b": 5, "": 6, "let": 7}"#),
        ("mixed kinds", #"[1, "a", null, true, [], {}, [1], {"a": 1}]"#),
        (
            "8 MB of texts",
            "[" + Array(repeating: #""2024-01-01T00:00:00Z""#, count: 360_000).joined(separator: ",") + "]"
        ),
        ("a text", #""*/ \n // \u2028""#), ("an empty object", "{}"), ("an empty array", "[]"),
        ("keys that look like variables", #"{"${HOME}": {"a$${b": 1}, "$": "x", "x": [{"${": 1, "${A:-b}": 2}]}"#),
        ("keys that look like comments", #"{"// a": {"*/\n\"": "//"}}"#),
        ("sentinels alone", #"{"a": ["", "N/A"], "b": "", "c": -999, "d": [-999, 1]}"#),
    ]

    private static func tree(levels: Int) -> String {
        if levels == 0 { return "1" }
        return "{" + (0..<9).map { #""m\#($0)":\#(tree(levels: levels - 1))"# }.joined(separator: ",") + "}"
    }

    @Test("The route is small, is accepted, and loses nothing", arguments: documents.indices)
    func routes(_ index: Int) throws {
        let (name, text) = Self.documents[index]
        let document = Array(text.utf8)
        let route = try InferredRoute([document])
        #expect(route.text.utf8.count < 1 << 20, "\(name)")
        #expect(try route.losses(of: document) == [], "\(name): \(route.text.prefix(2000))")
    }
}
