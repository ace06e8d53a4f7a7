import Records
import Testing

/// One optional field, for which -999, "" and "none" mean "no value".
private struct Lenient<Value: FieldValue>: Record {
    var value: Value?
    static var schema: Schema<Self> { Schema(.absent(-999), .absent("", "none")) { Field(\.value) } }
}

/// One optional field that is not coerced.
private struct Exact<Value: FieldValue>: Record {
    var value: Value?
    static var schema: Schema<Self> { Schema { Field(\.value, .exact) } }
}

/// The outcome for one value: its JSON or "absent", and the repair in two words or "".
private typealias Row = (arrives: String, becomes: String, repair: String)

private func check<Model: Record>(
    _ model: Model.Type, _ rows: [Row], sourceLocation: SourceLocation = #_sourceLocation
) throws {
    for row in rows {
        let read = try outcome(model, "{\"value\":\(row.arrives)}")
        let document = row.becomes == "absent" ? "{}" : "{\"value\":\(row.becomes)}"
        let words = row.repair.split(separator: " ")
        let drift = words.count == 2 ? ["\(words[0]) value \(words[1]) 1 value"] : []
        #expect(
            read == Outcome(document: document, drift: drift), "\(Model.self): \(row.arrives)",
            sourceLocation: sourceLocation)
    }
}

@Suite("Scalars")
struct ScalarTests {
    @Test("A field that is null or missing is absent and not reported")
    func missingAndNull() throws {
        #expect(try outcome(Lenient<Int>.self, "{}") == Outcome(document: "{}"))
        #expect(try outcome(Lenient<Int>.self, #"{"value":null}"#) == Outcome(document: "{}"))
    }

    @Test("An integer may arrive as a double or a string of the same value, and is never truncated")
    func integers() throws {
        try check(
            Lenient<Int>.self,
            [
                ("10", "10", ""), ("10.0", "10", ""), ("1e1", "10", ""), ("-0", "0", ""),
                ("9223372036854775807", "9223372036854775807", ""), ("\"10\"", "10", "coerced numericString"),
                ("\"10.0\"", "10", "coerced numericString"), ("\" 7 \"", "7", "coerced numericString"),
                ("10.5", "absent", "dropped inexact"), ("\"10.5\"", "absent", "dropped inexact"),
                ("9223372036854775808", "absent", "dropped inexact"), ("1e400", "absent", "dropped inexact"),
                ("\"ten\"", "absent", "dropped mistyped"), ("true", "absent", "dropped mistyped"),
                ("[]", "absent", "dropped mistyped"), ("{}", "absent", "dropped mistyped"),
                ("-999", "absent", "defaulted sentinel"), ("-999.0", "absent", "defaulted sentinel"),
                ("\"-999\"", "absent", "defaulted sentinel"), ("\"\"", "absent", "defaulted sentinel"),
                ("\"none\"", "absent", "defaulted sentinel"), ("\"n\\u006fne\"", "absent", "defaulted sentinel"),
            ])
    }

    @Test("A double may arrive as an integer or a string, and is written without a needless fraction")
    func doubles() throws {
        try check(
            Lenient<Double>.self,
            [
                ("0.10", "0.1", ""), ("10", "10", ""), ("10.0", "10", ""), ("-0.0", "0", ""), ("1.5e2", "150", ""),
                ("\"0.5\"", "0.5", "coerced numericString"), ("\" -3 \"", "-3", "coerced numericString"),
                ("1e400", "absent", "dropped inexact"), ("\"NaN\"", "absent", "dropped mistyped"),
                ("\"12 km\"", "absent", "dropped mistyped"), ("false", "absent", "dropped mistyped"),
                ("-999", "absent", "defaulted sentinel"), ("-999.0", "absent", "defaulted sentinel"),
                ("-9.99e2", "absent", "defaulted sentinel"), ("\"-999.00\"", "absent", "defaulted sentinel"),
                ("\"\"", "absent", "defaulted sentinel"), ("-998.9", "-998.9", ""),
            ])
    }

    @Test("A string may arrive as a number and is then its text")
    func strings() throws {
        try check(
            Lenient<String>.self,
            [
                ("\"a\"", "\"a\"", ""), (#""\u0041\n/""#, #""A\n/""#, ""), ("10", "\"10\"", "coerced textOfNumber"),
                ("1.50", "\"1.50\"", "coerced textOfNumber"),
                ("12345678901234567890123", "\"12345678901234567890123\"", "coerced textOfNumber"),
                ("true", "absent", "dropped mistyped"), ("[\"a\"]", "absent", "dropped mistyped"),
                ("\"\"", "absent", "defaulted sentinel"), ("\"none\"", "absent", "defaulted sentinel"),
                ("\"None\"", "\"None\"", ""), ("-999", "absent", "defaulted sentinel"), ("\"-999\"", "\"-999\"", ""),
            ])
    }

    @Test("A Boolean may arrive as 0, 1, or a string of 0, 1, true or false")
    func booleans() throws {
        try check(
            Lenient<Bool>.self,
            [
                ("true", "true", ""), ("false", "false", ""), ("1", "true", "coerced booleanText"),
                ("0", "false", "coerced booleanText"), ("1.0", "true", "coerced booleanText"),
                ("\"1\"", "true", "coerced booleanText"), ("\"0\"", "false", "coerced booleanText"),
                ("\"true\"", "true", "coerced booleanText"), ("\"false\"", "false", "coerced booleanText"),
                ("2", "absent", "dropped mistyped"), ("0.5", "absent", "dropped mistyped"),
                ("\"yes\"", "absent", "dropped mistyped"), ("[]", "absent", "dropped mistyped"),
                ("\"\"", "absent", "defaulted sentinel"), ("\"none\"", "absent", "defaulted sentinel"),
                ("-999", "absent", "defaulted sentinel"),
            ])
    }

    @Test("A time may arrive as seconds, a string of seconds, or a date")
    func times() throws {
        try check(
            Lenient<UnixSeconds>.self,
            [
                ("1509993277", "1509993277", ""), ("-1.5", "-1.5", ""), ("1.509993277e9", "1509993277", ""),
                ("\"1509993277\"", "1509993277", "coerced numericString"), ("-999", "absent", "defaulted sentinel"),
                ("\"2017-11-06T10:34:37Z\"", "1509964477", "coerced dateText"),
            ])
    }

    @Test("An exact field is not coerced, but 10.0 is an integer")
    func exact() throws {
        try check(Exact<Int>.self, [("10.0", "10", ""), ("\"10\"", "absent", "dropped mistyped")])
        try check(Exact<Double>.self, [("10", "10", ""), ("\"10\"", "absent", "dropped mistyped")])
        try check(Exact<String>.self, [("\"10\"", "\"10\"", ""), ("10", "absent", "dropped mistyped")])
        try check(
            Exact<UnixSeconds>.self,
            [("10", "10", ""), ("\"2017-11-06T10:34:37Z\"", "absent", "dropped mistyped")])
        try check(Exact<Bool>.self, [("true", "true", ""), ("1", "absent", "dropped mistyped")])
    }

    private enum Colour: String, Sendable, CaseIterable {
        case red
        case darkBlue = "dark-blue"
    }

    @Test("An unlisted value of an open enumeration is kept and reported")
    func openEnumerations() throws {
        try check(
            Lenient<OpenEnum<Colour>>.self,
            [
                ("\"red\"", "\"red\"", ""), ("\"dark-blue\"", "\"dark-blue\"", ""),
                ("\"Red\"", "\"Red\"", "unrecognized unknownValue"), ("\"none\"", "absent", "defaulted sentinel"),
                ("[]", "absent", "dropped mistyped"), ("null", "absent", ""),
            ])
        #expect(OpenEnum<Colour>("dark-blue") == .known(.darkBlue))
        #expect(OpenEnum<Colour>("green") == .unknown("green"))
        #expect(OpenEnum<Colour>("green").rawValue == "green")
    }

    private struct Ranged: Record {
        var value: Double?, count: Int?, share = 0.0
        static let schema = Schema<Ranged>(.absent(-999)) {
            Field(\.value, .plausible(0...1))
            Field(\.count, .plausible(1...200))
            Field(\.share, .plausible(-0.5...2.25), .defaulted)
        }
    }

    @Test("A number outside the plausible range is absent; the bounds are inside")
    func plausibleRanges() throws {
        let border = #"{"value":1,"count":200,"share":-0.5}"#
        #expect(try outcome(Ranged.self, border) == Outcome(document: border))
        #expect(
            try outcome(Ranged.self, #"{"value":1.01,"count":"0","share":3}"#)
                == Outcome(
                    document: #"{"share":0}"#,
                    drift: [
                        "dropped value implausible 1 value", "dropped count implausible 1 count",
                        "dropped share implausible 1 share",
                    ]))
        #expect(
            try outcome(Ranged.self, #"{"value":-999,"share":1}"#)
                == Outcome(document: #"{"share":1}"#, drift: ["defaulted value sentinel 1 value"]))
    }

    @Test("Times compare by their seconds")
    func orderOfTimes() { #expect([UnixSeconds(2), UnixSeconds(-1)].min() == UnixSeconds(-1)) }
}
