import Foundation

/// The server alone: stored answers, counted and logged, against nginx with a file of the same content.
///
/// With one core, the clients have the other one.
final class ServerSuite: Suite {
    static let name = "server"
    static let names =
        LoadContest.all.flatMap { contest in contest.ratios.map { contest.name + "." + $0.name } }
        + IdleContest.names

    private let seconds: Double
    private let folder: BenchFolder

    init(_ options: SuiteOptions) throws {
        seconds = options.seconds
        folder = try BenchFolder(numbersOf: 1190)
    }

    func contestants() throws -> [Contestant] { [] }

    func run(_ report: (Figure) -> Void) throws {
        if let load = Load.find() {
            for contest in LoadContest.all { try contest.run(load, folder, seconds: seconds, report) }
        } else {
            Terminal.say("skipped: server under load, it needs wrk, taskset and two cores")
        }
        try IdleContest().run(report)
    }
}

extension BenchServer {
    /// Starts `stored` with one shard per core.
    static func stored(_ folder: BenchFolder, cores: [Int] = [ownCore]) throws -> BenchServer? {
        let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().path + "/stored"
        let log = "exec \"$0\" \"$@\" > \(folder.path)/weir.log"
        let arguments = ["18331", folder.path + "/document.json", "\(cores.count)"]
        return try BenchServer("weir", cores: cores, port: 18331, ["sh", "-c", log, program] + arguments)
    }

    /// Starts nginx with one worker per core; with `logs` it writes an access log.
    static func file(_ folder: BenchFolder, cores: [Int] = [ownCore], logs: Bool = false) throws -> BenchServer? {
        let port = logs ? 18333 : 18332
        let words = [
            "port": "\(port)", "workers": "\(cores.count)", "log": logs ? folder.path + "/access.log" : "off",
        ]
        // It listens when this returns, so the next one can replace the file.
        let file = try folder.fill("static.conf", words)
        return try BenchServer(logs ? "nginxLog" : "nginx", cores: cores, port: port, ["nginx", "-c", file])
    }
}
