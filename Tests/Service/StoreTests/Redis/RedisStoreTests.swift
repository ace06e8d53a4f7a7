@testable import Store
import EventLoop
import HTTPCore
import TestSupport
import Testing

@Suite("Shared store", .enabled(if: RedisServer.isInstalled), .timeLimit(.minutes(5)))
struct RedisStoreTests {
    /// Runs `body` with a store of a Redis of its own.
    private func withStore(_ body: (StoreTest, RedisServer) async throws -> Void) async throws {
        let server = try RedisServer()
        defer { server.stop() }
        let test = try StoreTest(RedisSettings(address: .unix(path: server.socket)))
        defer { test.stop() }
        try await body(test, server)
    }

    @Test("A replica reads the value that it has kept, of any size and bytes, until its time is over")
    func values() async throws {
        try await withStore { test, server in
            let large = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            try await test.run { store, shard in
                #expect(try await store.value("a", on: shard) == nil)
                for value in [[], [13, 10, 0, 255], large] {
                    let fence = try await store.granted("a", milliseconds: 9000, on: shard)
                    try await store.keep(value, "a", milliseconds: 60_000, fence: fence, on: shard)
                    #expect(try await store.value("a", on: shard) == value)
                }
                #expect(try await store.value("b", on: shard) == nil)
            }
            let keys = try server.run("--raw keys '*'").split(separator: "\n").filter { !$0.contains("probe") }
            #expect(keys.count == 3)
            for key in keys {
                #expect(key.wholeMatch(of: /weir:v1:(fence|[df]:[0-9a-f]{64})/) != nil, "\(key)")
                let left = try #require(Int(server.run("pttl \(key)")))
                #expect(key.hasSuffix("fence") ? left == -1 : (30_000...700_000).contains(left), "\(key) \(left)")
            }
        }
    }

    @Test("One of many replicas gets a lease, and the others learn for how long")
    func leases() async throws {
        try await withStore { test, _ in
            try await test.run { store, shard in
                let fence = try await store.granted("a", milliseconds: 30_000, on: shard)
                let second = try await store.lease("a", milliseconds: 30_000, fence: nil, on: shard)
                let left = try #require(second.heldMilliseconds)
                #expect((1...30_000).contains(left))
                let other = try await store.granted("b", milliseconds: 1000, on: shard)
                #expect(other > fence)
                // A lease that another replica has by now stays.
                try await store.release("a", fence: fence - 1, on: shard)
                let lease = try await store.lease("a", milliseconds: 30_000, fence: nil, on: shard)
                #expect(lease != .granted(fence: other + 1))
                try await store.release("a", fence: fence, on: shard)
                #expect(
                    try await store.lease("a", milliseconds: 1000, fence: nil, on: shard) == .granted(fence: other + 1))
            }
        }
    }

    @Test("A lease that does not end is taken", arguments: ["persist", "pexpire 3600000"])
    func endless(change: String) async throws {
        try await withStore { test, server in
            try await test.run { store, shard in
                let old = try await store.granted("a", milliseconds: 1000, on: shard)
                let words = change.split(separator: " ")
                // As if the clock of Redis had gone back.
                try server.run("\(words[0]) \(store.name("l", "a")) \(words.dropFirst().joined())")
                let new = try await store.granted("a", milliseconds: 1000, on: shard)
                #expect(new > old)
                #expect(try await store.lease("a", milliseconds: 1000, fence: nil, on: shard).heldMilliseconds != nil)
            }
        }
    }

    @Test("A replica whose lease is over does not replace a newer value")
    func fences() async throws {
        try await withStore { test, server in
            try await test.run { store, shard in
                let old = try await store.granted("a", milliseconds: 60_000, on: shard)
                // As if the time of the lease were over.
                try server.run("del \(store.name("l", "a"))")
                let new = try await store.granted("a", milliseconds: 60_000, on: shard)
                try await store.keep([2], "a", milliseconds: 60_000, fence: new, on: shard)
                await #expect(throws: SharedFault.superseded) {
                    try await store.keep([1], "a", milliseconds: 60_000, fence: old, on: shard)
                }
                #expect(try await store.value("a", on: shard) == [2])
            }
        }
    }

    @Test("All replicas together get as many requests as the smallest window allows")
    func quotas() async throws {
        try await withStore { test, _ in
            let windows = [SharedWindow(.month, limit: 100), SharedWindow(.day, limit: 10)]
            try await test.run { store, shard in
                let first = try await store.allot(7, of: "a", windows: windows, epoch: 0, on: shard)
                #expect(first.granted == 7 && first.used == [7, 7])
                #expect(abs(first.milliseconds - WallClock.milliseconds) < 60_000)
                let second = try await store.allot(7, of: "a", windows: windows, epoch: 0, on: shard)
                #expect(second.granted == 0 && second.used == [7, 7])
                let third = try await store.allot(3, of: "a", windows: windows, epoch: 0, on: shard)
                #expect(third.granted == 3 && third.used == [10, 10])
                #expect(try await store.allot(1, of: "a", windows: windows, epoch: 0, on: shard).granted == 0)
                #expect(try await store.allot(1, of: "b", windows: windows, epoch: 0, on: shard).granted == 1)
            }
        }
    }

    @Test("Debts count once, and a Redis without counts takes over what replicas know")
    func lostCounts() async throws {
        try await withStore { test, server in
            try await test.run { store, shard in
                var window = SharedWindow(.month, limit: 100)
                var limits = [window]
                window.start =
                    try await store.allot(0, of: "a", windows: limits, epoch: 0, on: shard).milliseconds / 1000
                (window.known, window.unasked) = (50, 3)
                limits = [window]
                let first = try await store.allot(10, of: "a", windows: limits, epoch: 0, on: shard)
                #expect(first.granted == 10 && first.used == [63])
                let second = try await store.allot(10, of: "a", windows: limits, epoch: first.epoch, on: shard)
                #expect(second.used == [73] && second.epoch == first.epoch)
                try server.run("flushall")
                let third = try await store.allot(1, of: "a", windows: limits, epoch: first.epoch, on: shard)
                #expect(third.used == [54] && third.epoch != first.epoch)
                window.start -= 40 * 86_400
                let fourth = try await store.allot(1, of: "a", windows: [window], epoch: first.epoch, on: shard)
                #expect(fourth.used == [55])
                // Numbers that another program has written harm nobody.
                let keys = try server.run("--raw keys *:q:*").split(separator: "\n")
                for key in keys { try server.run("set \(key) 99999999999999999999") }
                let spoiled = try await store.allot(1, of: "a", windows: limits, epoch: first.epoch, on: shard)
                #expect(spoiled.granted == 0 && spoiled.used[0] >= 0)
            }
        }
    }

    @Test(
        "A window is that of the civil calendar in UTC",
        arguments: [
            (951_782_399, "month:2000-2"), (951_868_799, "month:2000-2"), (951_868_800, "month:2000-3"),
            (1_767_225_599, "month:2025-12"), (1_767_225_600, "month:2026-1"), (4_107_542_399, "month:2100-2"),
            (4_107_542_400, "month:2100-3"), (86_399, "day:0"), (86_400, "day:1"), (7200, "hour:2"), (59, "minute:0"),
        ])
    func windows(seconds: Int, name: String) async throws {
        try await withStore { _, server in
            let folder = try TemporaryFolder()
            defer { folder.remove() }
            let script = RedisScript.window + "return (window(ARGV[1], tonumber(ARGV[2])))"
            let file = try folder.write(script, to: "window.lua")
            #expect(try server.run("--raw --eval \(file) , \(name.prefix { $0 != ":" }) \(seconds)") == name)
        }
    }

    @Test("A replica that waits goes on when the value is kept, the lease is given back, or its time is over")
    func changes() async throws {
        try await withStore { test, _ in
            try await test.run { store, shard in
                let never = MonotonicTime.now + .seconds(120)
                // Without a lease there is nothing to wait for.
                #expect(try await store.change(of: "a", until: never, on: shard))
                for isKept in [true, false, true] {
                    let fence = try await store.granted("a", milliseconds: 60_000, on: shard)
                    try await withThrowingTaskGroup(of: Bool.self) { group in
                        for _ in 0..<5 { group.addTask { try await store.change(of: "a", until: never, on: shard) } }
                        // Others may come before or after.
                        let looks = test.calls("change", "success")
                        while test.calls("change", "success") == looks { await Task.yield() }
                        if isKept {
                            try await store.keep([1], "a", milliseconds: 1000, fence: fence, on: shard)
                        } else {
                            try await store.release("a", fence: fence, on: shard)
                        }
                        for try await isChanged in group { #expect(isChanged) }
                    }
                }
                _ = try await store.lease("b", milliseconds: 200, fence: nil, on: shard)
                #expect(try await store.change(of: "b", until: never, on: shard) == false)
                // At the end of the wait, the lease is still held.
                _ = try await store.lease("c", milliseconds: 60_000, fence: nil, on: shard)
                #expect(try await store.change(of: "c", until: .now + .milliseconds(30), on: shard) == false)
            }
        }
    }

    @Test("A wait ends with its task")
    func cancelled() async throws {
        try await withStore { test, _ in
            try await test.run { store, shard in
                _ = try await store.lease("a", milliseconds: 60_000, fence: nil, on: shard)
                let task = Task(executorPreference: shard) {
                    try await store.change(of: "a", until: .now + .seconds(120), on: shard)
                }
                while test.calls("change", "success") == 0 { await Task.yield() }
                task.cancel()
                await #expect(throws: SharedFault.cancelled) { try await task.value }
            }
        }
    }

    @Test("Calls at the same time share the connection, and each gets its own answer")
    func pipelining() async throws {
        try await withStore { test, server in
            try await test.run { store, shard in
                for round in 0..<3 {
                    // Redis forgets its scripts, as after a restart.
                    try server.run("script flush")
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for number in 0..<200 {
                            group.addTask {
                                let key = "\(round)-\(number)"
                                let value = Array(repeating: UInt8(number), count: 100 * number)
                                let fence = try await store.granted(key, milliseconds: 9000, on: shard)
                                try await store.keep(value, key, milliseconds: 9000, fence: fence, on: shard)
                                #expect(try await store.value(key, on: shard) == value)
                            }
                        }
                        try await group.waitForAll()
                    }
                }
            }
            #expect(try server.run("info clients").contains("connected_clients:2"), "one besides redis-cli")
            #expect(test.metrics.contains("weir_shared_commands_total{command=\"value\",result=\"success\"} 600"))
            #expect(test.metrics.contains("weir_shared_connected 1"))
        }
    }
}
