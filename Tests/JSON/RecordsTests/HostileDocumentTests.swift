import Records
import Testing

private struct Victim: Record {
    var integer: Int?, number: Double?, text: String?, list: [Double]?, item: Item?, items: [Item]?, any: JSONValue?
    static let schema = Schema<Victim> {
        Field(\.integer)
        Field(\.number)
        Field(\.text)
        Field(\.list, .dropInvalid, .atMost(1_000_000))
        Field(\.item)
        Field(\.items, .dropInvalid)
        Field(\.any)
    }
}

private struct Item: Record {
    var id = 0
    static let schema = Schema<Item> { Field(\.id) }
}

@Suite("Hostile documents read as records", .timeLimit(.minutes(10)))
struct HostileDocumentTests {
    private static let digits = String(repeating: "9", count: 1_000_000)

    @Test(
        "A number beyond every field's range drops the field, not the document",
        arguments: [
            (#"{"integer":9223372036854775808,"text":"a"}"#, "dropped integer inexact 1 integer"),
            (#"{"integer":18446744073709551616,"text":"a"}"#, "dropped integer inexact 1 integer"),
            (#"{"integer":1e400,"text":"a"}"#, "dropped integer inexact 1 integer"),
            (#"{"integer":1e-400,"text":"a"}"#, "dropped integer inexact 1 integer"),
            (#"{"number":1e400,"text":"a"}"#, "dropped number inexact 1 number"),
            ("{\"integer\":\(digits),\"text\":\"a\"}", "dropped integer inexact 1 integer"),
            ("{\"number\":\(digits),\"text\":\"a\"}", "dropped number inexact 1 number"),
            ("{\"number\":\"\(digits)\",\"text\":\"a\"}", "dropped number mistyped 1 number"),
        ])
    func numbers(document: String, drift: String) throws {
        #expect(try outcome(Victim.self, document) == Outcome(document: #"{"text":"a"}"#, drift: [drift]))
    }

    @Test("2^63 and 2^64 are read as numbers, the limits of Int64 as integers")
    func integerLimits() throws {
        #expect(
            try outcome(Victim.self, #"{"number":9223372036854775808}"#).document
                == #"{"number":9223372036854776000}"#)
        for integer in [Int64.max, .min] {
            #expect(try outcome(Victim.self, #"{"integer":\#(integer)}"#).document == #"{"integer":\#(integer)}"#)
        }
    }

    @Test("200,000 elements of the wrong type are counted together")
    func wrongTypes() throws {
        let list = Array(repeating: "{}", count: 200_000).joined(separator: ",")
        #expect(
            try outcome(Victim.self, "{\"list\":[\(list)]}")
                == Outcome(document: #"{"list":[]}"#, drift: ["dropped list[] mistyped 200000 list[0]"]))
    }

    @Test(
        "512 levels of nesting are skipped in ignored, mistyped and free-form fields",
        arguments: [
            ("unknown", "unexpectedKey unknown unknownKey 1 unknown"), ("number", "dropped number mistyped 1 number"),
            ("item", "dropped item mistyped 1 item"), ("items", "dropped items[] mistyped 1 items[0]"),
            ("any", nil),
        ] as [(String, String?)])
    func depth(key: String, drift: String?) throws {
        let nest = String(repeating: "[", count: 511) + String(repeating: "]", count: 511)
        let read = try outcome(Victim.self, "{\"\(key)\":\(nest),\"text\":\"a\"}")
        #expect(read.drift == (drift.map { [$0] } ?? []))
        #expect(
            read.document.hasPrefix(
                key == "any" ? #"{"text":"a","any":[[["# : key == "items" ? "{\"text\"" : "{\"text\":\"a\"}"))
    }

    @Test("100,000 duplicate keys give one field; 100,000 unknown keys are counted")
    func manyKeys() throws {
        let equal = (0..<100_000).map { "\"integer\":\($0)" }.joined(separator: ",")
        #expect(
            try outcome(Victim.self, "{\(equal)}")
                == Outcome(document: #"{"integer":99999}"#, drift: ["duplicateKey integer duplicate 99999 integer"]))
        let unknown = (0..<100_000).map { "\"k\($0)\":0" }.joined(separator: ",")
        let report = try drift(Victim.self, "{\(unknown)}")
        #expect(report.entries.count == 256)
        #expect(report.unlisted == 100_000 - 256)
    }

    @Test("Escaped keys and lone surrogates in keys are read as the characters that they denote")
    func surrogates() throws {
        let read = try outcome(Victim.self, #"{"\ud800":1,"\ud800x":2,"te\u0078t":"a"}"#)
        #expect(read.document == #"{"text":"a"}"#)
        #expect(
            read.drift == [
                "unexpectedKey \u{FFFD} unknownKey 1 \u{FFFD}", "unexpectedKey \u{FFFD}x unknownKey 1 \u{FFFD}x",
            ])
    }

    @Test("A string of ten million bytes of escapes is read")
    func escapes() throws {
        let read = try outcome(Victim.self, "{\"text\":\"\(String(repeating: "\\u0041\\n", count: 1_250_000))\"}")
        #expect(read.document.utf8.count == #"{"text":""}"#.utf8.count + 1_250_000 * 3)
    }
}
