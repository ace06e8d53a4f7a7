import TestSupport
import Testing

@testable import Gateway

struct SampleDocumentTests {
    private static func rewrite(
        _ text: String, clock: Int = 1000, now: Int, steps: [String: Int] = [:], times: [String] = [],
        values: [String: String] = [:]
    ) throws -> String {
        let document = SampleDocument(bytes: Array(text.utf8), clock: clock, steps: steps, times: times)
        return String(decoding: try document.rewritten(now: now, values: values), as: UTF8.self)
    }

    /// A document, and the same document 100 seconds after it was written.
    @Test(arguments: [
        (#"{"a":{"time":1000}}"#, #"{"a":{"time":1100}}"#),
        (#"{"a":[{"sunriseTime":900},{"expires":5}]}"#, #"{"a":[{"sunriseTime":1000},{"expires":105}]}"#),
        (#"{"a":{"time":-999,"expires":0}}"#, #"{"a":{"time":-999,"expires":0}}"#),
        (#"{"a":{"time":"1000","expires":null}}"#, #"{"a":{"time":"1000","expires":null}}"#),
        (#"{"a":{"time":1000.5,"timezone":7,"Time":5}}"#, #"{"a":{"time":1000.5,"timezone":7,"Time":105}}"#),
        (#"{"a":{"times":[1000],"time":{"time":1}}}"#, #"{"a":{"times":[1000],"time":{"time":101}}}"#),
        (
            #"{"a":{"time":[1000,null,-1,"1",1000.5],"sunset":[[5]]}}"#,
            #"{"a":{"time":[1100,null,-1,"1",1000.5],"sunset":[[105]]}}"#
        ),
        (
            #"{"a":{"time":[{"b":1000,"expires":1}],"temperature":[1000]}}"#,
            #"{"a":{"time":[{"b":1000,"expires":101}],"temperature":[1000]}}"#
        ),
        (
            #"{"a":{"asOf":"1970-01-01T00:16:40Z","sunriseCivil":"1969-12-31T23:59:59Z","forecastStart":"soon"}}"#,
            #"{"a":{"asOf":"1970-01-01T00:18:20Z","sunriseCivil":"1970-01-01T00:01:39Z","forecastStart":"soon"}}"#
        ),
        (#"{"a":{"date":"1970-01-01T00:16:40Z"}}"#, #"{"a":{"date":"1970-01-01T00:16:40Z"}}"#),
        (#"{"a":{"metadata":{"readTime":1000},"b":[1]}}"#, #"{"a":{"metadata":{"readTime":1100},"b":[1]}}"#),
        (#"{"a":10.0,"b":1e3,"c":-0,"d":0.10}"#, #"{"a":10.0,"b":1e3,"c":-0,"d":0.10}"#),
        (#"{"a":"\u00e9\/\n","\u0062":[],"c":{}}"#, #"{"a":"\u00e9\/\n","\u0062":[],"c":{}}"#),
        (#"{"a":12345678901234567890,"a":[true,false,null]}"#, #"{"a":12345678901234567890,"a":[true,false,null]}"#),
        ("{ \"a\" :\t[ 1 , 2 ]\n}", #"{"a":[1,2]}"#),
        (#"{"latitude":1.5,"longitude":"x"}"#, #"{"latitude":1.5,"longitude":"x"}"#),
    ])
    func onlyTimesChange(_ before: String, _ after: String) throws {
        #expect(try Self.rewrite(before, now: 1100) == after)
    }

    /// A value of the member `dt`, and the same value two days later.
    @Test(arguments: [
        ("1000", "173800"), (#""1970-01-01""#, #""1970-01-03""#), (#""1999-12-31""#, #""2000-01-02""#),
        (#""2026-02-27T06:00:00""#, #""2026-03-01T06:00:00""#),
        (#""2026-02-27T23:30:00-08:00""#, #""2026-03-01T23:30:00-08:00""#),
        (#""2026-02-27T06:00:00.250Z""#, #""2026-03-01T06:00:00.250Z""#),
        (#""06:00:00""#, #""06:00:00""#), (#""2026-02-27T06:00Z""#, #""2026-02-27T06:00Z""#),
        (#""2026-02-27 06:00:00""#, #""2026-02-27 06:00:00""#), (#""2026-02-27:06""#, #""2026-02-27:06""#),
    ])
    func namedTimesKeepTheirForms(_ before: String, _ after: String) throws {
        let moved = try Self.rewrite(#"{"dt":\#(before),"a":[{"dt":\#(before)}]}"#, now: 173_800, times: ["dt"])
        #expect(moved == #"{"dt":\#(after),"a":[{"dt":\#(after)}]}"#)
        let same = #"{"a":[{"dt":\#(before)}]}"#
        #expect(try Self.rewrite(same, now: 173_800) == same)
    }

    @Test("Dates and local times move to the day of the zone, also over a change of the clock")
    func localDates() throws {
        // From 2026-01-01 at 10:00 in Los Angeles to 2026-07-01 at 0:30.
        let zone = #"{"timezone":"America/Los_Angeles","#
        let days = #""days":[{"date":"2026-01-01","from":"2026-01-01T06:00:00"},{"date":"2026-01-02"}]}"#
        let moved = try Self.rewrite(
            zone + days, clock: 1_767_290_437, now: 1_782_891_000, steps: ["days": 86_400], times: ["date", "from"])
        #expect(moved == zone + days.replacing("2026-01-01", with: "2026-07-01").replacing("01-02", with: "07-02"))
    }

    @Test func aPartOfAMemberHasItsOwnStep() throws {
        let text = #"{"a":{"hours":[{"time":7200}],"minutes":[{"time":7200}]}}"#
        let moved = try Self.rewrite(text, now: 4725, steps: ["a": 3600, "a.minutes": 60])
        #expect(moved == #"{"a":{"hours":[{"time":10800}],"minutes":[{"time":10920}]}}"#)
    }

    @Test func withoutAClockNoTimeChanges() throws {
        let text = #"{"a":{"time":1000}}"#
        let document = SampleDocument(bytes: Array(text.utf8), clock: nil, steps: [:])
        #expect(String(decoding: try document.rewritten(now: 5000, values: [:]), as: UTF8.self) == text)
    }

    @Test(arguments: [(1000, 7200), (4599, 7200), (4600, 10_800), (999, 7200), (-2600, 3600), (90_000, 93_600)])
    func timesChangeByWholeSteps(_ now: Int, _ time: Int) throws {
        let text = #"{"hourly":{"data":[{"time":7200}]},"currently":{"time":1000}}"#
        let expected = #"{"hourly":{"data":[{"time":\#(time)}]},"currently":{"time":\#(now)}}"#
        #expect(try Self.rewrite(text, now: now, steps: ["hourly": 3600]) == expected)
    }

    /// The midnights of two days, written on 2026-01-01 at 10:00 in Los Angeles, at another time.
    @Test(arguments: [
        // The next day at 1:00, and the day itself at 23:00.
        (1_767_344_400, 1_767_340_800, 1_767_427_200, -8), (1_767_337_200, 1_767_254_400, 1_767_340_800, -8),
        // In summer at 0:30, on the day on which clocks change, the day before in the year before, and in the past.
        (1_782_891_000, 1_782_889_200, 1_782_975_600, -7), (1_772_992_800, 1_772_956_800, 1_773_039_600, -7),
        (1_762_063_200, 1_761_980_400, 1_762_066_800, -7), (1_508_630_400, 1_508_569_200, 1_508_655_600, -7),
    ])
    func daysStartAtTheMidnightsOfTheZone(_ now: Int, _ today: Int, _ tomorrow: Int, _ offset: Int) throws {
        func document(_ times: (Int, Int), _ offset: Int) -> String {
            #"{"timezone":"America/Los_Angeles","offset":\#(offset),"daily":{"data":[{"time":\#(times.0)},"#
                + #"{"time":\#(times.1)}]}}"#
        }
        let text = document((1_767_254_400, 1_767_340_800), -8)
        let moved = try Self.rewrite(text, clock: 1_767_290_437, now: now, steps: ["daily": 86_400])
        #expect(moved == document((today, tomorrow), offset))
    }

    @Test func aDayThatDoesNotMoveKeepsAnHourThatClocksShowTwice() throws {
        // The second 1:30 of 2026-11-01 in Los Angeles.
        let text = #"{"timezone":"America/Los_Angeles","daily":{"time":[1793525400]}}"#
        #expect(try Self.rewrite(text, clock: 1_793_520_000, now: 1_793_540_000, steps: ["daily": 86_400]) == text)
    }

    @Test func theDaysOfAFixedOffsetMoveByIt() throws {
        let zone = #"{"timezone":"America/Los_Angeles","utc_offset_seconds":-28800,"#
        let text = zone + #""daily":{"time":[1767254400]}}"#
        let moved = try Self.rewrite(text, clock: 1_767_254_400, now: 1_782_891_000, steps: ["daily": 86_400])
        #expect(moved == zone + #""daily":{"time":[1782806400]}}"#)
    }

    @Test func thePlaceIsTheOneAskedFor() throws {
        let text = #"{"latitude":1.5,"longitude":2,"place":{"latitude":1.5,"metadata":{"latitude":1}},"name":"x"}"#
        let expected =
            #"{"latitude":-7.50,"longitude":0,"place":{"latitude":1.5,"metadata":{"latitude":-7.50}},"name":"x"}"#
        let values = ["latitude": "-7.50", "longitude": "0", "name": "5", "other": "6"]
        #expect(try Self.rewrite(text, now: 1000, values: values) == expected)
    }

    @Test(arguments: [
        (#"{"lat":5,"lon":6}"#, #"{"lat":1.5,"lon":-2}"#),
        (#"{"a":[{"lat":5,"lon":"6"}]}"#, #"{"a":[{"lat":1.5,"lon":"6"}]}"#),
        (#"{"a":{"coordinates":[5,6,70]}}"#, #"{"a":{"coordinates":[-2,1.5,70]}}"#),
        (#"{"a":{"coordinates":[[5,6],[7,8]]}}"#, #"{"a":{"coordinates":[[5,6],[7,8]]}}"#),
    ])
    func shortNamesAndPositionsAreThePlace(_ before: String, _ after: String) throws {
        #expect(try Self.rewrite(before, now: 1000, values: ["latitude": "1.5", "longitude": "-2"]) == after)
        #expect(try Self.rewrite(before, now: 1000) == before)
    }

    @Test(arguments: [
        ("1508630400", "Europe/Berlin", 1_508_630_400), ("2017-10-22T00:00:00", "Europe/Berlin", 1_508_623_200),
        ("2017-01-22T00:00:00", "Europe/Berlin", 1_485_039_600), ("2017-10-22", "Europe/Berlin", 1_508_623_200),
        ("2017-10-22T00:00:00Z", "Europe/Berlin", 1_508_630_400), ("2017-10-22T00:00:00", "Nowhere", 1_508_630_400),
        ("yesterday", "Europe/Berlin", nil),
    ])
    func aTimeWithoutAZoneIsTheLocalTimeOfThePlace(_ text: String, _ zone: String, _ moment: Int?) {
        let document = SampleDocument(bytes: Array(#"{"timezone":"\#(zone)"}"#.utf8), clock: 0, steps: [:])
        #expect(document.moment(text) == moment)
    }

    @Test func theDemoSampleKeepsItsErrors() throws {
        let text = String(decoding: try Checkout.forecast(), as: UTF8.self)
        let written = 1_767_290_437
        let same = try Self.rewrite(text, clock: written, now: written)
        let later = try Self.rewrite(text, clock: written, now: written + 86_400 * 30)
        #expect(same.utf8.count == later.utf8.count)
        for untidy in [#""nearestStormBearing":-999"#, #""pressure":"1016.3""#, #""gap""#, #""temperature":"n/a""#] {
            #expect(same.contains(untidy))
            #expect(later.contains(untidy))
        }
        let (before, after) = (try Parsed(text).leaves(), try Parsed(later).leaves())
        #expect(before.count == after.count)
        let values = Dictionary(uniqueKeysWithValues: after.map { ($0.path, $0.value) })
        for (path, value) in before {
            let other = try #require(values[path])
            let isTime = path.hasSuffix("time") || path.hasSuffix("expires") || path.hasSuffix("Time")
            if isTime, let time = value.number, time > 0 {
                #expect(other.number == time + 86_400 * 30, "\(path)")
            } else {
                #expect(other.number == value.number && other.string == value.string, "\(path)")
            }
        }
    }
}
