import JSONText
import Records
import TestSupport
import Testing

@Suite("JSONValue")
struct JSONValueTests {
    private func copy(_ bytes: [UInt8]) throws -> String {
        var parser = JSONParser()
        return try parser.withDocument(bytes) { written(JSONValue($0)) }
    }

    @Test(
        "A copied document keeps the text of numbers and the order of members, without white space",
        arguments: [
            (#" { "b" : [ 1.50 , 1E+2, -0.0 ] , "a" : null } "#, #"{"b":[1.50,1E+2,-0.0],"a":null}"#),
            (#"{"a":1,"a":2,"":{}}"#, #"{"a":1,"a":2,"":{}}"#), (#"[true,false,[],{},""]"#, #"[true,false,[],{},""]"#),
            (#""\u00e9\/\u0001\ud83d\ude00\ud800""#, "\"é/\\u0001😀\u{FFFD}\""),
            ("123456789012345678901", "123456789012345678901"),
        ])
    func copied(document: String, expected: String) throws { #expect(try copy(Array(document.utf8)) == expected) }

    @Test("A document is copied at the parser's maximum depth")
    func deep() throws {
        let document = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
        #expect(try copy(Array(document.utf8)) == document)
    }

    @Test("Subscripts find the last member of a key")
    func members() {
        let value = JSONValue.object([.init("a", .number("1")), .init("b", .null), .init("a", .bool(true))])
        #expect(value["a"] == .bool(true))
        #expect(value["b"] == .null)
        #expect(value["c"] == nil)
        #expect(JSONValue.array([])["a"] == nil)
    }

    @Test("Documents of nativejson's round-trip suite are written unchanged")
    func roundTrip() throws {
        for (name, bytes) in Checkout.sharedFiles("suites/nativejson-roundtrip", ending: ".json") {
            #expect(try copy(bytes) == String(decoding: bytes, as: UTF8.self), "\(name)")
        }
    }
}
