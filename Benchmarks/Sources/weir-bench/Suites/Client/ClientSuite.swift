import Foundation

/// The server and the client without anything in between: passing answers of 40 KB through, and waiting for many at once.
///
/// Each contestant has one core; the upstream and the clients share the other one.
final class ClientSuite: Suite {
    static let name = "client"
    static let names = bars.map { "client.passThrough.\($0.figure)" } + slowNames

    private static let bars: [(name: String, figure: String, bar: Figure.Bar)] = [
        ("nginx", "vsNginx", .atLeast(0.6)), ("resty", "vsLua", .atLeast(1.2)), ("go", "vsGo", .none),
        ("goDefault", "vsGoDefault", .atLeast(2)),
    ]
    private static let slowNames = ["client.slow.perSecond", "client.slow.p99", "client.slow.megabytes"]
    /// The upstream of the slow figures answers after 200 ms.
    private static let slowClients = 1000, slowSeconds = 5

    private let seconds: Double
    private let folder: BenchFolder

    init(_ options: SuiteOptions) throws {
        seconds = options.seconds
        folder = try BenchFolder(numbersOf: 40_950)
    }

    func contestants() throws -> [Contestant] { [] }

    func run(_ report: (Figure) -> Void) throws {
        guard let load = Load.find() else {
            return Terminal.say("skipped: client, it needs wrk, taskset and two cores")
        }
        try passThrough(load, report)
        try waitForMany(load, report)
    }

    private func passThrough(_ load: Load, _ report: (Figure) -> Void) throws {
        guard let upstream = try BenchServer.upstream(folder) else {
            return Terminal.say("skipped: client, it needs nginx as the upstream")
        }
        var servers: [BenchServer] = []
        for (name, start) in BenchServer.proxies {
            guard let server = try start(folder, upstream.port) else {
                Terminal.say("skipped: client, \(name) is not installed")
                continue
            }
            servers.append(server)
            _ = try load.run(on: server, seconds: 1)
        }
        let runs = try load.takeTurns(on: servers, seconds: seconds)
        load.say(runs, of: Self.name)
        guard let ours = runs["weir"] else { return }
        for (name, figure, bar) in Self.bars {
            guard let theirs = runs[name] else { continue }
            let ratio = zip(ours, theirs).map { $0.requestsPerCoreSecond / $1.requestsPerCoreSecond }.median
            report(Figure(name: "client.passThrough.\(figure)", value: ratio, bar: bar))
        }
    }

    private func waitForMany(_ load: Load, _ report: (Figure) -> Void) throws {
        guard let upstream = try BenchServer.slowUpstream(folder),
            let server = try BenchServer.passthrough(port: 18325, upstream.port)
        else { return Terminal.say("skipped: client, it needs nginx with Lua as the slow upstream") }
        var load = load
        load.clients = Self.slowClients
        let runs = try (0..<3).map { _ in try load.run(on: server, seconds: Self.slowSeconds) }
        let values = [
            runs.map(\.requestsPerSecond).median, runs.map(\.tailMilliseconds).median, server.peakMegabytes,
        ]
        let bars: [Figure.Bar] = [.atLeast(3000), .atMost(350), .atMost(150)]
        for ((name, value), bar) in zip(zip(Self.slowNames, values), bars) {
            report(Figure(name: name, value: value, bar: bar))
        }
    }
}
