@testable import Store
import EventLoop
import HTTPCore
import TestSupport
import Testing

@Suite("Outages of Redis", .enabled(if: RedisServer.isInstalled), .timeLimit(.minutes(5)))
struct RedisOutageTests {
    private func withStore(
        timeout: Duration = .seconds(5), _ body: (StoreTest, RedisServer) async throws -> Void
    ) async throws {
        let server = try RedisServer()
        defer { server.stop() }
        let test = try StoreTest(RedisSettings(address: .unix(path: server.socket)), timeout: timeout)
        defer { test.stop() }
        // The first answer shows that the connection is ready.
        _ = try await test.value("a")
        try await body(test, server)
    }

    @Test("A killed Redis costs no time, and a new one is found by itself")
    func killed() async throws {
        try await withStore { test, server in
            for isFirst in [true, false] {
                try await test.run { store, shard in
                    let fence = try await store.granted("a", milliseconds: 60_000, on: shard)
                    try await store.keep([1], "a", milliseconds: 60_000, fence: fence, on: shard)
                    _ = try await store.lease("b", milliseconds: 60_000, fence: nil, on: shard)
                }
                let wait = Task {
                    try await test.run { store, shard in
                        try await store.change(of: "b", until: .now + .seconds(100), on: shard)
                    }
                }
                let looks = test.calls("change", "success")
                while test.calls("change", "success") == looks { await Task.yield() }
                server.kill()
                await #expect(throws: SharedFault.self) { try await wait.value }
                if isFirst { #expect(test.line("shared store lost", "\"losses\":1") != nil) }
                while test.store.isReachable(on: test.shard) { await Task.yield() }
                await #expect(throws: SharedFault.breakerOpen) {
                    try await test.value("a")
                }
                try server.restart()
                if isFirst { #expect(test.line("shared store found") != nil) }
                while !test.store.isReachable(on: test.shard) { await Task.yield() }
                #expect(try await test.value("a") == nil)
            }
            // A loss within a minute after the last line has no line.
            #expect(test.lines.current.count { $0.contains("shared store") } == 2)
        }
    }

    @Test("While Redis is silent, three calls wait for their time, and the others fail at once")
    func silent() async throws {
        try await withStore(timeout: .milliseconds(100)) { test, server in
            for number in [UInt8(1), 2] { try await test.keep([number], "\(number)") }
            server.freeze()
            try await test.run { store, shard in
                for _ in 0..<3 {
                    let start = MonotonicTime.now
                    await #expect(throws: SharedFault.timeout) { try await store.value("1", on: shard) }
                    #expect(MonotonicTime.now - start >= .milliseconds(100))
                }
                let start = MonotonicTime.now
                for _ in 0..<1000 {
                    await #expect(throws: SharedFault.breakerOpen) { try await store.value("1", on: shard) }
                }
                #expect(MonotonicTime.now - start < .seconds(2))
            }
            #expect(test.line("shared store lost", "timeout") != nil)
            server.thaw()
            #expect(test.line("shared store found") != nil)
            // The late answers belong to the calls that have ended.
            #expect(try await test.value("2") == [2])
            #expect(test.metrics.contains("{command=\"value\",result=\"timeout\"} 3\n"))
            #expect(test.metrics.contains("{command=\"value\",result=\"breaker_open\"} 1000\n"))
        }
    }

    @Test("While Redis answers too late, the breaker stays open, and the log has one line")
    func slow() async throws {
        let delay = Watched<UInt32>(60_000)
        let server = try ScriptedRedis(Array(":1\r\n".utf8), delay: delay)
        defer { server.stop() }
        let test = try StoreTest(
            RedisSettings(address: .network(host: "127.0.0.1", port: server.port)), timeout: .milliseconds(30))
        defer { test.stop() }
        for _ in 0..<3 { await #expect(throws: SharedFault.timeout) { try await test.value("a") } }
        while test.calls("probe", "timeout") < 4 {
            #expect(!test.store.isReachable(on: test.shard))
            await Task.yield()
        }
        #expect(test.line("three calls in a row have failed, the last with timeout") != nil)
        #expect(test.lines.current.count == 1)
        delay.update { $0 = 0 }
        #expect(test.line("shared store found") != nil)
    }

    @Test("While Redis refuses writes, the breaker opens and stays open, although reads succeed")
    func full() async throws {
        try await withStore { test, server in
            try await test.keep([1], "a")
            try server.run("config set maxmemory 1")
            for _ in 0..<3 {
                #expect(try await test.value("a") == [1])
                await #expect(throws: SharedFault.refused("OOM")) {
                    try await test.run { store, shard in
                        _ = try await store.lease("b", milliseconds: 1000, fence: nil, on: shard)
                    }
                }
            }
            #expect(test.line("shared store lost", "three calls in a row have failed, the last with OOM") != nil)
            while test.calls("probe", "refused") < 2 {
                #expect(!test.store.isReachable(on: test.shard))
                await Task.yield()
            }
            await #expect(throws: SharedFault.breakerOpen) { try await test.value("a") }
            try server.run("config set maxmemory 0")
            #expect(test.line("shared store found") != nil)
            #expect(try await test.value("a") == [1])
        }
    }

    @Test("A wait goes on after one late answer")
    func lateLook() async throws {
        try await withStore(timeout: .seconds(2)) { test, server in
            let fence = try await test.run { store, shard in
                try await store.granted("a", milliseconds: 600_000, on: shard)
            }
            let wait = Task {
                try await test.run { store, shard in
                    try await store.change(of: "a", until: .now + .seconds(600), on: shard)
                }
            }
            while test.calls("change", "success") < 1 { await Task.yield() }
            server.freeze()
            while test.calls("change", "timeout") < 1 { await Task.yield() }
            server.thaw()
            try await test.run { store, shard in try await store.release("a", fence: fence, on: shard) }
            #expect(try await wait.value)
        }
    }

    @Test("A late answer is not that of the next call")
    func late() async throws {
        try await withStore(timeout: .milliseconds(300)) { test, server in
            for number in [UInt8(1), 2] { try await test.keep([number], "\(number)") }
            try await test.run { store, shard in
                server.freeze()
                await #expect(throws: SharedFault.timeout) { try await store.value("1", on: shard) }
                let next = Task(executorPreference: shard) { try await store.value("2", on: shard) }
                server.thaw()
                let value = try await next.value
                #expect(value == [2])
            }
        }
    }

    @Test("Calls beyond the queue fail at once")
    func fullQueue() async throws {
        try await withStore(timeout: .seconds(60)) { test, server in
            server.freeze()
            let full = try await test.run { store, shard in
                await withTaskGroup(of: SharedFault?.self) { group in
                    for _ in 0..<1100 {
                        group.addTask {
                            do throws(SharedFault) { _ = try await store.value("a", on: shard) } catch { return error }
                            return nil
                        }
                    }
                    var full = 0
                    for await fault in group {
                        if fault == .queueFull { full += 1 }
                        if full == 76 { server.thaw() }
                    }
                    return full
                }
            }
            #expect(full == 1100 - 1024)
        }
    }

    @Test("A store that has never been there is known to be lost")
    func absent() async throws {
        let test = try StoreTest(RedisSettings(address: .unix(path: "/nonexistent/socket")))
        defer { test.stop() }
        #expect(test.line("shared store lost", "cannot connect to unix:/nonexistent/socket") != nil)
        #expect(!test.store.isReachable(on: test.shard))
        #expect(test.metrics.contains("weir_shared_connected 0\n"))
    }

    @Test("A Redis that becomes a replica is left")
    func demoted() async throws {
        try await withStore { test, server in
            try server.run("replicaof 127.0.0.1 1")
            await #expect(throws: SharedFault.refused("READONLY")) {
                try await test.run { store, shard in
                    _ = try await store.lease("a", milliseconds: 1000, fence: nil, on: shard)
                }
            }
            #expect(test.line("shared store lost", "replica") != nil)
        }
    }

    @Test("Sentinels name the new master after a failover")
    func failover() async throws {
        let (first, second) = (try RedisServer.freePort(), try RedisServer.freePort())
        let master = try RedisServer(port: first)
        defer { master.stop() }
        let replica = try RedisServer(port: second, "--replicaof 127.0.0.1 \(first)")
        defer { replica.stop() }
        while try !replica.run("info replication").contains("master_link_status:up") { await Task.yield() }
        let sentinel = try RedisServer.sentinel(of: first, at: try RedisServer.freePort())
        defer { sentinel.stop() }
        while try !sentinel.run("sentinel master weir").contains("num-slaves\n1") { await Task.yield() }
        var settings = RedisSettings(address: .network(host: "ignored", port: 1))
        let refusing = try RefusingPort()
        defer { refusing.release() }
        settings.sentinel = RedisSentinel(
            addresses: [refusing.number, sentinel.port].map { .network(host: "127.0.0.1", port: $0) }, master: "weir",
            password: nil)
        let test = try StoreTest(settings)
        defer { test.stop() }
        try await test.run { store, shard in
            let fence = try await store.granted("a", milliseconds: 600_000, on: shard)
            try await store.keep([1], "a", milliseconds: 600_000, fence: fence, on: shard)
        }
        let offset = { (server: RedisServer) in
            try server.run("info replication").split(separator: "\n").first { $0.hasPrefix("master_repl_offset:") }
        }
        while try offset(master) != offset(replica) { await Task.yield() }
        master.kill()
        #expect(test.line("shared store lost") != nil)
        #expect(test.line("shared store found") != nil)
        try await test.run { store, shard in
            #expect(try await store.value("a", on: shard) == [1])
            _ = try await store.granted("a", milliseconds: 1000, on: shard)
        }
        #expect(try replica.run("role").hasPrefix("master"))
    }
}
