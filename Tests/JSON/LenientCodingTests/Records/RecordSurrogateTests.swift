import Foundation
import JSONText
import LenientCoding
import Testing

private struct Post: Record {
    var text = "", lang: String?, tags: [String]?, any: JSONValue?, counts: [String: Int]?, map: OpenMap?, site: URL?
    var others = JSONValue.object([])
    static let schema = Schema<Post> {
        Field(\.text)
        Field(\.lang)
        Field(\.tags, .dropInvalid)
        Field(\.any)
        Field(\.counts)
        Field(\.map)
        Field(\.site)
        OtherFields(\.others)
    }
}

/// Records read and report half of a surrogate pair as `LenientDecoder` does for other types.
@Suite("Half of a surrogate pair in records")
struct RecordSurrogateTests {
    private func written(_ post: Post) throws -> String {
        String(decoding: try CompactEncoder().encode(post), as: UTF8.self)
    }

    /// Documents, what is read of them with `.loneSurrogates`, the entry in the report, and the path of the error without.
    private static let examples: [(document: String, written: String, entry: String, path: String)] = [
        (#"{"text":"a\ud800"}"#, "{\"text\":\"a\u{FFFD}\"}", "text", "text"),
        (#"{"text":"","lang":"\udc00"}"#, "{\"text\":\"\",\"lang\":\"\u{FFFD}\"}", "lang", "lang"),
        (#"{"text":"","any":[{"\ud800":1}]}"#, "{\"text\":\"\",\"any\":[{\"\u{FFFD}\":1}]}", "any", "any"),
        (
            #"{"text":"","counts":{"\ud800":1}}"#, "{\"text\":\"\",\"counts\":{\"\u{FFFD}\":1}}", "counts.*",
            "counts.\u{FFFD}"
        ),
    ]

    @Test("It is read as U+FFFD and reported, or it is an error", arguments: examples)
    func strings(example: (document: String, written: String, entry: String, path: String)) throws {
        for leniency in [LenientDecoder.Leniency.all, .loneSurrogates] {
            let decoder = LenientDecoder(leniency: leniency)
            let (post, drift) = try repaired(Post.self, example.document, by: decoder)
            #expect(try written(post) == example.written)
            #expect(drift == ["coerced \(example.entry) loneSurrogate 1 \(example.entry)"])
        }
        let strict = LenientDecoder(leniency: [.coercion, .similarKeys])
        #expect(errorPath { try strict.decode(Post.self, text: example.document) } == example.path)
    }

    @Test("Without the repair, tolerated fields, elements and other members are left out and reported")
    func tolerated() throws {
        let decoder = LenientDecoder(leniency: .mistypedOptionals)
        let document = #"{"text":"","lang":"\ud800","tags":["a","\ud800"],"map":{"a":1,"b":"\ud800"},"x":"\ud800"}"#
        let (post, drift) = try repaired(Post.self, document, by: decoder)
        #expect(try written(post) == #"{"text":"","tags":["a"],"map":{"a":1}}"#)
        #expect(
            drift == [
                "dropped lang loneSurrogate 1 lang", "dropped tags[] loneSurrogate 1 tags[1]",
                "dropped map.* loneSurrogate 1 map.*", "dropped x loneSurrogate 1 x",
            ])
    }

    @Test("A record that is read without a decoder reports it, and strict reading refuses it")
    func withoutDecoder() throws {
        let bytes = Array(#"{"text":"a\ud800","site":"x","map":{"\ud800":1},"y":"\ud800"}"#.utf8)
        var parser = JSONParser()
        let (post, drift) = try parser.withDocument(bytes) { try Post.read($0) }
        #expect(
            try written(post) == "{\"text\":\"a\u{FFFD}\",\"map\":{\"\u{FFFD}\":1},\"site\":\"x\",\"y\":\"\u{FFFD}\"}")
        #expect(drift.summary == "coerced=3")
        #expect(throws: ContractError.self) { try parser.withDocument(bytes) { try Post.readStrictly($0) } }
    }
}
