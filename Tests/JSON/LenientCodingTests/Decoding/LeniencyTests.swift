import Foundation
import LenientCoding
import Testing

private struct Model: Decodable, Equatable {
    var count: Int?
    var ratio: Double?
    var flag: Bool?
    var id: String?
    var small: UInt8?
    var url: URL?
    var price: Decimal?
    var inner: Inner?
    var list: [Inner]?

    struct Inner: Decodable, Equatable { var x: Int; var y: String? }
}

@Suite("Leniency")
struct LeniencyTests {
    @Test(
        "Lossless conversions are made and reported",
        arguments: [
            (#"{"count":"10"}"#, Model(count: 10), "coerced count numericString 1 count"),
            (#"{"count":" 1e1 "}"#, Model(count: 10), "coerced count numericString 1 count"),
            (#"{"ratio":"1.5"}"#, Model(ratio: 1.5), "coerced ratio numericString 1 ratio"),
            (#"{"flag":1}"#, Model(flag: true), "coerced flag booleanText 1 flag"),
            (#"{"flag":0}"#, Model(flag: false), "coerced flag booleanText 1 flag"),
            (#"{"flag":"true"}"#, Model(flag: true), "coerced flag booleanText 1 flag"),
            (#"{"flag":"0"}"#, Model(flag: false), "coerced flag booleanText 1 flag"),
            (#"{"id":12345678901234567890}"#, Model(id: "12345678901234567890"), "coerced id textOfNumber 1 id"),
            (#"{"id":1.50}"#, Model(id: "1.50"), "coerced id textOfNumber 1 id"),
            (#"{"price":"0.1"}"#, Model(price: Decimal(string: "0.1")), "coerced price numericString 1 price"),
            (#"{"inner":{"x":"1"}}"#, Model(inner: .init(x: 1)), "coerced inner.x numericString 1 inner.x"),
        ])
    private func conversions(text: String, expected: Model, entry: String) throws {
        let (model, drift) = try repaired(Model.self, text)
        #expect(model == expected)
        #expect(drift == [entry])
    }

    @Test(
        "An optional value that does not decode is absent and reported",
        arguments: [
            (#"{"count":[]}"#, "dropped count mistyped 1 count"), (#"{"count":1.5}"#, "dropped count inexact 1 count"),
            (#"{"count":"1.5"}"#, "dropped count mistyped 1 count"),
            (#"{"count":9223372036854775808}"#, "dropped count inexact 1 count"),
            (#"{"count":true}"#, "dropped count mistyped 1 count"), (#"{"flag":2}"#, "dropped flag mistyped 1 flag"),
            (#"{"flag":"yes"}"#, "dropped flag mistyped 1 flag"), (#"{"small":256}"#, "dropped small inexact 1 small"),
            (#"{"ratio":1e400}"#, "dropped ratio inexact 1 ratio"), (#"{"id":true}"#, "dropped id mistyped 1 id"),
            (#"{"url":""}"#, "dropped url invalid 1 url"), (#"{"inner":[]}"#, "dropped inner mistyped 1 inner"),
            (#"{"inner":{"x":[]}}"#, "dropped inner invalid 1 inner"),
            (#"{"inner":{}}"#, "dropped inner invalid 1 inner"),
            (#"{"list":[{"x":1},{}]}"#, "dropped list invalid 1 list"),
            // Repairs inside a dropped value are not reported.
            (#"{"inner":{"y":1,"x":[]}}"#, "dropped inner invalid 1 inner"),
        ])
    func mistypedOptionals(text: String, entry: String) throws {
        let (model, drift) = try repaired(Model.self, text)
        #expect(model == Model())
        #expect(drift == [entry])
        #expect(throws: DecodingError.self) { try LenientDecoder.strict.decode(Model.self, text: text) }
    }

    @Test("Equal repairs are counted together, with the path of the first as the example")
    func patterns() throws {
        let (_, drift) = try repaired(
            Model.self, #"{"list":[{"x":1},{"x":"2","y":[]},{"x":"3"},{"x":4,"y":{}}],"flag":"1"}"#)
        #expect(
            drift == [
                "coerced flag booleanText 1 flag", "coerced list[].x numericString 2 list[1].x",
                "dropped list[].y mistyped 2 list[1].y",
            ])
    }

    @Test("A required value that does not decode fails the document")
    func required() throws {
        #expect(result(Model.Inner.self, #"{"x":"a"}"#, by: LenientDecoder.lenient) == "typeMismatch at x")
        #expect(result(Model.Inner.self, #"{"x":"1.5"}"#, by: LenientDecoder.lenient) == "typeMismatch at x")
        #expect(result(Model.Inner.self, #"{"x":null}"#, by: LenientDecoder.lenient) == "valueNotFound at x")
        #expect(result([Int].self, #"[1e999,1]"#, by: LenientDecoder.lenient) == "dataCorrupted at 0")
    }

    @Test("Each repair can be enabled separately")
    func separately() throws {
        var decoder = LenientDecoder(leniency: .coercion)
        #expect(try decoder.decode(Model.self, text: #"{"count":"1"}"#).count == 1)
        #expect(result(Model.self, #"{"count":[]}"#, by: decoder) == "typeMismatch at count")
        decoder.leniency = .mistypedOptionals
        #expect(try decoder.decode(Model.self, text: #"{"count":"1"}"#).count == nil)
    }

    @Test("A failed decode does not affect the report of the next")
    func afterFailure() throws {
        let decoder = LenientDecoder.lenient
        var drift = DriftReport()
        #expect(throws: DecodingError.self) {
            try decoder.decode(Model.Inner.self, from: Array(#"{"y":1,"x":"a"}"#.utf8), drift: &drift)
        }
        #expect(try decoder.decode(Model.Inner.self, from: Array(#"{"x":1}"#.utf8), drift: &drift) == .init(x: 1))
        #expect(drift.isEmpty)
    }

    @Test("Repairs by wrappers are in the report, unless userInfo has a recorder")
    func recorder() throws {
        struct Model: Decodable { @Lossy var list: [Int] }
        let text = #"{"list":[1,"x",{}]}"#
        #expect(try repaired(Model.self, text).drift == ["dropped list[] mistyped 2 list[1]"])
        let recorder = DriftRecorder()
        var decoder = LenientDecoder.lenient
        decoder.userInfo[.driftRecorder] = recorder
        #expect(try repaired(Model.self, text, by: decoder).drift == [])
        #expect(lines(recorder.report) == ["dropped list[] mistyped 2 list[1]"])
    }

    @Test("A report lists a limited number of entries and counts the others")
    func bounded() throws {
        let members = (0..<300).map { "\"k\($0)\":\"1\"" }.joined(separator: ",")
        var drift = DriftReport()
        _ = try LenientDecoder.lenient.decode([String: Int].self, from: Array("{\(members)}".utf8), drift: &drift)
        #expect(drift.entries.count == DriftReport.maximumEntries)
        #expect(drift.unlisted == 300 - DriftReport.maximumEntries)
    }
}
