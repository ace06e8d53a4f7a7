import Foundation
import LenientCoding
import Testing

@Suite("Dates")
struct DateTests {
    @Test(
        "ISO 8601 is read with any fraction and zone",
        arguments: [
            ("2016-03-28T14:39:13Z", 1_459_175_953.0), ("2016-03-28T14:39:13+00:00", 1_459_175_953),
            ("2016-03-28T16:39:13+02:00", 1_459_175_953), ("2016-03-28T16:39:13+0200", 1_459_175_953),
            ("2016-03-28T16:39:13+02", 1_459_175_953), ("2016-03-28T09:09:13-05:30", 1_459_175_953),
            ("2016-03-28t14:39:13z", 1_459_175_953), ("2016-03-28 14:39:13Z", 1_459_175_953),
            ("2016-03-28T14:39:13.5Z", 1_459_175_953.5), ("2016-03-28T14:39:13,25Z", 1_459_175_953.25),
            ("2016-03-28T14:39:13.123456789123456789Z", 1_459_175_953.123456789),
            ("2016-03-28T14:39:13", 1_459_175_953), ("2016-03-28T14:39Z", 1_459_175_940),
            ("2016-03-28", 1_459_123_200), ("1970-01-01T00:00:00Z", 0), ("1969-12-31T23:59:59Z", -1),
            ("2016-12-31T23:59:60Z", 1_483_228_800), ("2000-02-29", 951_782_400), ("0000-01-01", -62_167_219_200),
            ("9999-12-31T23:59:59Z", 253_402_300_799),
        ])
    func iso8601(text: String, seconds: Double) throws {
        let date = try #require(ISO8601.date(from: text))
        #expect(abs(date.timeIntervalSince1970 - seconds) < 1e-6)
    }

    @Test(
        "A text that is not an ISO 8601 date is refused",
        arguments: [
            "", "2016", "2016-3-28", "2016-13-01", "2016-00-01", "2016-02-30", "2015-02-29", "1900-02-29", "2016-04-31",
            "2016-03-28T", "2016-03-28T24:00:00Z", "2016-03-28T14:60:00Z", "2016-03-28T14:39:61Z",
            "2016-03-28T14:39:13.Z", "2016-03-28T14:39:13+2", "2016-03-28T14:39:13+24:00", "2016-03-28T14:39:13+02:60",
            "2016-03-28T14:39:13+02:", "2016-03-28T14:39:13Zz", " 2016-03-28", "2016-03-28 ", "+2016-03-28",
            "٢٠١٦-03-28",
            "12016-03-28",
        ])
    func notISO8601(text: String) { #expect(ISO8601.date(from: text) == nil) }

    @Test(
        "ISO 8601 is written in UTC with three or six decimals, or none",
        arguments: [
            (1_459_175_953.0, "2016-03-28T14:39:13Z"), (1_459_175_953.25, "2016-03-28T14:39:13.250Z"),
            (1_459_175_953.000001, "2016-03-28T14:39:13.000001Z"), (-0.5, "1969-12-31T23:59:59.500Z"),
            (0, "1970-01-01T00:00:00Z"), (-62_167_219_200, "0000-01-01T00:00:00Z"),
            (253_402_300_799, "9999-12-31T23:59:59Z"),
        ])
    func iso8601Text(seconds: Double, text: String) {
        #expect(ISO8601.string(from: Date(timeIntervalSince1970: seconds)) == text)
    }

    @Test(
        "A date outside the years 0000 to 9999 has no text",
        arguments: [253_402_300_800, -62_167_219_200.5, 253_402_300_799.9999999, .infinity, -.infinity, .nan, 1e300])
    func noText(seconds: Double) {
        #expect(ISO8601.string(from: Date(timeIntervalSince1970: seconds)) == nil)
    }

    @Test("Days of every month from 1600 to 2400 read back unchanged")
    func everyMonth() throws {
        let format: FixedDateFormat = "EEEE, d MMMM yyyy"
        var day = try #require(ISO8601.date(from: "1600-01-01"))
        while day.timeIntervalSince1970 < 13_569_465_600 {
            let iso = try #require(ISO8601.string(from: day))
            let fixed = try #require(format.string(from: day))
            guard ISO8601.date(from: iso) == day, format.date(from: fixed) == day else {
                Issue.record("\(iso), \(fixed)")
                return
            }
            day.addTimeInterval(29 * 86400)
        }
        #expect(format.string(from: Date(timeIntervalSince1970: 13_569_465_600)) == "Saturday, 1 January 2400")
    }
}

@Suite("Fixed date formats")
struct FixedDateFormatTests {
    @Test(
        "A date is read by its pattern",
        arguments: [
            ("EEE MMM dd HH:mm:ss Z yyyy", "Mon Mar 28 14:39:13 +0000 2016"),
            ("eee MMM dd HH:mm:ss ZZZZ yyyy", "Mon Mar 28 14:39:13 +0000 2016"),
            ("EEE MMM dd HH:mm:ss Z yyyy", "mon MAR 28 10:39:13 -0400 2016"),
            ("EEEE, MMMM d, y 'at' h:mm:ss a X", "Monday, March 28, 2016 at 2:39:13 PM Z"),
            ("yyyyMMddHHmmss", "20160328143913"), ("yyyy-MM-dd'T'HH:mm:ssXXX", "2016-03-28T16:39:13+02:00"),
            ("yyyy-MM-dd''HH:mm:ss.SSS", "2016-03-28'14:39:13.000"), ("d.M.y H:m:s", "28.3.2016 14:39:13"),
            ("'o''clock 'HH:mm:ss, dd/MM/yyyy", "o'clock 14:39:13, 28/03/2016"),
            (
                "HH:mm:ss zu dd. MM. yyyy".replacingOccurrences(of: "zu", with: "'zu – für'"),
                "14:39:13 zu – für 28. 03. 2016"
            ),
            ("EEE, dd MMM yyyy HH:mm:ss ZZZZ", "Mon, 28 Mar 2016 14:39:13 GMT"),
        ])
    func read(pattern: String, text: String) throws {
        let date = try FixedDateFormat(pattern: pattern).date(from: text)
        #expect(date == Date(timeIntervalSince1970: 1_459_175_953))
    }

    @Test(
        "A date is written by its pattern, in UTC",
        arguments: [
            ("EEE MMM dd HH:mm:ss Z yyyy", "Mon Mar 28 14:39:13 +0000 2016"),
            ("EEEE d MMMM y h a ZZZZ", "Monday 28 March 2016 2 PM GMT+00:00"),
            ("yyyy-MM-dd HH:mm:ss.SSS", "2016-03-28 14:39:13.250"),
            ("yyyy-MM-dd'T'HH:mm:ssXXX", "2016-03-28T14:39:13Z"),
            ("yyyy-MM-dd x xx xxx ZZZZZ X", "2016-03-28 +00 +0000 +00:00 Z Z"),
            ("yyyy M d hh 'o''clock'", "2016 3 28 02 o'clock"),
        ])
    func written(pattern: String, text: String) throws {
        let format = try FixedDateFormat(pattern: pattern)
        #expect(format.string(from: Date(timeIntervalSince1970: 1_459_175_953.25)) == text)
    }

    @Test(
        "A text of another format is refused",
        arguments: [
            "", "Mon Mar 28 14:39:13 +0000", "Mon Mar 28 14:39:13 +0000 2016 ", "Mon Mar 28 14:39:13 2016",
            "Mit Mar 28 14:39:13 +0000 2016", "Mon Mär 28 14:39:13 +0000 2016", "Mon Mar 8 14:39:13 +0000 2016",
            "Mon Feb 30 14:39:13 +0000 2016", "Mon Mar 28 25:39:13 +0000 2016", "Mon Mar 28 14:39:13 +00 16",
            "Mon Mar 28 14:39:13 +9999 2016", "Mon Mar 28 14:39:13 +0000 99999",
        ])
    func refused(text: String) {
        let format: FixedDateFormat = "EEE MMM dd HH:mm:ss Z yyyy"
        #expect(format.date(from: text) == nil)
    }

    @Test("Hours of the 12-hour clock go from 12 to 11")
    func halfDays() throws {
        let format: FixedDateFormat = "yyyy-MM-dd h a"
        for (hour, text) in [(0, "12 AM"), (1, "1 AM"), (11, "11 AM"), (12, "12 PM"), (13, "1 PM"), (23, "11 PM")] {
            let date = Date(timeIntervalSince1970: Double(hour) * 3600)
            #expect(format.string(from: date) == "1970-01-01 \(text)")
            #expect(format.date(from: "1970-01-01 \(text)") == date)
        }
        #expect(format.date(from: "1970-01-01 0 AM") == nil)
        #expect(format.date(from: "1970-01-01 13 PM") == nil)
    }

    @Test(
        "An unsupported pattern is refused with its reason",
        arguments: [
            ("yyy-MM-dd", "The date pattern's field 'yyy' is not supported."),
            ("yyyy-MM-dd VV", "The date pattern's field 'VV' is not supported."),
            ("YYYY-MM-dd", "The date pattern's field 'YYYY' is not supported."),
            ("yyyy-MM-DD", "The date pattern's field 'DD' is not supported."),
            ("yyyy-MM-dd'T", "A text in the date pattern lacks its closing apostrophe."),
            ("HH:mm", "The date pattern needs a year, a month and a day."),
            ("", "The date pattern needs a year, a month and a day."),
            ("yyyy-MM-dd SSSSSSSSSS", "The date pattern's field 'SSSSSSSSSS' is not supported."),
        ])
    func invalidPattern(pattern: String, reason: String) {
        do {
            _ = try FixedDateFormat(pattern: pattern)
            Issue.record("\(pattern) was accepted")
        } catch {
            #expect(error.description == reason)
        }
    }
}
