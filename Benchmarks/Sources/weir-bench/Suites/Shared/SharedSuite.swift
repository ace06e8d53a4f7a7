import CRedis
import Dispatch
import EventLoop
import Foundation
import HTTPCore
import Store
import Operations

/// A document of 25 KB out of Redis: through the shared store on an event loop, and with hiredis alone, which blocks.
///
/// Both ask for one document after the other, so each turn of the loop has one answer, as at the lowest load.
final class SharedSuite: Suite {
    static let name = "shared"
    static let names = ["shared.value.vsHiredis"]

    private let seconds: Double
    private let folder: BenchFolder

    init(_ options: SuiteOptions) throws {
        seconds = options.seconds
        folder = try BenchFolder(numbersOf: 25_000)
    }

    func contestants() throws -> [Contestant] { [] }

    func run(_ report: (Figure) -> Void) throws {
        let (document, socket) = (
            try Data(contentsOf: URL(fileURLWithPath: folder.path + "/document.json")), folder.path + "/redis"
        )
        guard let server = try Self.server(at: socket) else {
            return Terminal.say("skipped: shared, it needs redis-server")
        }
        defer { server.terminate() }
        let shard = try Shard(index: 0)
        var settings = RedisSettings(address: .unix(path: socket))
        settings.timeout = .seconds(5)
        let store = RedisStore(settings, on: [shard], log: .standard)
        shard.start()
        store.start()
        defer {
            store.stop()
            shard.stop()
        }
        try Self.wait(on: shard) {
            try await store.keep([UInt8](document), "document", milliseconds: 3_600_000, fence: 1, on: shard)
        }
        guard let context = redisConnectUnix(socket), let key = Self.key(context) else {
            return Terminal.say("skipped: shared, hiredis does not connect")
        }
        defer { redisFree(context) }
        // Across cores, to wake Redis takes 30 microseconds more, for the contestant that happens to be on another core.
        try Self.pin(to: "\(BenchServer.ownCore)")
        defer { try? Self.pin(to: "0-\(ProcessInfo.processInfo.processorCount - 1)") }
        let ours = Contestant(elsewhere: "store") { count in
            let start = CPUTime.nanoseconds
            try Self.wait(on: shard) {
                for _ in 0..<count {
                    guard try await store.value("document", on: shard)?.count == document.count else { throw Failed() }
                }
            }
            return CPUTime.nanoseconds - start
        }
        let theirs = Contestant("hiredis") {
            let reply = Self.command(context, ["GET", key])
            defer { freeReplyObject(reply) }
            guard let reply, reply.pointee.len == document.count else { throw Failed() }
        }
        let results = try Contest(contestants: [ours, theirs]).run(seconds: seconds)
        Terminal.say("shared: \(results.summary)")
        guard let ratio = results.ratio(of: "store", to: "hiredis") else { return }
        report(Figure(name: Self.names[0], value: ratio, bar: .atMost(1.5)))
    }

    private struct Failed: Error {}

    /// Starts Redis and waits until it accepts connections; nil if it is not installed.
    private static func server(at socket: String) throws -> Process? {
        let program = "/usr/bin/redis-server"
        guard FileManager.default.isExecutableFile(atPath: program) else { return nil }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/taskset")
        process.arguments = [
            "-c", "\(BenchServer.ownCore)", program, "--port", "0", "--unixsocket", socket, "--save", "",
        ]
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        while process.isRunning, !FileManager.default.fileExists(atPath: socket) { usleep(1000) }
        return process
    }

    /// Moves all threads of this process to these cores.
    private static func pin(to cores: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/taskset")
        process.arguments = ["-acp", cores, "\(ProcessInfo.processInfo.processIdentifier)"]
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
    }

    private static func wait(on shard: Shard, _ body: @escaping @Sendable () async throws -> Void) throws {
        let isDone = DispatchSemaphore(value: 0)
        nonisolated(unsafe) var failure: (any Error)?
        Task(executorPreference: shard) {
            do { try await body() } catch { failure = error }
            isDone.signal()
        }
        isDone.wait()
        if let failure { throw failure }
    }

    /// The key of the document, which has a digest in its name.
    private static func key(_ context: UnsafeMutablePointer<redisContext>) -> String? {
        let reply = command(context, ["KEYS", "*:d:*"])
        defer { freeReplyObject(reply) }
        guard let reply, reply.pointee.elements == 1, let text = reply.pointee.element[0]?.pointee.str else {
            return nil
        }
        return String(cString: text)
    }

    private static func command(
        _ context: UnsafeMutablePointer<redisContext>, _ words: [String]
    ) -> UnsafeMutablePointer<redisReply>? {
        let copies = words.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        var pointers = copies.map { UnsafePointer($0) }
        return redisCommandArgv(context, Int32(words.count), &pointers, nil)?.assumingMemoryBound(to: redisReply.self)
    }
}
