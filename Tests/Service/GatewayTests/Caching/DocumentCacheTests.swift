import EventLoop
import HTTPClient
import HTTPCore
import Operations
import TestSupport
import Testing

@testable import Gateway
@testable import Settings
@testable import Proxy

/// What tasks find whose moments a client cannot choose.
@Suite("The documents of the cache", .timeLimit(.minutes(10)))
struct DocumentCacheTests {
    @Test("Documents from one base URL at two Unix sockets are kept apart")
    func sockets() {
        let addresses = [nil, "/run/a", "/run/b"].map { path in
            var configuration = UpstreamConfiguration()
            configuration.unixSocket = path
            let upstream = Upstream(configuration, baseURL: "http://localhost", credentials: .none, log: Log())
            return upstream.checksum(of: upstream.address)
        }
        #expect(Set(addresses).count == 3)
    }

    @Test("A document takes up at most half of a part of the cache", arguments: [(64, 1900), (256, 7500)])
    func largest(_ megabytes: Int, _ kilobytes: Int) {
        let cache = DocumentCache(maximumBytes: megabytes << 20)
        func keeps(_ kilobytes: Int) -> Bool {
            let policy = CachePolicy(defaultLifetime: 60)
            let key = DocumentKey(upstream: "a", address: 1, target: "/\(kilobytes)")
            let body = [UInt8](repeating: 0x20, count: kilobytes << 10)
            let freshness = CachedResponse(
                status: .ok, headers: HeaderFields(), requestTime: 1000, responseTime: 1000, policy: policy)
            cache.insert(CachedDocument(key, DocumentContent(IncomingResponse(body: body)), freshness, policy))
            return cache.document(key) != nil
        }
        #expect(keeps(kilobytes))
        #expect(!keeps(kilobytes + kilobytes / 10))
    }

    @Test("Clients that ask for many forms of a document take up bounded memory and cost one call")
    func forms() async throws {
        let upstream = try CountingUpstream()
        defer { upstream.stop() }
        let blocks = ["currently", "minutely", "hourly", "daily", "alerts", "flags"]
        let forms = (1..<64).map { number in
            let excluded = blocks.indices.filter { number >> $0 & 1 == 1 }.map { blocks[$0] }
            return "\(place)&exclude=\(excluded.joined(separator: ","))"
        }
        try await CachedService([upstream.baseURL], shards: 1).run { service throws in
            func bytes() throws -> Double? {
                let lines = try service.get("/metrics").text.split(separator: "\n")
                return lines.first { $0.hasPrefix("weir_cache_bytes ") }.flatMap { Double($0.dropFirst(17)) }
            }
            for form in forms[..<32] { #expect(try service.get(form).status == 200) }
            let before = try #require(try bytes())
            for form in forms + forms { #expect(try service.get(form).status == 200) }
            // What the other targets have led to is remembered; an answer would take up 2,000 bytes.
            #expect(try #require(try bytes()) - before < 31 * 700)
            // A new form takes the place of the oldest one, so that the next request for it is a hit.
            for form in [forms[0], forms[62], forms[31]] {
                for _ in 0..<2 { #expect(try service.get(form).status == 200) }
                #expect(try service.get(form).header("Server-Timing") == "cache;desc=hit")
            }
        }
        #expect(upstream.requests == 1)
    }
}
