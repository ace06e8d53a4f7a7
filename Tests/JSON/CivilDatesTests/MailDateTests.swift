import CivilDates
import Testing

@Suite("Mail dates")
struct MailDateTests {
    @Test(
        "Dates of RFC 822 and RFC 5322 are read",
        arguments: [
            ("Wed, 27 Aug 2008 13:08:45 +0000", 1_219_842_525), ("27 Aug 2008 15:08:45 +0200", 1_219_842_525),
            ("Wed, 27 Aug 08 13:08:45 GMT", 1_219_842_525), ("Wed, 27 Aug 2008 13:08 UT", 1_219_842_480),
            ("Wed, 27 Aug 2008 08:08:45 EST", 1_219_842_525), ("Wed, 27 Aug 2008 09:08:45 edt", 1_219_842_525),
            ("Wed, 27 Aug 2008 07:08:45 CST", 1_219_842_525), ("Wed, 27 Aug 2008 08:08:45 CDT", 1_219_842_525),
            ("Wed, 27 Aug 2008 06:08:45 MST", 1_219_842_525), ("Wed, 27 Aug 2008 07:08:45 MDT", 1_219_842_525),
            ("Wed, 27 Aug 2008 05:08:45 PST", 1_219_842_525), ("Wed, 27 Aug 2008 06:08:45 PDT", 1_219_842_525),
            ("1 Jan 49 00:00:00 UTC", 2_493_072_000), ("1 Jan 50 00:00:00 UTC", -631_152_000),
            ("27 Aug 108 13:08:45 GMT", nil), ("27 Aug 8 13:08:45 GMT", nil), ("27 Aug 2008 13 GMT", nil),
            ("27 Aug 2008 13:08: GMT", nil), ("27 Aug 2008 13:08:45 CEST", nil), ("27 Aug 2008 13:08:45", nil),
            ("27 Aug 2008 13:08:45 ESTX", nil), ("", nil),
        ])
    func read(text: String, seconds: Int?) { #expect(MailDate.parse(text.utf8.span) == seconds) }
}
