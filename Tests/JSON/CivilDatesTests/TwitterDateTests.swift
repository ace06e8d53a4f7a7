import CivilDates
import Testing

@Suite("Twitter dates")
struct TwitterDateTests {
    private static let format: FixedDateFormat = "EEE MMM dd HH:mm:ss Z yyyy"

    @Test(
        "The reader of Twitter dates agrees with their format",
        arguments: [
            ("Wed Aug 27 13:08:45 +0000 2008", 1_219_842_525), ("wed AUG 27 15:08:45 +0200 2008", 1_219_842_525),
            ("Thu Jan 01 00:00:00 +0000 1970", 0), ("Sat Dec 31 23:59:60 +0000 2016", 1_483_228_800),
            ("Wed Aug 27 13:08:45 Z 2008", 1_219_842_525), ("Wed Feb 30 13:08:45 +0000 2008", nil),
            ("Wed Aug 7 13:08:45 +0000 2008", nil), ("Wed Aug 27 13:08:45 2008", nil),
            ("Wed Aug 27 13:08:45 +0000 2008 ", nil), ("Wed Aug 27 24:08:45 +0000 2008", nil), ("Wed", nil), ("", nil),
        ])
    func agreement(text: String, seconds: Int?) {
        let direct = TwitterDate.parse(text.utf8.span), formatted = Self.format.parse(text.utf8.span)
        #expect(direct == seconds)
        #expect(formatted?.seconds == seconds)
    }

    @Test(
        "Nine decimals are written for any year",
        arguments: [(1.25, "1970-01-01 250000000"), (1e11 + 0.5, "5138-11-16 500000000")])
    func nineDecimals(seconds: Double, text: String) {
        let format: FixedDateFormat = "yyyy-MM-dd SSSSSSSSS"
        #expect(format.format(secondsSinceEpoch: seconds) == text)
    }
}
