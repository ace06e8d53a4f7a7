import Foundation

/// The whole way of a request that no cache answers: fetch a Dark Sky answer of 30 KB, normalize it, answer.
///
/// Each contestant has one core to itself; the upstream and the clients share the other one. The peers do less: they
/// decode and encode.
final class GatewaySuite: Suite {
    static let name = "gateway"
    static let names = bars.map { "gateway.weather.\($0.figure)" }

    /// The bars of the peers, by what they are called.
    private static let bars: [(name: String, figure: String, bar: Figure.Bar)] = [
        ("nginx", "vsNginx", .atLeast(3)), ("node", "vsNode", .atLeast(5)), ("nodeAgent", "vsNodeAgent", .none),
        ("fastapi", "vsFastAPI", .atLeast(10)),
    ]
    private static let rounds = 5

    private let seconds: Double
    private let folder: BenchFolder
    private var servers: [GatewayServer] = []

    init(_ options: SuiteOptions) throws {
        seconds = options.seconds
        let document = Document.darkSky(options)
        folder = try BenchFolder(document: document.bytes)
        Terminal.say("gateway: \(document.origin), \(document.bytes.count) bytes")
        guard let load = Load.find() else {
            Terminal.say("skipped: gateway, there is no wrk, no taskset or only one core")
            return
        }
        guard let upstream = try GatewayServer.upstream(folder) else {
            Terminal.say("skipped: gateway, there is no nginx to be the upstream")
            return
        }
        servers = [upstream]
        for (name, start) in GatewayServer.contestants {
            guard let server = try start(folder, upstream.port) else {
                Terminal.say("skipped: gateway's \(name), it is not installed")
                continue
            }
            servers.append(server)
            _ = try load.run(on: server, seconds: 1)
        }
    }

    func contestants() throws -> [Contestant] { [] }

    func run(_ tell: (Figure) -> Void) throws {
        guard let load = Load.find(), servers.contains(where: { $0.name == "weir" }) else { return }
        let contestants = servers.filter { $0.name != "upstream" }
        let turn = max(1, Int(seconds / Double(Self.rounds * contestants.count)))
        var runs: [String: [Load.Run]] = [:]
        for _ in 0..<Self.rounds {
            for server in contestants { runs[server.name, default: []].append(try load.run(on: server, seconds: turn)) }
        }
        for (name, runs) in runs.sorted(by: { $0.key < $1.key }) {
            let wall = runs.map(\.requestsPerSecond).median, core = runs.map(\.requestsPerCoreSecond).median
            let latency = runs.map(\.tailMilliseconds).median
            Terminal.say(
                "gateway: \(name) \(Int(wall)) requests/s, \(Int(core)) a second of its core, p99 \(Figure.text(latency)) ms"
            )
        }
        guard let ours = runs["weir"] else { return }
        for (name, figure, bar) in Self.bars {
            guard let theirs = runs[name] else { continue }
            let wall = zip(ours, theirs).map { $0.requestsPerSecond / $1.requestsPerSecond }.median
            Terminal.say(
                "gateway: \(Figure.text(wall)) times as many requests a second as \(name), whatever was waited for")
            let ratio = zip(ours, theirs).map { $0.requestsPerCoreSecond / $1.requestsPerCoreSecond }.median
            tell(Figure(name: "gateway.weather.\(figure)", value: ratio, bar: bar))
        }
    }
}
