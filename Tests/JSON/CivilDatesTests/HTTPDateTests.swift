import CivilDates
import Testing

@Suite("HTTP dates")
struct HTTPDateTests {
    static let rows: [(seconds: Int, text: String)] = [
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
        (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (951_868_800, "Wed, 01 Mar 2000 00:00:00 GMT"),
        (1_709_251_199, "Thu, 29 Feb 2024 23:59:59 GMT"), (1_735_689_599, "Tue, 31 Dec 2024 23:59:59 GMT"),
        (-1, "Wed, 31 Dec 1969 23:59:59 GMT"), (-86_400, "Wed, 31 Dec 1969 00:00:00 GMT"),
        (-2_203_891_200, "Thu, 01 Mar 1900 00:00:00 GMT"), (-2_203_977_600, "Wed, 28 Feb 1900 00:00:00 GMT"),
        (2_147_483_648, "Tue, 19 Jan 2038 03:14:08 GMT"), (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
        (-62_167_219_200, "Sat, 01 Jan 0000 00:00:00 GMT"), (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
    ]

    @Test("Seconds are written as an IMF-fixdate and read back", arguments: rows)
    func fixdate(seconds: Int, date: String) {
        #expect(text(HTTPDate.format(secondsSinceEpoch: seconds)) == date)
        #expect(HTTPDate.parse(date) == seconds)
    }

    @Test("Every ten-thousandth minute of five centuries is read back")
    func roundTrip() {
        for seconds in stride(from: -5_000_000_000, through: 12_000_000_000, by: 600_061) {
            let date = text(HTTPDate.format(secondsSinceEpoch: seconds))
            #expect(HTTPDate.parse(date) == seconds)
        }
    }

    @Test("Seconds outside the years 0 to 9999 are clamped", arguments: [Int.min, Int.max])
    func clamped(seconds: Int) {
        let expected = seconds < 0 ? "Sat, 01 Jan 0000 00:00:00 GMT" : "Fri, 31 Dec 9999 23:59:59 GMT"
        #expect(text(HTTPDate.format(secondsSinceEpoch: seconds)) == expected)
    }

    static let otherRows: [(text: String, seconds: Int?)] = [
        ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777), ("Sun Nov  6 08:49:37 1994", 784_111_777),
        ("Wed Nov 16 08:49:37 1994", 784_975_777), ("Sun, 06 Nov 1994 08:49:37 +0000", 784_111_777),
        ("Sunday, 06-Nov-94 08:49:37 +0000", 784_111_777), ("Thursday, 18-Aug-50 02:01:18 GMT", 2_544_400_878),
        ("Thursday, 01-Jan-70 00:00:00 GMT", 0), ("SUN, 06 nov 1994 08:49:37 gmt", 784_111_777),
        ("Mon, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sun, 06 Nov 1994 08:49:37 UTC", 784_111_777),
        ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800),
        // Not HTTP dates.
        ("", nil), ("0", nil), ("foo", nil), ("Sun, 06 Nov 1994 08:49:37", nil),
        ("Sun, 06 Nov 1994 08:49:37 UTCx", nil),
        ("Sun, 06 Nov 1994 08:49:37 AEST", nil), ("Sun, 06 Nov 1994 08:49:37 +0100", nil),
        ("Sun, 06 Nov 94 08:49:37 GMT", nil), ("Sun 06 Nov 1994 08:49:37 GMT", nil),
        ("Sun, 06  Nov  1994 08:49:37 GMT", nil), ("Sun, 06-Nov-1994 08:49:37 GMT", nil),
        ("Sun, 06 Nov 1994 08.49.37 GMT", nil), ("Sun, 06 Nov 1994 8:49:37 GMT", nil),
        ("Sun, 6 Nov 1994 08:49:37 GMT", nil),
        ("Sun, 06 Nov 1994 24:00:00 GMT", nil), ("Sun, 06 Nov 1994 08:60:37 GMT", nil),
        ("Sun, 06 Nov 1994 08:49:61 GMT", nil),
        ("Sun, 31 Nov 1994 08:49:37 GMT", nil), ("Sun, 00 Nov 1994 08:49:37 GMT", nil),
        ("Wed, 29 Feb 1900 00:00:00 GMT", nil),
        ("Thu, 29 Feb 2023 00:00:00 GMT", nil), ("Xun, 06 Nov 1994 08:49:37 GMT", nil),
        ("Sun, 06 Foo 1994 08:49:37 GMT", nil),
        ("Sun, 06 Nov 1994 08:49:37 GMTx", nil), (" Sun, 06 Nov 1994 08:49:37 GMT", nil),
        ("Sun, 06 Nov 19\u{E9}4", nil),
        ("Sun Nov 6 08:49:37 1994", nil), ("Sun Nov  6 08:49:37 94", nil), ("Sun Nov  6 08:49:37 1994 GMT", nil),
    ]

    @Test("The obsolete forms are read; any other form is refused", arguments: otherRows)
    func otherForms(text: String, seconds: Int?) {
        #expect(HTTPDate.parse(text) == seconds)
    }

    static let yearRows: [(now: String, year: String, full: String)] = [
        ("Thu, 01 Jan 2026 00:00:00 GMT", "76", "2076"), ("Thu, 01 Jan 2026 00:00:00 GMT", "77", "1977"),
        ("Thu, 01 Jan 2026 00:00:00 GMT", "26", "2026"), ("Thu, 01 Jan 1970 00:00:00 GMT", "20", "2020"),
        ("Thu, 01 Jan 1970 00:00:00 GMT", "21", "1921"),
    ]

    @Test("A year of two digits is at most 50 years in the future", arguments: yearRows)
    func twoDigitYears(now: String, year: String, full: String) {
        let now = HTTPDate.parse(now)
        #expect(
            HTTPDate.parse("Sunday, 06-Nov-\(year) 08:49:37 GMT", relativeTo: now)
                == HTTPDate.parse("Sun, 06 Nov \(full) 08:49:37 GMT"))
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
