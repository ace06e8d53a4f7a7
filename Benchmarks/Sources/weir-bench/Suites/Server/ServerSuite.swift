import Foundation

/// The server alone: a stored answer of 1.2 KB, counted and logged, against nginx with a file of that size.
///
/// Each contestant has one core; the clients have the other one.
final class ServerSuite: Suite {
    static let name = "server"
    static let names = [
        "server.stored.perRequest", "server.stored.perRequestVsLog", "server.stored.throughput", "server.stored.tail",
    ]

    private let seconds: Double
    private let folder: BenchFolder

    init(_ options: SuiteOptions) throws {
        seconds = options.seconds
        folder = try BenchFolder(numbersOf: 1190)
    }

    func contestants() throws -> [Contestant] { [] }

    func run(_ report: (Figure) -> Void) throws {
        guard var load = Load.find() else {
            return Terminal.say("skipped: server, it needs wrk, taskset and two cores")
        }
        load.target = "/"
        guard let weir = try stored(), let nginx = try file("nginx", port: 18332, log: "off"),
            let logging = try file("nginxLog", port: 18333, log: folder.path + "/access.log")
        else { return Terminal.say("skipped: server, it needs nginx") }
        let servers = [weir, nginx, logging]
        for server in servers { _ = try load.run(on: server, seconds: 1) }
        let runs = try load.takeTurns(on: servers, seconds: seconds)
        load.say(runs, of: Self.name)
        func ratio(_ peer: BenchServer, _ value: (Load.Run) -> Double) -> Double {
            zip(runs[weir.name] ?? [], runs[peer.name] ?? []).map { value($0) / value($1) }.median
        }
        let values = [
            ratio(nginx) { 1 / $0.requestsPerCoreSecond }, ratio(logging) { 1 / $0.requestsPerCoreSecond },
            ratio(nginx, \.requestsPerSecond), ratio(nginx, \.tailMilliseconds),
        ]
        let bars: [Figure.Bar] = [.atMost(0.95), .atMost(0.8), .atLeast(1), .atMost(1)]
        for ((name, value), bar) in zip(zip(Self.names, values), bars) {
            report(Figure(name: name, value: value, bar: bar))
        }
    }

    private func stored() throws -> BenchServer? {
        let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().path + "/stored"
        let log = "exec \"$0\" \"$@\" > \(folder.path)/weir.log"
        let command = ["sh", "-c", log, program, "18331", folder.path + "/document.json"]
        return try BenchServer("weir", core: BenchServer.ownCore, port: 18331, command)
    }

    private func file(_ name: String, port: Int, log: String) throws -> BenchServer? {
        // It listens when this returns, so the next one can replace the file.
        let file = try folder.fill("static.conf", ["port": "\(port)", "log": log])
        return try BenchServer(name, core: BenchServer.ownCore, port: port, ["nginx", "-c", file])
    }
}
