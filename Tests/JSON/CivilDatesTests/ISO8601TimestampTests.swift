import CivilDates
import Testing

@Suite("ISO 8601 timestamps")
struct ISO8601TimestampTests {
    static let timestampRows: [(milliseconds: Int, text: String)] = [
        (0, "1970-01-01T00:00:00.000Z"), (1_767_323_045_678, "2026-01-02T03:04:05.678Z"),
        (-1, "1969-12-31T23:59:59.999Z"), (951_782_400_007, "2000-02-29T00:00:00.007Z"),
        (-1000, "1969-12-31T23:59:59.000Z"),
    ]

    @Test("Milliseconds are written with three decimals", arguments: timestampRows)
    func timestamps(milliseconds: Int, text: String) {
        #expect(ISO8601Timestamp.format(millisecondsSinceEpoch: milliseconds) == text)
    }

    @Test("Milliseconds outside the years 0 to 9999 are clamped", arguments: [Int.min, Int.max])
    func clampedTimestamps(milliseconds: Int) {
        #expect(ISO8601Timestamp.format(millisecondsSinceEpoch: milliseconds).utf8.count == 24)
    }

    @Test(
        "Only a text with a zone has an offset",
        arguments: [
            ("2016-03-28", nil), ("2016-03-28T14:39:13", nil), ("2016-03-28T14:39Z", 0),
            ("2016-03-28T14:39:13.5-05:30", -19_800), ("2016-03-28 14:39:13+02", 7200),
        ])
    func offset(text: String, offset: Int?) {
        let timestamp = ISO8601Timestamp(text.utf8.span)
        #expect(timestamp?.instant != nil)
        #expect(timestamp?.offset == offset)
    }
}
