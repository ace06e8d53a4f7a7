import HTTPCore
import TestSupport
import Testing

@testable import Proxy

/// What the heads of real upstreams say about freshness and quotas.
@Suite("Heads of upstreams")
struct UpstreamHeadTests {
    /// Recorded heads of Dark Sky's API: the path of the file, the lifetime and the entity tag.
    private static let darkSky = [
        ("attack-barometer-forecast_io__ForecastIo-4.txt", 35, "\"945308359\""),
        ("darkskyapp-forecast-ruby__forecast_for_latitude_longitude-1.txt", 37, "\"-370288478\""),
        ("darkskyapp-forecast-ruby__forecast_for_latitude_longitude_and_query_params-2.txt", 38, "\"727849559\""),
        ("darkskyapp-forecast-ruby__forecast_for_latitude_longitude_and_time-3.txt", 31_536_000, "\"907190395\""),
    ]

    /// Returns the fields of a recorded head, whose lines end in LF.
    private static func headers(_ bytes: [UInt8]) -> HeaderFields {
        let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
        let pairs = lines.map { $0.split(separator: ":", maxSplits: 1) }.filter { $0.count == 2 }
        return HeaderFields(pairs.map { (String($0[0]), String($0[1])) })
    }

    /// Returns the number in a line of a head, read with a regular expression.
    private static func number(_ name: String, in text: String) -> Int? {
        let lines = text.split(whereSeparator: \.isNewline).map { $0.lowercased() }
        return lines.first { $0.hasPrefix("\(name): ") }.flatMap { Int($0.dropFirst(name.count + 2)) }
    }

    @Test("Every recorded head has the freshness and the quota that its lines state")
    func recorded() throws {
        let heads = Checkout.sharedFiles("corpus/upstream-headers", ending: ".txt")
        guard !heads.isEmpty else { return }
        for (name, bytes) in heads {
            let (text, headers) = (String(decoding: bytes, as: UTF8.self), Self.headers(bytes))
            let moment = try #require(headers.date(relativeTo: 1_700_000_000), "\(name)")
            let freshness = Freshness(headers, now: moment)
            let control = headers["Cache-Control"] ?? ""
            let cached = CachedResponse(
                status: .ok, headers: headers, requestTime: moment, responseTime: moment, policy: CachePolicy())
            #expect((cached != nil) == !control.contains(/no-store|private/), "\(name)")
            let age = try control.firstMatch(of: Regex("max-age=([0-9]+)")).flatMap { Int($0[1].substring ?? "") }
            let expected = control.contains("no-cache") ? 0 : headers["Cache-Control"] == nil ? nil : age
            #expect(freshness.lifetime == expected, "\(name)")
            #expect(freshness.age == 0, "\(name)")
            let isTwitter = text.contains("x-rate-limit-")
            let prefix = isTwitter ? "x-rate-limit-" : "x-ratelimit-"
            // At any time, because Date says when the reset counts from.
            let limit = RateLimit(headers, now: 0)
            #expect(limit.limit == Self.number(prefix + "limit", in: text), "\(name)")
            #expect(limit.remaining == Self.number(prefix + "remaining", in: text), "\(name)")
            // The recorder of the others wrote the moment itself, in milliseconds.
            let reset = isTwitter ? Self.number(prefix + "reset", in: text).map { $0 - moment } : nil
            #expect(limit.reset == reset, "\(name)")
            #expect(Validators(headers)?.entityTag == headers["ETag"], "\(name)")
        }
        for (name, lifetime, tag) in Self.darkSky {
            let head = try #require(heads.first { $0.name == name }, "\(name)")
            var headers = Self.headers(head.bytes)
            let moment = try #require(headers.date(relativeTo: 0))
            #expect(Freshness(headers, now: moment).lifetime == lifetime)
            #expect(Validators(headers)?.entityTag == tag)
            // Expires, which is no valid HTTP date, says the same within a minute.
            headers = HeaderFields(headers.pairs.filter { $0.name != "Cache-Control" })
            let other = try #require(Freshness(headers, now: moment).lifetime)
            #expect(abs(other - lifetime) <= 1, "\(name): \(other)")
        }
    }

    /// A head, and its lifetime, age, limit, remaining requests, seconds until the reset and to wait.
    static let heads: [(String, [Int?])] = [
        (
            """
            Date: Thu, 01 Jan 2026 00:00:00 GMT
            Cache-Control: max-age=55
            Expires: Thu, 01 Jan 2026 00:01:00 +0000
            X-Forecast-API-Calls: 17
            """, [55, 0, nil, nil, nil, nil]
        ),
        (
            """
            Date: Thu, 01 Jan 2026 00:00:00 UTC
            cache-control: no-cache, no-store, max-age=0
            x-rate-limit-limit: 900
            x-rate-limit-remaining: 0
            x-rate-limit-reset: 1767226500
            """, [0, 0, 900, 0, 900, 900]
        ),
        (
            """
            Date: Thu, 01 Jan 2026 00:00:00 GMT
            x-rate-limit-limit: 900
            x-rate-limit-remaining: 800
            x-rate-limit-reset: 1767226500
            x-app-rate-limit-limit: 100000
            x-app-rate-limit-remaining: 0
            x-app-rate-limit-reset: 1767232800
            """, [nil, 0, 100_000, 0, 7200, 7200]
        ),
        (
            """
            Date: Thu, 01 Jan 2026 00:00:00 GMT
            Age: 20
            Cache-Control: public, s-maxage="60"
            RateLimit: limit=100, remaining=3, reset=50
            """, [60, 20, 100, 3, 50, 50]
        ),
        (
            """
            Date: Thu, 01 Jan 2026 00:00:00 GMT
            Expires: 0
            RateLimit-Policy: "burst";q=100;w=60,"daily";q=1000;w=86400
            RateLimit: "daily";r=12;t=40000 , "burst"; r=0; t=30
            Retry-After: Thu, 01 Jan 2026 00:02:00 GMT
            """, [0, 0, 100, 0, 30, 120]
        ),
        (
            """
            Date: Thu, 01 Jan 2026 00:00:00 GMT
            RateLimit: "burst";r=none;t=-1,;;;=,"a
            Retry-After: 7
            """, [nil, 0, nil, nil, nil, 7]
        ),
        (
            """
            Date: Wed, 31 Dec 2025 23:59:30 GMT
            X-App-Rate-Limit-Limit: 100
            X-App-Rate-Limit-Remaining: 99
            """, [nil, 30, 100, 99, nil, nil]
        ),
    ]

    @Test("Each dialect is read", arguments: heads)
    func dialects(_ head: String, _ values: [Int?]) {
        // 2026-01-01T00:00:00Z.
        let (headers, now) = (Self.headers(Array("HTTP/1.1 200 OK\n\(head)\n".utf8)), 1_767_225_600)
        let (freshness, limit) = (Freshness(headers, now: now), RateLimit(headers, now: now))
        let read = [
            freshness.lifetime, freshness.age, limit.limit, limit.remaining, limit.reset, limit.retryAfter,
        ]
        #expect(read == values, "\(head)")
    }
}
