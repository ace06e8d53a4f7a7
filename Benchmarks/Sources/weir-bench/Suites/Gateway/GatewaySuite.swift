import Foundation

/// A whole request: fetch a Dark Sky answer of 34 KB, normalize it, respond.
///
/// Each contestant has one core; the upstream and the clients share the other one. The peers do less: see README.md.
final class GatewaySuite: Suite {
    static let name = "gateway"
    static let names = bars.map { "gateway.weather.\($0.figure)" }

    /// The peers with the names and the bars of their figures.
    private static let bars: [(name: String, figure: String, bar: Figure.Bar)] = [
        ("nginx", "vsNginx", .atLeast(3.5)), ("node", "vsNode", .atLeast(5)), ("nodeAgent", "vsNodeAgent", .none),
        ("fastapi", "vsFastAPI", .atLeast(10)),
    ]

    private let seconds: Double
    private let folder: BenchFolder
    private var servers: [BenchServer] = []

    init(_ options: SuiteOptions) throws {
        seconds = options.seconds
        let document = Document.darkSky(options)
        folder = try BenchFolder(document: document.bytes)
        Terminal.say("gateway: \(document.origin), \(document.bytes.count) bytes")
        guard let load = Load.find() else {
            Terminal.say("skipped: gateway, it needs wrk, taskset and two cores")
            return
        }
        guard let upstream = try BenchServer.upstream(folder) else {
            Terminal.say("skipped: gateway, it needs nginx as the upstream")
            return
        }
        servers = [upstream]
        for (name, start) in BenchServer.contestants {
            guard let server = try start(folder, upstream.port) else {
                Terminal.say("skipped: gateway, \(name) is not installed")
                continue
            }
            servers.append(server)
            _ = try load.run(on: server, seconds: 1)
        }
    }

    func contestants() throws -> [Contestant] { [] }

    func run(_ report: (Figure) -> Void) throws {
        guard let load = Load.find(), servers.contains(where: { $0.name == "weir" }) else { return }
        let contestants = servers.filter { $0.name != "upstream" }
        let runs = try load.takeTurns(on: contestants, seconds: seconds)
        for (name, runs) in runs.sorted(by: { $0.key < $1.key }) {
            let wall = runs.map(\.requestsPerSecond).median, core = runs.map(\.requestsPerCoreSecond).median
            let latency = runs.map(\.tailMilliseconds).median
            Terminal.say(
                "gateway: \(name) \(Int(wall)) requests/s, \(Int(core)) requests per second of processor time, p99 \(Figure.text(latency)) ms"
            )
        }
        guard let ours = runs["weir"] else { return }
        for (name, figure, bar) in Self.bars {
            guard let theirs = runs[name] else { continue }
            let wall = zip(ours, theirs).map { $0.requestsPerSecond / $1.requestsPerSecond }.median
            Terminal.say(
                "gateway: \(Figure.text(wall)) times the requests/s of \(name), by the clock")
            let ratio = zip(ours, theirs).map { $0.requestsPerCoreSecond / $1.requestsPerCoreSecond }.median
            report(Figure(name: "gateway.weather.\(figure)", value: ratio, bar: bar))
        }
    }
}
