import HTTPCore
import Testing

@testable import Proxy

struct RateLimitTests {
    /// 2026-01-01T00:00:00Z.
    private static let clock = 1_767_225_600

    private static func read(
        _ limit: String? = nil, _ remaining: String? = nil, _ reset: String? = nil, retryAfter: String? = nil
    ) -> RateLimit {
        let fields = [
            ("RateLimit-Limit", limit), ("RateLimit-Remaining", remaining), ("RateLimit-Reset", reset),
            ("Retry-After", retryAfter),
        ]
        return RateLimit(HeaderFields(fields.compactMap { name, value in value.map { (name, $0) } }), now: clock)
    }

    @Test(
        arguments: [
            (
                ["x-rate-limit-limit": "900", "x-rate-limit-remaining": "0", "x-rate-limit-reset": "5"],
                [900, 0, 5]
            ),
            (
                ["X-RateLimit-Limit": "300", "X-RateLimit-Reset": "2026-01-01T18:00:37Z"],
                [300, nil, 64_837]
            ),
            (["Ratelimit-Remaining": "1", "RATELIMIT-RESET": "60"], [nil, 1, 60]),
            (["ratelimit-limit": "10", "x-ratelimit-remaining": "4"], [nil, 4, nil]), ([:], [nil, nil, nil]),
        ] as [([String: String], [Int?])])
    func theFieldsAreReadUnderTheirThreePrefixes(_ headers: [String: String], _ values: [Int?]) {
        let read = RateLimit(HeaderFields(headers.map { ($0.key, $0.value) }), now: Self.clock)
        #expect([read.limit, read.remaining, read.reset] == values)
    }

    @Test(
        arguments: [
            ("\(clock + 312)", 312), ("2026-01-01T00:05:12.000000Z", 312), ("2026-01-01T01:05:12+01:00", 312),
            ("312", 312), ("2026-01-01T00:05:11.2Z", 312), ("311.5", 312), ("86400", 86_400), ("1", 1),
            // Pirate Weather's month.
            ("86401", 86_401), ("1217931", 1_217_931), ("2678400", 2_678_400),
            ("\(clock + 86_400)", 86_400),
            // In the past, too far in the future, and not a time.
            ("\(clock)", nil), ("\(clock - 60)", nil), ("0", nil), ("2025-12-31T23:59:59Z", nil), ("-5", nil),
            ("\(clock + 86_401)", nil), ("2678401", nil), ("2026-01-03T00:00:00Z", nil), ("9999-12-31T23:59:59Z", nil),
            ("1970-01-01T00:05:00Z", nil), ("\(clock + 1_217_931)", nil),
            // In milliseconds, as at Linear.
            ("\((clock + 300) * 1000)", 300), ("\((clock + 300) * 1000 - 1)", 300), ("\((clock - 300) * 1000)", nil),
            ("\((clock + 86_401) * 1000)", nil), ("99999999999", nil), ("100000000000000", nil),
            ("99999999999999999999999999", nil), ("1e999", nil), ("nan", nil),
            ("soon", nil), ("", nil), ("5 5", nil), (" 5", 5), ("0x10", nil), (nil, nil),
        ] as [(String?, Int?)])
    func aResetIsReadInEveryForm(_ text: String?, _ seconds: Int?) {
        #expect(Self.read("900", "0", text).reset == seconds)
    }

    /// Further quotas, which count if they are used up, or if there is no other.
    @Test(
        arguments: [
            (
                ["x-rate-limit-": (900, 800, "300"), "x-app-limit-24hour-": (100, 0, "\(clock + 3600)")],
                [100, 0, 3600]
            ),
            (
                ["x-rate-limit-": (900, 800, "300"), "x-app-limit-24hour-": (100, 1, "\(clock + 3600)")],
                [900, 800, 300]
            ),
            (["x-user-limit-24hour-": (25, 0, "\(clock + 3600)")], [25, 0, 3600]),
            (["x-user-limit-24hour-": (25, 24, "\(clock + 3600)")], [25, 24, 3600]),
            (["x-rate-limit-": (900, 0, "300"), "x-user-limit-24hour-": (25, 0, "\(clock + 3600)")], [25, 0, 3600]),
            (["x-rate-limit-": (900, 0, "300"), "x-user-limit-24hour-": (25, 0, "200")], [900, 0, 300]),
            (["x-ratelimit-requests-": (500, 0, "2163603")], [500, 0, 2_163_603]),
            (["X-RateLimit-": (10, 9, "1"), "X-RateLimit-Requests-": (500, 0, "2163603")], [500, 0, 2_163_603]),
            (["X-RateLimit-Requests-": (1500, 0, "\((clock + 600) * 1000)")], [1500, 0, 600]),
            (["X-RateLimit-": (10, 9, "1"), "X-RateLimit-Requests-": (500, 501, "9")], [10, 9, 1]),
        ] as [([String: (Int, Int, String)], [Int])])
    func theQuotaThatIsUsedUpForTheLongestTimeCounts(_ quotas: [String: (Int, Int, String)], _ values: [Int]) {
        let fields = quotas.flatMap { name, quota in
            [("\(name)limit", "\(quota.0)"), ("\(name)remaining", "\(quota.1)"), ("\(name)reset", quota.2)]
        }
        let read = RateLimit(HeaderFields(fields), now: Self.clock)
        #expect([read.limit, read.remaining, read.reset] == values)
    }

    /// Dialects beside each other: one that says nothing of use hides no other.
    @Test(
        arguments: [
            (["X-RateLimit-Limit": "100", "RateLimit-Remaining": "0", "RateLimit-Reset": "50"], [nil, 0, 50]),
            (["X-RateLimit-Remaining": "abc", "RateLimit-Remaining": "0", "RateLimit-Reset": "50"], [nil, 0, 50]),
            (["X-RateLimit-Remaining": "7", "RateLimit": #""a";r=0;t=90"#], [nil, 0, 90]),
            (["X-Rate-Limit-Limit": "9", "X-App-Rate-Limit-Remaining": "3"], [nil, 3, nil]),
            (["X-Rate-Limit-Remaining": "4", "X-RateLimit-Remaining": "3"], [nil, 4, nil]),
        ] as [([String: String], [Int?])])
    func theFirstDialectThatSaysWhatRemainsCounts(_ headers: [String: String], _ values: [Int?]) {
        let read = RateLimit(HeaderFields(headers.map { ($0.key, $0.value) }), now: Self.clock)
        #expect([read.limit, read.remaining, read.reset] == values)
    }

    /// Beside the upstream's own Date, a moment can be as far away as a duration; here the two clocks differ by an hour.
    @Test(
        arguments: [
            ("\(clock + 3600 + 1_217_931)", 1_217_931), ("2026-02-01T01:00:00Z", 31 * 86_400),
            ("2026-02-01T01:00:01Z", nil), ("\((clock + 3600 + 1_217_931) * 1000)", 1_217_931), ("\(clock)", nil),
        ] as [(String, Int?)])
    func aMomentMayBeAMonthAwayFromDate(_ reset: String, _ seconds: Int?) {
        let fields = [
            ("Date", "Thu, 01 Jan 2026 01:00:00 GMT"), ("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", reset),
        ]
        #expect(RateLimit(HeaderFields(fields), now: Self.clock).reset == seconds)
    }

    /// Policies in the field of the IETF's drafts.
    @Test(
        arguments: [
            (#""minute";r=0;t=5, "day";r=90;t=7200"#, [10, 0, 5]),
            (#""minute";r=9;t=5, "day";r=0;t=7200"#, [99, 0, 7200]),
            (#""minute";r=0;t=5, "day";r=0;t=7200"#, [99, 0, 7200]),
            (#""day";r=0;t=7200, "minute";r=0;t=5"#, [99, 0, 7200]),
        ])
    func ofSeveralPoliciesTheOneWithTheLongestWaitCounts(_ field: String, _ values: [Int]) {
        let fields = [("RateLimit", field), ("RateLimit-Policy", #""minute";q=10;w=60, "day";q=99;w=86400"#)]
        let read = RateLimit(HeaderFields(fields), now: Self.clock)
        #expect([read.limit, read.remaining, read.reset] == values)
    }

    /// Seconds, as at Discord, which count before the moment.
    @Test(
        arguments: [
            ("30.5", nil, 31), ("30.5", "\(clock + 300)", 31), ("0.064", nil, 1), ("0", nil, nil), ("x", nil, nil),
            (nil, "\(clock + 300).123", 301),
        ] as [(String?, String?, Int?)])
    func aResetMayBeADurationInAFieldOfItsOwn(_ after: String?, _ reset: String?, _ seconds: Int?) {
        let fields = [("X-RateLimit-Reset-After", after), ("X-RateLimit-Reset", reset)]
        let read = RateLimit(
            HeaderFields(fields.compactMap { name, value in value.map { (name, $0) } }), now: Self.clock)
        #expect(read.reset == seconds)
    }

    @Test(
        arguments: [
            ("900", "0", 900, 0), ("900", "900", 900, 900), ("100, 100;w=60", "7", 100, 7), ("900", nil, 900, nil),
            (nil, "3", nil, 3), ("1000000000", "1", 1_000_000_000, 1),
            // Implausible values are nil.
            ("900", "901", nil, nil), ("-900", "0", nil, 0), ("900", "-1", 900, nil), ("0", "0", nil, 0),
            ("many", "none", nil, nil), ("9.5", "0.5", nil, nil), ("", "", nil, nil),
            ("99999999999999999999", "99999999999999999999", nil, nil),
        ] as [(String?, String?, Int?, Int?)])
    func implausibleCountsAreNil(
        _ limit: String?, _ remaining: String?, _ expectedLimit: Int?, _ expectedRemaining: Int?
    ) {
        let read = Self.read(limit, remaining)
        #expect(read.limit == expectedLimit)
        #expect(read.remaining == expectedRemaining)
    }

    @Test(
        arguments: [
            ("17", nil, 17), ("0", nil, 0), ("1209600", nil, 1_209_600), ("Thu, 01 Jan 2026 00:05:12 GMT", nil, 312),
            ("17", "300", 17), (nil, "300", 300), ("soon", "300", 300), ("-1", "300", 300),
            ("Wed, 31 Dec 2025 23:59:59 GMT", "300", 300), ("4294967296", nil, Int(UInt32.max)),
            ("99999999999999999999", nil, Int(UInt32.max)), ("Fri, 31 Dec 9999 23:59:59 GMT", nil, Int(UInt32.max)),
            ("+5", nil, nil), ("soon", "later", nil),
            (nil, nil, nil),
        ] as [(String?, String?, Int?)])
    func retryAfterComesFromTheFieldOrElseFromTheReset(_ sent: String?, _ reset: String?, _ seconds: Int?) {
        #expect(Self.read(nil, nil, reset, retryAfter: sent).retryAfter == seconds)
    }

    @Test(
        arguments: [
            (200, "0", "300", nil, 300), (404, "0", "300", nil, 300), (200, "1", "300", nil, nil),
            (200, nil, "300", nil, nil),
            (200, "0", nil, nil, nil), (200, "0", "300", "17", 300), (429, "0", "300", "17", 17),
            (429, nil, "300", nil, 300),
            // Another limit than the one of which 5 requests are left.
            (429, "5", "300", nil, nil),
            (429, "5", nil, "17", 17), (429, "0", nil, nil, nil), (503, nil, nil, "17", 17),
            (503, "5", "300", "17", 17), (503, "5", "300", nil, nil), (503, "0", "300", nil, 300),
            (503, nil, nil, "Thu, 01 Jan 2026 00:05:12 GMT", 312), (500, nil, nil, "17", nil),
            (200, "5", nil, "17", nil),
        ] as [(Int, String?, String?, String?, Int?)])
    func thePauseDependsOnTheStatusAndTheRemainingRequests(
        _ status: Int, _ remaining: String?, _ reset: String?, _ retryAfter: String?, _ seconds: Int?
    ) {
        #expect(Self.read("900", remaining, reset, retryAfter: retryAfter).pause(after: status) == seconds)
    }

    /// Only a quota that may be used up lasts longer than 15 minutes.
    @Test(
        arguments: [
            (17, nil, nil, 17), (900, nil, nil, 900), (901, nil, nil, 900), (Int(UInt32.max), nil, nil, 900),
            (1_217_931, "0", "1217931", 1_217_931), (1_217_931, nil, "1217931", 1_217_931),
            (1_217_932, "0", "1217931", 1_217_931), (17, "0", "1217931", 17), (800, "0", "300", 800),
            // Another limit than the one of the month.
            (1_217_931, "5", "1217931", 900), (901, "5", nil, 900),
        ] as [(Int, String?, String?, Int)])
    func aPauseIsLimitedTo15MinutesOrToTheReset(
        _ pause: Int, _ remaining: String?, _ reset: String?, _ seconds: Int
    ) {
        #expect(Self.read("20000", remaining, reset).limited(pause: pause) == seconds)
    }
}
