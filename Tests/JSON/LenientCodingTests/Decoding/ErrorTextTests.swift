import Foundation
import LenientCoding
import Testing

@Suite("Texts of errors")
struct ErrorTextTests {
    private func message<Value: Decodable>(
        _ type: Value.Type, _ text: String, by decoder: LenientDecoder
    ) -> String {
        do {
            return "\(try decoder.decode(type, text: text))"
        } catch DecodingError.dataCorrupted(let context), DecodingError.typeMismatch(_, let context) {
            return context.debugDescription
        } catch {
            return "\(error)"
        }
    }

    @Test(
        "The error of a date names what is expected",
        arguments: [
            (LenientDecoder.DateDecodingStrategy.iso8601, "an ISO 8601 date such as 2016-03-28T14:39:13Z"),
            (.format("EEE MMM dd HH:mm:ss Z yyyy"), "a date as EEE MMM dd HH:mm:ss Z yyyy"),
        ], [LenientDecoder.Leniency.all, []])
    func dates(
        strategy: (strategy: LenientDecoder.DateDecodingStrategy, expected: String), leniency: LenientDecoder.Leniency
    ) {
        var decoder = LenientDecoder(leniency: leniency)
        decoder.dateDecodingStrategy = strategy.strategy
        let expected = "Expected \(strategy.expected), found "
        #expect(message([Date].self, #"["tomorrow"]"#, by: decoder) == expected + "another string.")
        decoder.userInfo[.quotesValues] = true
        #expect(message([Date].self, #"["tomorrow"]"#, by: decoder) == expected + #""tomorrow"."#)
    }

    @Test("Errors of all types include the value only if they may")
    func quotedValues() {
        struct Model: Decodable {
            var count: UInt8?, ratio: Double?, name: String?, site: URL?, bytes: Data?, price: Decimal?, list: [Int]?
        }
        for (text, plain, quoted) in [
            (#"{"count":9313}"#, "The number is not representable as UInt8.", "9313 is not representable as UInt8."),
            (
                #"{"ratio":"s3cret"}"#, "Expected a value of type Double, found a string instead.",
                #"Expected a value of type Double, found "s3cret" instead."#
            ),
            (
                #"{"name":9313}"#, "Expected a value of type String, found a number instead.",
                "Expected a value of type String, found 9313 instead."
            ),
            (#"{"site":""}"#, "Expected a URL, found another string.", #"Expected a URL, found ""."#),
            (
                #"{"bytes":"%"}"#, "Expected bytes in base64, found another string.",
                #"Expected bytes in base64, found "%"."#
            ),
            (
                #"{"price":true}"#, "Expected a value of type Decimal, found a Boolean instead.",
                "Expected a value of type Decimal, found true instead."
            ),
            (
                #"{"list":{"a":1}}"#, "Expected a value of type Array<Any>, found an object instead.",
                "Expected a value of type Array<Any>, found an object instead."
            ),
            (
                #"{"name":"s3cret\ud800"}"#, "The string has a lone surrogate.", "The string has a lone surrogate."
            ),
        ] {
            var decoder = LenientDecoder()
            #expect(message(Model.self, text, by: decoder) == plain)
            decoder.userInfo[.quotesValues] = false
            #expect(message(Model.self, text, by: decoder) == plain)
            decoder.userInfo[.quotesValues] = true
            #expect(message(Model.self, text, by: decoder) == quoted)
        }
    }

    @Test("A long value is cut to 40 characters")
    func longValues() {
        var decoder = LenientDecoder()
        decoder.userInfo[.quotesValues] = true
        let text = #"["\#(String(repeating: "x", count: 1000))"]"#
        let found = "\"" + String(repeating: "x", count: 39) + "…"
        #expect(
            message([Int].self, text, by: decoder) == "Expected a value of type Int, found \(found) instead.")
    }
}
