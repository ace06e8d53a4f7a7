import Foundation
import TestSupport
import Testing

/// The memory of the service with a full cache.
///
/// `WEIR_CACHE_MEGABYTES` is the memory of the cache, 8 without it; places and hot places are in proportion to it.
@Suite("Memory of the cache", .timeLimit(.minutes(20)))
struct CacheMemoryTests {
    private static let megabytes = Int(ProcessInfo.processInfo.environment["WEIR_CACHE_MEGABYTES"] ?? "") ?? 8
    private static let connections = 4

    /// What requests for hot places have led to.
    private struct Hits: Sendable {
        var requests = 0, first = 0, hits = 0
    }

    @Test("A full cache takes up what it says, and keeps what is asked for often", .disabled(if: Sanitizer.isPresent))
    func memory() throws {
        let (places, hot) = (Self.megabytes * 1250 / 8, max(4, Self.megabytes * 100 / 64))
        // Forecasts of 15 to 35 KB.
        let texts = (0..<8).map { NumberedForecast.text(latitude: "1", longitude: "1", hours: 40 + 7 * $0) }
        let upstream = try ScriptedUpstream { head in
            let place = Int(head.firstMatch(of: /\/forecast\/[^\/]+\/[0-9.]+,([0-9]+)/)?.1 ?? "") ?? 0
            let other = head.contains("/1,") ? 0 : 1
            return .answer(200, texts[(place * 5 + other) % 8].with(place))
        }
        defer { upstream.stop() }
        let empty = try measured(upstream, bytes: 0, places: places / 4, hot: hot)
        var full = try measured(upstream, bytes: Self.megabytes << 20, places: places, hot: hot)
        var growth: Int { full.memory["RssAnon", default: 0] - empty.memory["RssAnon", default: 0] }
        // The allocator's own part, and what it keeps between documents.
        var limit: Int { full.held + full.held / 8 + 2 << 20 }
        // On a busy machine more documents are under way at a time, of which the allocator keeps more.
        for _ in 0..<2 where growth >= limit {
            full = try measured(upstream, bytes: Self.megabytes << 20, places: places, hot: hot)
        }
        func shown(_ memory: [String: Int]) -> String {
            ["VmHWM", "VmRSS", "RssAnon"].map { "\($0) \(memory[$0, default: 0])" }.joined(separator: ", ")
        }
        print("without a cache: \(shown(empty.memory))")
        print("with a cache of \(Self.megabytes << 20) bytes: \(shown(full.memory))")
        print("held: \(full.held), growth: \(growth)")
        print("hits of hot places: \(full.hits.hits) of \(full.hits.requests), \(full.hits.first) for the first time")
        #expect(full.held <= Self.megabytes << 20 && full.held > Self.megabytes << 20 * 8 / 10)
        #expect(growth < limit, "\(growth) bytes for \(full.held)")
        #expect(Double(full.hits.hits) > 0.99 * Double(full.hits.requests - full.hits.first), "\(full.hits)")
    }

    /// Asks for each place once, and for a hot one after every third, over several connections.
    private func measured(
        _ upstream: ScriptedUpstream, bytes: Int, places: Int, hot: Int
    ) throws -> (memory: [String: Int], held: Int, hits: Hits) {
        let weir = try WeirProcess.serve(
            """
            {"listen": "127.0.0.1:0", "shards": 2,
             "server": {"drainTimeoutMilliseconds": 300, "accessLog": {"format": "none"}},
             "cache": {"maximumBytes": \(bytes), "weather": {"defaultSeconds": 3600}},
             "upstreams": [{"name": "sky", "dialect": "darkSky", "baseURL": "\(upstream.baseURL)",
                            "key": {"environment": "WEIR_TEST_KEY"}}],
             "weather": {"upstreams": ["sky"]}}
            """)
        defer { weir.kill() }
        let (address, next) = (try weir.address(), Watched(0))
        let (asked, hits, ended) = (Watched(Set<Int>()), Watched(Hits()), Watched(0))
        for number in 0..<Self.connections {
            Thread.detachNewThread {
                var random = SplitMix64(seed: UInt64(number))
                defer { ended.update { $0 += 1 } }
                guard let client = try? RawClient(address) else { return }
                while true {
                    let place = next.update { place in
                        place += 1
                        return place
                    }
                    guard place <= places else { return }
                    let (latitude, longitude) = ("1.\(place % 89 + 10)", "\(place % 179).\(place / 89 + 100)")
                    let answer = try? client.get("/weather?lat=\(latitude)&lon=\(longitude)")
                    guard answer?.status == 200 else { return #expect(Bool(false), "\(answer?.text ?? "no answer")") }
                    guard place % 3 == 0 else { continue }
                    let wanted = Int.random(in: 0..<hot, using: &random)
                    let isFirst = asked.update { $0.insert(wanted).inserted }
                    let hotAnswer = try? client.get("/weather?lat=1&lon=\(wanted)")
                    let isHit = hotAnswer?.header("Cache-Status")?.hasPrefix("Weir; hit") == true
                    hits.update { hits in
                        hits.requests += 1
                        if isFirst { hits.first += 1 } else if isHit { hits.hits += 1 }
                    }
                }
            }
        }
        #expect(ended.wait(seconds: 1000) { $0 == Self.connections ? true : nil } == true)
        let memory = try weir.memoryFigures
        let metrics = try weir.get("/metrics").text
        let held = metrics.firstMatch(of: /\nweir_cache_bytes ([0-9.e+]+)\n/).flatMap { Double($0.1) }
        return (memory, Int(try #require(held)), hits.current)
    }
}
