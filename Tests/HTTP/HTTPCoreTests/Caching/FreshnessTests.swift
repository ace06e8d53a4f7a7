import HTTPCore
import TestSupport
import Testing

struct FreshnessTests {
    /// Sun, 06 Nov 1994 08:49:37 GMT.
    private static let now = 784_111_777
    private static let date = ("Date", "Sun, 06 Nov 1994 08:49:37 GMT")

    private static func read(_ fields: (String, String)..., sent: Int? = nil, now: Int = now) -> Freshness {
        Freshness(HeaderFields(fields.map { (name: $0.0, value: $0.1) }), sent: sent, now: now)
    }

    @Test(
        arguments: [
            ("s-maxage=10, max-age=20", "Sun, 06 Nov 1994 08:50:37 GMT", 10),
            ("max-age=20", "Sun, 06 Nov 1994 08:50:37 GMT", 20),
            ("public", "Sun, 06 Nov 1994 08:50:37 GMT", 60), (nil, "Sun, 06 Nov 1994 08:50:37 GMT", 60),
            (nil, "Sun, 06 Nov 1994 08:50:37 +0000", 60), (nil, "Sun, 06 Nov 1994 08:50:37 UTC", 60),
            (nil, "Sunday, 06-Nov-94 08:50:37 GMT", 60), (nil, "Sun Nov  6 08:50:37 1994", 60),
            // In the past or malformed means stale, never unknown.
            (nil, "Sun, 06 Nov 1994 08:49:37 GMT", 0), (nil, "Tue, 31 Mar 1981 05:00:00 GMT", 0), (nil, "0", 0),
            (nil, "-1", 0),
            (nil, "", 0), (nil, "soon", 0), ("max-age=x", "Sun, 06 Nov 1994 08:50:37 GMT", 0),
            (nil, "Fri, 31 Dec 9999 23:59:59 GMT", CacheControl.longest),
            ("no-cache, max-age=20", nil, 0), ("no-cache", nil, 0), (nil, nil, nil), ("public", nil, nil),
        ] as [(String?, String?, Int?)])
    func theLifetimeIsThatOfTheStrongestField(_ control: String?, _ expires: String?, _ lifetime: Int?) {
        let fields = [("Cache-Control", control), ("Expires", expires), ("Date", Self.date.1)]
        let headers = HeaderFields(fields.compactMap { name, value in value.map { (name, $0) } })
        #expect(Freshness(headers, now: Self.now).lifetime == lifetime)
    }

    @Test func withoutADateExpiresCountsFromTheArrival() {
        #expect(Self.read(("Expires", "Sun, 06 Nov 1994 08:50:37 GMT")).lifetime == 60)
        #expect(Self.read(("Expires", "Sun, 06 Nov 1994 08:50:37 GMT"), ("Date", "now")).lifetime == 60)
        let two = Self.read(("Expires", "Sun, 06 Nov 1994 08:50:37 GMT"), ("Expires", "Sun, 06 Nov 1994 09:49:37 GMT"))
        #expect(two.lifetime == 60)
    }

    @Test(
        arguments: [
            (nil, nil, 0, 0), ("12", nil, 0, 12), (nil, nil, 3, 3), ("12", nil, 3, 15),
            // The response is as old as its Date says, if Age says less.
            ("12", "Sun, 06 Nov 1994 08:49:07 GMT", 3, 30), ("40", "Sun, 06 Nov 1994 08:49:07 GMT", 0, 40),
            // A clock that is ahead.
            (nil, "Sun, 06 Nov 1994 09:49:37 GMT", 0, 0), ("12", "Sun, 06 Nov 1994 09:49:37 GMT", 0, 12),
            // The first of several; malformed ones count as none.
            ("12, 40", nil, 0, 12), ("", nil, 0, 0), ("-5", nil, 0, 0), ("1.5", nil, 0, 0), ("x", nil, 0, 0),
            ("99999999999999999999", nil, 0, CacheControl.longest), (nil, "never", 0, 0),
            // Up to a minute more than Age and the transfer explain; beyond that, the clocks differ.
            (nil, "Sun, 06 Nov 1994 08:48:37 GMT", 0, 60), (nil, "Sun, 06 Nov 1994 08:48:36 GMT", 0, 0),
            ("12", "Sun, 06 Nov 1994 08:48:22 GMT", 3, 75), ("12", "Sun, 06 Nov 1994 08:48:21 GMT", 3, 15),
            (nil, "Sun, 06 Nov 1994 07:49:37 GMT", 3, 3), ("3600", "Sun, 06 Nov 1994 07:49:37 GMT", 0, 3600),
            (nil, "Thu, 01 Jan 1970 00:00:00 GMT", 0, 0),
        ] as [(String?, String?, Int, Int)])
    func theAgeCountsFromTheUpstream(_ sent: String?, _ date: String?, _ delay: Int, _ age: Int) {
        let fields = [("Age", sent), ("Date", date)]
        let headers = HeaderFields(fields.compactMap { name, value in value.map { (name, $0) } })
        #expect(Freshness(headers, sent: Self.now - delay, now: Self.now).age == age)
    }

    @Test(
        "A clock is compared with the nearest instant between request and response",
        arguments: [
            (nil, nil, nil), (nil, "never", nil), (nil, "Sun, 06 Nov 1994 08:49:37 GMT", 0),
            (nil, "Sun, 06 Nov 1994 08:49:27 GMT", 0), (nil, "Sun, 06 Nov 1994 08:49:26 GMT", -1),
            (nil, "Sun, 06 Nov 1994 08:49:39 GMT", 2), (nil, "Sun, 06 Nov 1994 07:49:27 GMT", -3600),
            ("3600", "Sun, 06 Nov 1994 07:49:27 GMT", 0), (nil, "Sun, 06 Nov 1994 09:49:37 GMT", 3600),
        ] as [(String?, String?, Int?)])
    func clockOffset(_ age: String?, _ date: String?, _ offset: Int?) {
        let fields = [("Age", age), ("Date", date)].compactMap { name, value in value.map { (name, $0) } }
        #expect(HeaderFields(fields).clockOffset(sent: Self.now - 10, now: Self.now) == offset)
    }

    @Test func aClockThatGoesBackBetweenRequestAndResponseAddsNoAge() {
        #expect(Self.read(("Cache-Control", "max-age=60"), sent: Self.now + 5).age == 0)
    }

    @Test func anyHeadHasNumbersWithinTheirBounds() {
        var random = SplitMix64(seed: 9111)
        let parts = [
            "Cache-Control: ", "Expires: ", "Date: ", "Age: ", "ETag: ", "Last-Modified: ", "Vary: ", "\n", "\r\n", " ",
            "\"",
            "max-age=", "s-maxage=", "stale-if-error=", "no-cache", ",", ";", "=", "-", "\\", "\0", "9", "0",
            "99999999999",
            "Sun, 06 Nov 1994 08:49:37 GMT", "Fri, 31 Dec 9999 23:59:59 GMT", "Sat, 01 Jan 0000 00:00:00 UTC", "W/",
            "*",
        ]
        for _ in 0..<20_000 {
            let count = Int.random(in: 1...24, using: &random)
            let text = (0..<count).compactMap { _ in parts.randomElement(using: &random) }.joined()
            let lines = text.split(whereSeparator: \.isNewline).map { $0.split(separator: ": ", maxSplits: 1) }
            let headers = HeaderFields(lines.filter { $0.count == 2 }.map { (String($0[0]), String($0[1])) })
            let now = Int.random(in: 0...4_000_000_000, using: &random)
            let freshness = Freshness(headers, sent: Int.random(in: 0...4_000_000_000, using: &random), now: now)
            let bounds = 0...CacheControl.longest
            #expect(bounds.contains(freshness.age) && bounds.contains(freshness.lifetime ?? 0), "\(text)")
            #expect(bounds.contains(freshness.staleIfError ?? 0))
            let conditions = Validators(headers)?.conditions ?? []
            #expect(conditions.allSatisfy { !$0.value.contains { $0.isNewline } && !$0.value.contains("\0") })
        }
    }

    /// Cache-Control, and whether the response may be stale, for how long during validation, and after an error.
    @Test(
        arguments: [
            ("max-age=60", true, nil, nil), ("", true, nil, nil),
            ("max-age=60, stale-while-revalidate=30, stale-if-error=300", true, 30, 300),
            ("max-age=60, stale-if-error=0", true, nil, 0), ("max-age=60, stale-while-revalidate=x", true, 0, nil),
            // s-maxage allows what the upstream says, and no more.
            ("s-maxage=60", false, 0, 0), ("s-maxage=60, stale-while-revalidate=30", true, 30, 0),
            ("max-age=60, must-revalidate, stale-if-error=300", false, 0, 0),
            ("max-age=60, proxy-revalidate, stale-while-revalidate=30", false, 0, 0),
            ("no-cache, stale-if-error=300", false, 0, 0),
        ] as [(String, Bool, Int?, Int?)])
    func aStaleResponseMayBeUsedUnlessItIsForbidden(_ control: String, _ may: Bool, _ during: Int?, _ after: Int?) {
        let freshness = Self.read(("Cache-Control", control))
        #expect(freshness.mayBeStale == may)
        #expect(freshness.staleWhileRevalidate == during)
        #expect(freshness.staleIfError == after)
    }
}
