import TestSupport
import Testing

@testable import Gateway

/// Tweets from memory, and the ids that names lead to.
@Suite("The cache of tweets", .timeLimit(.minutes(10)))
struct TweetCachingTests {
    private static func service(_ upstream: CountingUpstream, cache: String = "") throws -> CachedService {
        try CachedService(
            """
            "shards": 1, "cache": {\(cache)}, "upstreams": [
              {"name": "sky", "dialect": "openMeteo", "baseURL": "http://127.0.0.1:1"},
              {"name": "social", "dialect": "mastodon", "baseURL": "\(upstream.baseURL)", "retryPercent": 0}],
            "weather": {"upstreams": ["sky"]}, "tweets": {"upstreams": ["social"]}
            """)
    }

    /// A server with one user, whose id is 7 and whose list has two statuses on each page.
    private static func upstream(isGone: Watched<Bool> = Watched(false)) throws -> CountingUpstream {
        try CountingUpstream { number, head in
            if head.contains("/accounts/lookup") {
                return .answer(#"{"id":"\#(isGone.current ? 8 : 7)","acct":"weir"}"#)
            }
            if isGone.current, head.contains("/accounts/7/") { return .answer(404, #"{"error":"no"}"#) }
            let list = [80, 79].map { #"{"id":"\#($0)","content":"\#(number)","created_at":"2026-01-01"}"# }
            return .answer(
                "[\(list.joined(separator: ","))]", headers: [#"Link: <http://x/?max_id=79>; rel="next""#])
        }
    }

    @Test("A list comes from memory with the link to its next page, and pages are documents of their own")
    func lists() async throws {
        let upstream = try Self.upstream()
        defer { upstream.stop() }
        try await Self.service(upstream).run { service throws in
            let first = try service.get("/timelines/weir?count=2")
            #expect(first.status == 200)
            #expect(first.header("Link")?.hasPrefix("</timelines/weir?count=2&maxId=") == true)
            #expect(upstream.requests == 2)
            for _ in 0..<2 {
                let next = try service.get("/timelines/weir?count=2")
                #expect(next.cacheStatus.hasPrefix("Weir; hit"))
                #expect(next.body == first.body)
                #expect(next.header("Link") == first.header("Link"))
            }
            // The same list for a client that writes another request: its link repeats its own parameters.
            let other = try service.get("/timelines/weir?dates=iso8601&count=2")
            #expect(other.body == first.body)
            #expect(other.header("Link")?.contains("dates=iso8601&count=2&maxId=") == true)
            #expect(upstream.requests == 2)
            #expect(try service.get("/timelines/weir?count=2&maxId=70").status == 200)
            // The id of the user is known.
            #expect(upstream.requests == 3)
        }
    }

    @Test("The id of a user is looked up once an hour, and once more if its user has gone")
    func lookups() async throws {
        let isGone = Watched(false)
        let upstream = try Self.upstream(isGone: isGone)
        defer { upstream.stop() }
        let none = #""tweets": {"defaultSeconds": 0, "staleWhileRevalidateSeconds": 0, "staleIfErrorSeconds": 0}"#
        try await Self.service(upstream, cache: none).run { service throws in
            for requests in [2, 3, 4] {
                #expect(try service.get("/timelines/weir").status == 200)
                #expect(upstream.requests == requests)
            }
            service.hands.move(seconds: 3601)
            #expect(try service.get("/timelines/weir").status == 200)
            #expect(upstream.requests == 6)
            isGone.update { $0 = true }
            #expect(try service.get("/timelines/weir").status == 200)
            // The list of 7 fails, the name leads to 8, and its list is there.
            #expect(upstream.requests == 9)
        }
    }
}
