import Foundation

/// The memory of servers without work: alone, and with connections on each of which a request was answered.
struct IdleContest {
    static let names = ["server.idle.perConnection", "server.idle.memory", "server.idle.memoryWithConnections"]

    private static let connections = 10_000
    private static let contentBytes = 12 << 10
    /// The files that this process needs for other things.
    private static let otherFiles = 200

    /// The memory of a server in bytes.
    private struct Memory {
        /// What is resident after the first requests, and with all connections.
        var alone = 0.0, withAll = 0.0
        /// What each connection has added, files excluded.
        var perConnection = 0.0
    }

    private let folder: BenchFolder

    init() throws { folder = try BenchFolder(numbersOf: Self.contentBytes) }

    func run(_ report: (Figure) -> Void) throws {
        guard let weir = try BenchServer.stored(folder) else { return Terminal.say("skipped: server.idle") }
        guard let ours = measure(weir) else {
            return Terminal.say("skipped: server.idle, this process may open too few files")
        }
        report(Figure(name: Self.names[0], value: ours.perConnection, bar: .atMost(512)))
        guard let nginx = try BenchServer.file(folder), let theirs = measure(nginx) else {
            return Terminal.say("skipped: server.idle.memory, it needs nginx")
        }
        report(Figure(name: Self.names[1], value: ours.alone / theirs.alone, bar: .atMost(1)))
        report(Figure(name: Self.names[2], value: ours.withAll / theirs.withAll, bar: .atMost(1)))
    }

    private func measure(_ server: BenchServer) -> Memory? {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = min(limit.rlim_max, rlim_t(Self.connections + Self.otherFiles))
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        var memory = Memory()
        // Processes and the buffers that all connections share exist after the first requests.
        for _ in 0..<Self.otherFiles { guard BenchConnection(port: server.port)?.get() != nil else { return nil } }
        let before = server.memory.anonymous
        memory.alone = server.memory.resident
        var open: [BenchConnection] = []
        for _ in 0..<Self.connections {
            guard let connection = BenchConnection(port: server.port), connection.get() != nil else { return nil }
            open.append(connection)
        }
        memory.withAll = server.memory.resident
        memory.perConnection = (server.memory.anonymous - before) / Double(open.count)
        let megabytes = [memory.alone, memory.withAll].map { Figure.text($0 / 1_048_576) }
        Terminal.say(
            "server.idle: \(server.name) \(megabytes[0]) MiB, \(megabytes[1]) MiB with \(open.count) connections, "
                + "\(Int(memory.perConnection)) bytes of its own memory for each")
        return memory
    }
}
