import Foundation

/// Weir and nginx under the same load, in turn.
struct LoadContest {
    /// A figure: a value of Weir's runs divided by that of a peer's.
    struct Ratio {
        let name: String
        let peer: FileServer
        let bar: Figure.Bar
        let value: (Load.Run) -> Double

        init(
            _ name: String, _ bar: Figure.Bar, of value: @escaping (Load.Run) -> Double, to peer: FileServer = .plain
        ) {
            (self.name, self.bar, self.value, self.peer) = (name, bar, value, peer)
        }
    }

    private enum Requests {
        case plain
        /// With the entity tag of the content, so that the answer is a 304.
        case conditional
        /// As the script among the peers says.
        case scripted(String)
    }

    let name: String
    private var requests = Requests.plain
    private var usesBothCores = false
    /// The share of the suite's time.
    private let share: Double
    let ratios: [Ratio]

    /// The contests in the order in which they run.
    static var all: [LoadContest] {
        [
            LoadContest(
                name: "server.stored", share: 1.34,
                ratios: [
                    Ratio("perRequest", .atMost(0.95), of: \.secondsPerRequest),
                    Ratio("perRequestVsLog", .atMost(0.8), of: \.secondsPerRequest, to: .logging),
                    Ratio("perRequestVsTuned", .atMost(1), of: \.secondsPerRequest, to: .tuned),
                    Ratio("throughput", .atLeast(1), of: \.requestsPerSecond),
                    Ratio("tail", .none, of: \.tailMilliseconds),
                ]),
            LoadContest(
                name: "server.paced", requests: .scripted("pause.lua"), share: 0.67,
                ratios: [Ratio("tail", .atMost(1), of: \.tailMilliseconds)]),
            LoadContest(
                name: "server.notModified", requests: .conditional, share: 0.34,
                ratios: [Ratio("perRequest", .atMost(1.1), of: \.secondsPerRequest)]),
            LoadContest(
                name: "server.pipelined", requests: .scripted("pipeline.lua"), share: 0.34,
                ratios: [
                    Ratio("perRequest", .atMost(0.95), of: \.secondsPerRequest, to: .tuned),
                    Ratio("throughput", .atLeast(1), of: \.requestsPerSecond, to: .tuned),
                ]),
            LoadContest(
                name: "server.twoCores", usesBothCores: true, share: 0.67,
                ratios: [
                    Ratio("perCoreSecond", .atLeast(1.2), of: \.requestsPerCoreSecond),
                    Ratio("throughput", .atLeast(1), of: \.requestsPerSecond),
                ]),
        ]
    }

    /// Starts the servers, runs the load and reports the figures.
    func run(_ load: Load, _ folder: BenchFolder, seconds: Double, _ report: (Figure) -> Void) throws {
        let cores = usesBothCores ? [BenchServer.ownCore, BenchServer.otherCore] : [BenchServer.ownCore]
        let peers = FileServer.allCases.filter { peer in ratios.contains { $0.peer == peer } }
        guard let weir = try BenchServer.stored(folder, cores: cores) else { return }
        let servers = try [weir] + peers.compactMap { try BenchServer.file(folder, cores: cores, as: $0) }
        guard servers.count > peers.count else { return Terminal.say("skipped: \(name), it needs nginx") }
        var load = load
        load.target = "/"
        if usesBothCores { load.cores = cores }
        switch requests {
        case .plain: break
        case .conditional: for server in servers { load.fields[server.name] = try Self.condition(for: server) }
        case .scripted(let script): load.script = Peers.folder + "/" + script
        }
        for server in servers { _ = try load.run(on: server, seconds: 1) }
        let runs = try load.takeTurns(on: servers, seconds: seconds * share)
        load.say(runs, of: name)
        for ratio in ratios {
            guard let ours = runs[weir.name], let theirs = runs[ratio.peer.rawValue] else { continue }
            let value = zip(ours, theirs).map { ratio.value($0) / ratio.value($1) }.median
            report(Figure(name: name + "." + ratio.name, value: value, bar: ratio.bar))
        }
    }

    /// The field for which the server answers a request for its content with a 304.
    private static func condition(for server: BenchServer) throws -> String {
        let connection = BenchConnection(port: server.port)
        let tag = connection?.get().flatMap { BenchConnection.value(of: "ETag", in: $0) }
        let condition = "If-None-Match: " + (tag ?? "")
        let answer = connection?.get(condition) ?? "no answer"
        guard tag != nil, answer.hasPrefix("HTTP/1.1 304 ") else {
            throw Load.BadAnswers(server: server.name, report: answer)
        }
        return condition
    }
}
