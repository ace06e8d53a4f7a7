import EventLoop
import Operations
import TestSupport
import Testing

@testable import Settings
@testable import Gateway

/// The service in a container with a memory limit, whose files the test writes.
@Suite("The service near its memory limit", .timeLimit(.minutes(10)))
struct ServiceMemoryTests {
    private static let limit = 64 << 20

    private static func file(_ upstream: String = "http://localhost:1", _ settings: String = "") -> ConfigurationFile {
        let text = """
            {"listen": "127.0.0.1:0", "shards": 2, "server": {"accessLog": {"format": "none"}, "drainTimeoutMilliseconds": 300},
             \(settings) "weather": {"upstreams": ["sky"]},
             "upstreams": [{"name": "sky", "dialect": "darkSky", "baseURL": "\(upstream)", "retryPercent": 0,
                            "key": {"environment": "PATH"}}]}
            """
        return ConfigurationFile(path: "weir.json", bytes: Array(text.utf8))
    }

    @Test(
        "Sizes that are not set follow the limit, and those that are set stay",
        arguments: [
            (nil, 64 << 20, 128 << 20), (1 << 40, 64 << 20, 128 << 20), (256 << 20, 64 << 20, 56 << 20),
            (128 << 20, 48 << 20, 24 << 20), (64 << 20, 16 << 20, 8 << 20), (16 << 20, 1 << 20, 1 << 20),
        ] as [(Int?, Int, Int)])
    func sizes(limit: Int?, documents: Int, bodies: Int) throws {
        let cgroup = try Cgroup(limit: limit ?? 1 << 62)
        defer { cgroup.remove() }
        let memory = MemoryLimit(root: cgroup.root)
        #expect(memory?.bytes == limit)
        let free = try Self.file().configuration(memory: memory)
        #expect(free.cache.maximumBytes == documents && free.fetching.maximumBodyBytes == bodies)
        let settings = #""cache": {"maximumBytes": 67108864}, "fetching": {"maximumBodyBytes": 134217728},"#
        let set = try Self.file("http://localhost:1", settings).configuration(memory: memory)
        #expect(set.cache.maximumBytes == 64 << 20 && set.fetching.maximumBodyBytes == 128 << 20)
    }

    /// Runs `body` on a thread with a service of this limit, and with a function that waits for a line of the log.
    private static func serve(
        _ cgroup: Cgroup, _ upstream: String, _ settings: String = "",
        _ body: @escaping @Sendable (_ address: String, _ waitForLine: (String) -> Bool) throws -> Void
    ) async throws {
        let (file, memory, lines) = (file(upstream, settings), MemoryLimit(root: cgroup.root), Watched(""))
        let writer = LineWriter("test", maximumBytes: 1 << 20) { bytes in
            lines.update { $0 += String(decoding: bytes, as: UTF8.self) }
            return true
        }
        let service = try Service(
            file.configuration(memory: memory), from: file, log: Log(writer: writer), memory: memory)
        service.start()
        let address = "\(service.address)"
        let result: Result<Void, any Error> = await WorkQueue("client").run {
            Result { try body(address) { text in lines.wait { $0.contains(text) ? true : nil } ?? false } }
        }
        _ = await service.drain()
        try result.get()
    }

    @Test("The log says at the start which sizes the limit led to, and warns of sizes that do not fit")
    func start() async throws {
        let cgroup = try Cgroup(limit: Self.limit)
        defer { cgroup.remove() }
        try cgroup.use(percent: 10)
        try await Self.serve(cgroup, "http://localhost:1") { _, waitForLine in
            #expect(
                waitForLine(
                    #""level":"info","message":"memory limit","limitBytes":67108864,"usedBytes":6710880,"#
                        + #""cache.maximumBytes":16777216,"fetching.maximumBodyBytes":8388608"#))
        }
        try await Self.serve(cgroup, "http://localhost:1", #""cache": {"maximumBytes": 67108864},"#) { _, waitForLine in
            #expect(
                waitForLine(#""level":"warning","message":"sizes exceed the memory limit","limitBytes":67108864"#))
        }
    }

    @Test("From 95 % on, misses get 503 while hits and health are answered, until memory is free again")
    func shedding() async throws {
        let cgroup = try Cgroup(limit: Self.limit)
        defer { cgroup.remove() }
        let upstream = try CountingUpstream()
        defer { upstream.stop() }
        try await Self.serve(cgroup, upstream.baseURL) { address, waitForLine in
            let client = try RawClient(address)
            #expect(try client.get(place).status == 200)
            try cgroup.use(percent: 96)
            #expect(waitForLine(#""message":"memory","state":"short""#))
            let miss = try client.get("/weather?lat=1&lon=1")
            #expect(miss.status == 503 && miss.header("Retry-After") == "5")
            #expect(miss.text.contains("urn:weir:problem:low-memory"))
            let hit = try client.get(place)
            #expect(hit.status == 200 && hit.cacheStatus.hasPrefix("Weir; hit"))
            #expect(try client.get("/livez").status == 200)
            #expect(try client.get("/readyz").status == 200)
            #expect(upstream.requests == 1)
            let level = try client.get("/healthz").json()["checks"]["memory:level"][0]
            #expect([level["observedValue"].string, level["status"].string] == ["short", "warn"])
            let metrics = try client.get("/metrics").text
            for line in [
                "weir_memory_limit_bytes 67108864", "weir_memory_used_bytes 64424448", "weir_memory_shed_total 1",
            ] {
                #expect(metrics.contains("\n\(line)\n"), "\(line)")
            }
            // A level lasts until two percent less are in use.
            try cgroup.use(percent: 92)
            #expect(waitForLine(#""message":"memory","state":"tight""#))
            #expect(try client.get("/weather?lat=1&lon=1").status == 200)
            try cgroup.use(percent: 50)
            #expect(waitForLine(#""message":"memory","state":"normal""#))
            #expect(try client.get("/healthz").json()["checks"]["memory:level"][0]["status"].string == "pass")
        }
    }

    @Test("A stale document serves while its refresh is refused, in the background and in the foreground")
    func stale() async throws {
        let cgroup = try Cgroup(limit: Self.limit)
        defer { cgroup.remove() }
        let upstream = try CountingUpstream(headers: ["Cache-Control: max-age=0"])
        defer { upstream.stop() }
        for background in [0, 600] {
            let settings = #""cache": {"weather": {"staleWhileRevalidateSeconds": \#(background)}},"#
            try cgroup.use(percent: 0)
            try await Self.serve(cgroup, upstream.baseURL, settings) { address, waitForLine in
                let client = try RawClient(address)
                #expect(try client.get(place).status == 200)
                let requests = upstream.requests
                try cgroup.use(percent: 96)
                #expect(waitForLine(#""message":"memory","state":"short""#))
                #expect(try client.get(place).status == 200)
                #expect(upstream.requests == requests)
            }
        }
    }

    @Test("From 90 % on, documents leave the cache, idle connections end, and misses are answered")
    func reclaiming() async throws {
        let cgroup = try Cgroup(limit: Self.limit)
        defer { cgroup.remove() }
        let upstream = try CountingUpstream()
        defer { upstream.stop() }
        try await Self.serve(cgroup, upstream.baseURL, #""cache": {"maximumBytes": 1048576},"#) {
            address, waitForLine in
            let (client, idle) = (try RawClient(address), try RawClient(address))
            #expect(try idle.get("/livez").status == 200)
            func documents() throws -> Int? {
                let match = try client.get("/metrics").text.firstMatch(of: /\nweir_cache_documents ([0-9]+)\n/)
                return match.flatMap { Int($0.1) }
            }
            for longitude in 0..<150 { #expect(try client.get("/weather?lat=1&lon=\(longitude)").status == 200) }
            let before = try #require(try documents())
            try cgroup.use(percent: 91)
            #expect(waitForLine(#""message":"memory","state":"tight""#))
            #expect(idle.waitForInput(seconds: 60))
            #expect(throws: RawClient.ReadFailure.closed(bytesReceived: 0)) { try idle.read() }
            let kept = try RawClient(address)
            defer { kept.close() }
            let after = try kept.get("/metrics").text.firstMatch(of: /\nweir_cache_documents ([0-9]+)\n/)
            #expect(after.flatMap { Int($0.1) } ?? .max < before / 2, "\(before)")
            #expect(try kept.get("/weather?lat=2&lon=2").status == 200)
            try cgroup.use(percent: 50)
            #expect(waitForLine(#""message":"memory","state":"normal""#))
            // The cache may take up more and more again.
            var regrown = 0
            for longitude in 0..<100_000 where regrown < before / 2 {
                #expect(try kept.get("/weather?lat=3&lon=\(Double(longitude % 1000) / 10)").status == 200)
                let text = try kept.get("/metrics").text
                regrown = text.firstMatch(of: /\nweir_cache_documents ([0-9]+)\n/).flatMap { Int($0.1) } ?? 0
            }
            #expect(regrown >= before / 2)
        }
    }
}
