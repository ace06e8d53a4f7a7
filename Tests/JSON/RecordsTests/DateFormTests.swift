import JSONText
import Records
import Testing

private struct Event: Record {
    var time: UnixSeconds?, list: [UnixSeconds]?, start = UnixSeconds(0)
    static let schema = Schema<Event>(.absent(-999), .absent("")) {
        Field(\.time)
        Field(\.list)
        Field(\.start, .defaulted)
    }
}

private func rewrite(_ document: String, _ dates: DateForm) throws -> String {
    var parser = JSONParser()
    return try parser.withDocument(Array(document.utf8)) { root in
        var style = WritingStyle()
        style.dates = dates
        var writer = JSONWriter()
        try Event.read(root).record.write(to: &writer, style: style)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

@Suite("Date forms")
struct DateFormTests {
    @Test(
        "A date is written in UTC and reads back as the same time",
        arguments: [
            ("0", "\"1970-01-01T00:00:00Z\""), ("1367841600", "\"2013-05-06T12:00:00Z\""),
            ("1367841600.25", "\"2013-05-06T12:00:00.250Z\""),
            ("1367841600.000125", "\"2013-05-06T12:00:00.000125Z\""), ("-1", "\"1969-12-31T23:59:59Z\""),
            ("-0.5", "\"1969-12-31T23:59:59.500Z\""), ("951782400", "\"2000-02-29T00:00:00Z\""),
            ("-62135596800", "\"0001-01-01T00:00:00Z\""), ("253402300799", "\"9999-12-31T23:59:59Z\""),
        ])
    func written(seconds: String, date: String) throws {
        let document = "{\"time\":\(seconds),\"list\":[\(seconds)],\"start\":\(seconds)}"
        let dated = "{\"time\":\(date),\"list\":[\(date)],\"start\":\(date)}"
        #expect(try rewrite(document, .unix) == document)
        #expect(try rewrite(document, .iso8601) == dated)
        #expect(try rewrite(dated, .iso8601) == dated)
        #expect(try rewrite(dated, .unix) == document)
    }

    @Test(
        "A time outside the years 0001 to 9999 is written as a number",
        arguments: ["-62135596801", "253402300800", "253402300799.9999999", "1e300", "-1e300"])
    func numbers(seconds: String) throws {
        let document = try rewrite("{\"time\":\(seconds)}", .unix)
        #expect(
            try rewrite(document, .iso8601)
                == document.replacing("\"start\":0", with: "\"start\":\"1970-01-01T00:00:00Z\""))
    }

    @Test(
        "A date with a time zone is read as its time and reported",
        arguments: [
            ("2013-05-06T12:00:00Z", "1367841600"), ("2013-05-06T14:00:00+02:00", "1367841600"),
            ("2013-05-06 07:30:00-0430", "1367841600"), ("2013-05-06t12:00z", "1367841600"),
            ("2013-05-06T12:00:00,5+00", "1367841600.5"),
        ])
    func read(text: String, seconds: String) throws {
        #expect(
            try outcome(Event.self, "{\"time\":\"\(text)\"}")
                == Outcome(document: "{\"time\":\(seconds),\"start\":0}", drift: ["coerced time dateText 1 time"]))
    }

    @Test(
        "A string that is not a date is dropped",
        arguments: [
            "2013-05-06", "2013-05-06T12:00:00", "2013-05-06T12:00:00 Z", "2013-02-30T12:00:00Z", "noon", "12:00:00Z",
            "2013-05-06T24:00:00Z", "2013-05-06T12:00:00+99:00", "02013-05-06T12:00:00Z",
        ])
    func unreadable(text: String) throws {
        #expect(
            try outcome(Event.self, "{\"time\":\"\(text)\"}")
                == Outcome(document: #"{"start":0}"#, drift: ["dropped time mistyped 1 time"]))
    }
}
