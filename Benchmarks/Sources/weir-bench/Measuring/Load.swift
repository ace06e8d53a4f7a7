import Foundation

/// Clients that send requests without a pause: wrk, if not told otherwise on the core that the contestants do not use.
struct Load {
    /// The path and query of the requests.
    var target = "/weather?lat=37.8267&lon=-122.4233"
    var clients = 64
    var scheme = "http"
    /// The cores of wrk, which has a thread on each.
    var cores = [BenchServer.otherCore]
    /// Additional field lines of the requests, by the name of the server.
    var fields: [String: String] = [:]
    /// A script for wrk, such as one that sends several requests at a time.
    var script: String?

    /// The result of one run.
    struct Run {
        let requestsPerSecond: Double
        /// The requests per second of processor time that the server used: its capacity on one core.
        let requestsPerCoreSecond: Double
        /// The seconds of processor time that the server used for a request.
        var secondsPerRequest: Double { 1 / requestsPerCoreSecond }
        /// The 99th percentile of the latency.
        let tailMilliseconds: Double
    }

    /// A server answered with errors, so its figures would be meaningless.
    struct BadAnswers: Error, CustomStringConvertible {
        let server: String, report: String

        var description: String { "\(server) answered with errors:\n\(report)" }
    }

    /// Returns a load generator; nil if wrk, taskset or a second core is missing.
    static func find() -> Load? {
        guard ProcessInfo.processInfo.activeProcessorCount > 1 else { return nil }
        return ["wrk", "taskset"].allSatisfy { isInstalled($0) } ? Load() : nil
    }

    private static func isInstalled(_ program: String) -> Bool {
        ["/usr/bin/", "/usr/local/bin/", "/bin/"].contains {
            FileManager.default.isExecutableFile(atPath: $0 + program)
        }
    }

    /// The number of turns that each server gets.
    private static let rounds = 5

    /// Sends requests to the servers in turn, for `seconds` in total, and returns their runs by their names.
    func takeTurns(on servers: [BenchServer], seconds: Double) throws -> [String: [Run]] {
        let turn = max(1, Int(seconds / Double(Self.rounds * max(1, servers.count))))
        var runs: [String: [Run]] = [:]
        for _ in 0..<Self.rounds {
            for server in servers { runs[server.name, default: []].append(try run(on: server, seconds: turn)) }
        }
        return runs
    }

    /// Prints the medians of each server.
    func say(_ runs: [String: [Run]], of suite: String) {
        for (name, runs) in runs.sorted(by: { $0.key < $1.key }) {
            let wall = Int(runs.map(\.requestsPerSecond).median), core = Int(runs.map(\.requestsPerCoreSecond).median)
            Terminal.say("\(suite): \(name) \(wall) requests/s, \(core) requests per second of processor time")
        }
    }

    /// Sends requests to a server for `seconds`.
    func run(on server: BenchServer, seconds: Int) throws -> Run {
        let process = Process(), output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        let url = "\(scheme)://127.0.0.1:\(server.port)\(target)"
        // A late response is not an error, so the time-out is long.
        var arguments = ["taskset", "-c", cores.map { "\($0)" }.joined(separator: ","), "wrk", "-t\(cores.count)"]
        arguments += ["-c\(clients)", "-d\(seconds)s", "--timeout", "30s", "--latency", url]
        if let script { arguments += ["-s", script] }
        if let field = fields[server.name] { arguments += ["-H", field] }
        process.arguments = arguments
        process.standardOutput = output
        if let log = server.log { truncate(log, 0) }
        let start = server.processorTime
        try process.run()
        let report = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let used = server.processorTime - start
        guard let rate = Self.number(after: "Requests/sec:", in: report),
            let total = Self.number(before: " requests in ", in: report), rate > 0, used > 0,
            !report.contains("Non-2xx"), !report.contains("Socket errors")
        else { throw BadAnswers(server: server.name, report: report) }
        return Run(
            requestsPerSecond: rate, requestsPerCoreSecond: total / used,
            // With the blank, because a standard deviation can be 91.99%.
            tailMilliseconds: Self.milliseconds(after: " 99%", in: report) ?? .nan)
    }

    private static func word(after mark: String, in text: String) -> Substring? {
        text.range(of: mark).flatMap { text[$0.upperBound...].split(whereSeparator: \.isWhitespace).first }
    }

    private static func number(after mark: String, in text: String) -> Double? {
        word(after: mark, in: text).flatMap { Double($0) }
    }

    private static func number(before mark: String, in text: String) -> Double? {
        text.range(of: mark).flatMap { text[..<$0.lowerBound].split(whereSeparator: \.isWhitespace).last }
            .flatMap { Double($0) }
    }

    private static func milliseconds(after mark: String, in text: String) -> Double? {
        guard let word = word(after: mark, in: text) else { return nil }
        let units = [("us", 0.001), ("ms", 1.0), ("s", 1000.0)]
        guard let (unit, scale) = units.first(where: { word.hasSuffix($0.0) }) else { return nil }
        return Double(word.dropLast(unit.count)).map { $0 * scale }
    }
}
