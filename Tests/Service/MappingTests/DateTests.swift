import Mapping
import Records
import Testing

@Suite("Dates of configured answers")
struct DateTests {
    private typealias Case = (rules: JSONValue, value: String, expected: String)

    private static let readable: [(JSONValue, String, String)] = [
        ([:], #""2016-03-28T14:39:13Z""#, #""2016-03-28T14:39:13Z""#),
        ([:], #""2016-03-28T14:39:13+02:00""#, #""2016-03-28T12:39:13Z""#),
        ([:], #""2016-03-28 14:39:13.5 -0330""#, #""2016-03-28T18:09:13.500Z""#),
        ([:], #""2016-03-28T14:39:13.1234564""#, #""2016-03-28T14:39:13.123456Z""#),
        ([:], #""2016-12-31T23:59:59.9999999Z""#, #""2017-01-01T00:00:00Z""#),
        ([:], #""2016-12-31T23:59:60Z""#, #""2017-01-01T00:00:00Z""#),
        ([:], #"" 2016-03-28T14:39Z ""#, #""2016-03-28T14:39:00Z""#),
        ([:], #""2016-03-28""#, #""2016-03-28T00:00:00Z""#),
        ([:], #""20160328T143913Z""#, #""2016-03-28T14:39:13Z""#),
        ([:], #""20160328""#, #""2016-03-28T00:00:00Z""#),
        ([:], #""2016-03-28T14+01""#, #""2016-03-28T13:00:00Z""#),
        ([:], #""2016\u002d03-28T14:39:13Z""#, #""2016-03-28T14:39:13Z""#),
        (["writes": "unix"], #""2016-03-28T14:39:13.250Z""#, "1459175953.25"),
        (["writes": "unix"], #""1969-12-31T23:59:59.5Z""#, "-0.5"),
        (["writes": "unix"], #""9999-12-31T23:59:59.999999Z""#, "253402300799.999999"),
        (["reads": "unix"], "1459175953", #""2016-03-28T14:39:13Z""#),
        (["reads": "unix"], #""1459175953""#, #""2016-03-28T14:39:13Z""#),
        (["reads": "unix"], "1459175953.1234565", #""2016-03-28T14:39:13.123457Z""#),
        (["reads": "unix"], "1.459175953e9", #""2016-03-28T14:39:13Z""#),
        (["reads": "unix"], "-1.5", #""1969-12-31T23:59:58.500Z""#),
        (["reads": "unix"], "0", #""1970-01-01T00:00:00Z""#),
        (["reads": "unix", "writes": "unix"], "1459175953.10", "1459175953.1"),
        (["reads": "unixMilliseconds"], "1459175953123", #""2016-03-28T14:39:13.123Z""#),
        (["reads": "unixMilliseconds", "writes": "unix"], "1459175953123", "1459175953.123"),
        (["reads": "unixSeconds"], "1459175953.0", #""2016-03-28T14:39:13Z""#),
        (["reads": ["unixSeconds", "unixMilliseconds"]], "1459175953", #""2016-03-28T14:39:13Z""#),
        (["reads": "unixMicroseconds"], "1459175953123456", #""2016-03-28T14:39:13.123456Z""#),
        (["writes": "unixMilliseconds"], #""2016-03-28T14:39:13.1239Z""#, "1459175953123"),
        (["writes": "unixMilliseconds"], #""1969-12-31T23:59:59.9995Z""#, "-1"),
        (["writes": "unixSeconds"], #""2016-03-28T14:39:13.999Z""#, "1459175953"),
        (["writes": "unixSeconds"], #""1969-12-31T23:59:58.5Z""#, "-2"),
        (["reads": "/Date()/"], #""\/Date(1459175953123)\/""#, #""2016-03-28T14:39:13.123Z""#),
        (["reads": "/Date()/"], #""/Date(1459175953000+0200)/""#, #""2016-03-28T14:39:13Z""#),
        (["reads": "/Date()/"], #""/Date(-1500-0800)/""#, #""1969-12-31T23:59:58.500Z""#),
        (["reads": "dd/MM/yy"], #""28/03/16""#, #""2016-03-28T00:00:00Z""#),
        (["reads": "MM-dd-yy"], #""12-31-68""#, #""2068-12-31T00:00:00Z""#),
        (["reads": "MM-dd-yy"], #""01-01-69""#, #""1969-01-01T00:00:00Z""#),
        (["reads": "http"], #""Mon, 28 Mar 2016 14:39:13 GMT""#, #""2016-03-28T14:39:13Z""#),
        (["reads": "dd.MM.yyyy HH:mm"], #""28.03.2016 14:39""#, #""2016-03-28T14:39:00Z""#),
        (["reads": "yyyy-MM-dd'T'HH:mm:ss.SSS"], #""2016-03-28T14:39:13.045""#, #""2016-03-28T14:39:13.045Z""#),
        (["reads": "'on' yyyyMMdd"], #""on 20160328""#, #""2016-03-28T00:00:00Z""#),
        (["reads": ["unix", "dd.MM.yyyy", "iso8601"]], #""28.03.2016""#, #""2016-03-28T00:00:00Z""#),
        (["reads": ["unix", "dd.MM.yyyy", "iso8601"]], "1459175953", #""2016-03-28T14:39:13Z""#),
        (["reads": ["MM/dd/yyyy", "dd/MM/yyyy"]], #""03/04/2016""#, #""2016-03-04T00:00:00Z""#),
        (["zone": "Europe/Berlin"], #""2016-07-01T12:00:00""#, #""2016-07-01T10:00:00Z""#),
        (["zone": "Europe/Berlin"], #""2016-07-01T12:00:00Z""#, #""2016-07-01T12:00:00Z""#),
        (["zone": "America/New_York", "reads": "MM/dd/yyyy"], #""01/15/2016""#, #""2016-01-15T05:00:00Z""#),
        // A time that clocks skip, and one that they show twice: the offset from before the change counts.
        (["zone": "Europe/Berlin"], #""2016-03-27T02:30:00""#, #""2016-03-27T01:30:00Z""#),
        (["zone": "Europe/Berlin"], #""2016-10-30T02:30:00""#, #""2016-10-30T00:30:00Z""#),
        (["zone": "America/New_York"], #""2016-03-13T02:30:00""#, #""2016-03-13T07:30:00Z""#),
        (["zone": "America/New_York"], #""2016-11-06T01:30:00""#, #""2016-11-06T05:30:00Z""#),
        (["zone": "Asia/Kathmandu"], #""2016-01-01T00:00""#, #""2015-12-31T18:15:00Z""#),
        (["zone": "(z)"], #""2016-07-01T12:00:00", "z": "Asia/Tokyo""#, #""2016-07-01T03:00:00Z""#),
        (["format": "date"], #""2016-03-28""#, #""2016-03-28""#),
        (["format": "date", "zone": "Asia/Tokyo"], #""2016-03-28""#, #""2016-03-28""#),
        (["format": "date"], #""2016-03-28T23:30:00-02:00""#, #""2016-03-29""#),
        (["format": "date", "zone": "America/Los_Angeles"], #""2016-03-28T03:00:00Z""#, #""2016-03-27""#),
        (["format": "date", "zone": "Asia/Tokyo", "reads": "unix"], "1459175953", #""2016-03-28""#),
        (["format": "date", "zone": "Asia/Tokyo", "reads": "unix"], "1459180800", #""2016-03-29""#),
        (["format": "date", "reads": "dd.MM.yyyy"], #""01.02.2016""#, #""2016-02-01""#),
        (["format": "date", "zone": "(z)"], #""2016-03-28", "z": "Nowhere""#, #""2016-03-28""#),
    ]

    @Test("A date is read in its form and written in ISO 8601 or as unix seconds", arguments: readable)
    func read(rules: JSONValue, value: String, expected: String) throws {
        let applied = try AppliedRules(Self.dateTime(rules), "{\"v\": \(value)}")
        #expect(applied.text == expected)
        #expect(applied.drift == [])
    }

    private static let unreadable: [(JSONValue, String, String)] = [
        ([:], #""yesterday""#, "mistyped"), ([:], "1459175953", "mistyped"), ([:], #""1459175953""#, "mistyped"),
        ([:], #""2016-02-30T00:00:00Z""#, "mistyped"), ([:], #""2016-03""#, "mistyped"), ([:], #""""#, "mistyped"),
        ([:], "true", "mistyped"), ([:], "[]", "mistyped"), ([:], #""0000-01-01T00:00:00Z""#, "implausible"),
        ([:], #""0001-01-01T00:00:00+01:00""#, "implausible"),
        (["reads": "unix"], "1e999999999999", "implausible"), (["reads": "unix"], "253402300800", "implausible"),
        (["reads": "unix"], "-62135596801", "implausible"), (["reads": "unix"], #""soon""#, "mistyped"),
        (["reads": "unix"], "true", "mistyped"), (["reads": "http"], #""28 Mar 2016""#, "mistyped"),
        (["reads": "dd.MM.yyyy"], #""28.03.2016 ""#, "mistyped"), (["reads": "dd.MM.yyyy"], #""3.4.2016""#, "mistyped"),
        (["reads": "HH:mm"], #""14:39""#, "mistyped"), (["reads": "yyyy-MM"], #""2016-03""#, "mistyped"),
        (["reads": "unixSeconds"], "1459175953.5", "mistyped"), (["reads": "/Date()/"], #""Date(1)""#, "mistyped"),
        (["reads": "/Date()/"], #""/Date(1+02)/""#, "mistyped"), (["reads": "/Date()/"], #""/Date()/""#, "mistyped"),
        (["reads": "/Date()/"], #""/Date(99999999999999999999)/""#, "implausible"),
        (["reads": "dd/MM/yy"], #""28/03/2016""#, "mistyped"),
        (["zone": "(z)"], #""2016-07-01T12:00:00", "z": "Nowhere""#, "unknownValue"),
        (["zone": "(z)"], #""2016-07-01T12:00:00", "z": "../../etc/passwd""#, "unknownValue"),
        (["zone": "(z)"], #""2016-07-01T12:00:00", "z": null"#, "unknownValue"),
        (["zone": "(z)"], #""2016-07-01T12:00:00""#, "unknownValue"),
        (["zone": "Asia/Tokyo"], #""0001-01-01T00:00:00""#, "implausible"),
    ]

    @Test("A value that is no date is dropped with the reason", arguments: unreadable)
    func dropped(rules: JSONValue, value: String, reason: String) throws {
        let applied = try AppliedRules(Self.dateTime(rules), "{\"v\": \(value)}")
        #expect(applied.text == nil)
        #expect(applied.drift == ["dropped \(reason)"])
    }

    @Test("The client's form of dates wins over the configuration's, and days are always texts")
    func forms() throws {
        let value = #"{"v": "2016-03-28T14:39:13Z"}"#
        for writes: JSONValue in [[:], ["writes": "unix"], ["writes": "iso8601"]] {
            let rules = Self.dateTime(writes)
            #expect(try AppliedRules(rules, value, dates: .unix).text == "1459175953")
            #expect(try AppliedRules(rules, value, dates: .iso8601).text == #""2016-03-28T14:39:13Z""#)
        }
        #expect(try AppliedRules(["format": "date"], value, dates: .unix).text == #""2016-03-28""#)
        for (rules, hasDates) in [(["format": "date-time"], true), (["format": "date"], false), ([:], false)]
            as [(JSONValue, Bool)]
        {
            #expect(ScalarRules(rules, at: "", variables: []) { _, _ in }.hasDates == hasDates)
        }
    }

    @Test("A text of a megabyte is no date")
    func hostile() throws {
        let text = String(repeating: "2016-03-28 ", count: 100_000)
        for reads: JSONValue in ["iso8601", "unix", "http", "yyyy-MM-dd"] {
            let rules: JSONValue = ["format": "date-time", "reads": reads]
            #expect(try AppliedRules(rules, "{\"v\": \"\(text)\"}").drift == ["dropped mistyped"])
        }
        let digits = String(repeating: "1", count: 1_000_000)
        let fraction = try AppliedRules(["format": "date-time", "reads": "unix"], "{\"v\": 0.\(digits)}")
        #expect(fraction.text == #""1970-01-01T00:00:00.111111Z""#)
    }

    /// The rules, with `date-time` unless they have another format.
    private static func dateTime(_ rules: JSONValue) -> JSONValue {
        var rules = rules
        rules["format"] = rules["format"] ?? "date-time"
        return rules
    }
}
