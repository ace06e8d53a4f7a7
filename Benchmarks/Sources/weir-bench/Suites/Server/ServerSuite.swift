import Foundation

/// The server alone: stored answers, counted and logged, against nginx with a file of the same content.
///
/// With one core, the clients have the other one.
final class ServerSuite: Suite {
    static let name = "server"
    static let names =
        LoadContest.all.flatMap { contest in contest.ratios.map { contest.name + "." + $0.name } }
        + TLSContest.names + IdleContest.names

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
            try TLSContest().run(load, folder, seconds: seconds, report)
        } else {
            Terminal.say("skipped: server under load, it needs wrk, taskset and two cores")
        }
        try IdleContest().run(report)
    }
}

extension BenchServer {
    /// Starts `stored` with one shard per core, and with TLS if there are the paths of a certificate and its key.
    static func stored(
        _ folder: BenchFolder, cores: [Int] = [ownCore], port: Int = 18331, certificate: [String] = []
    ) throws -> BenchServer? {
        let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().path + "/stored"
        // Appends, so that the log can be emptied while it is open.
        let script = "exec \"$0\" \"$@\" >> \(folder.path)/weir.log"
        let arguments = ["\(port)", folder.path + "/document.json", "\(cores.count)"] + certificate
        let server = try BenchServer(
            "weir", cores: cores, port: port, ["env"] + imageVariables + ["sh", "-c", script, program] + arguments)
        server?.log = folder.path + "/weir.log"
        return server
    }

    /// Starts nginx with one worker per core.
    static func file(_ folder: BenchFolder, cores: [Int] = [ownCore], as kind: FileServer = .plain) throws
        -> BenchServer?
    {
        let log = folder.path + "/access.log"
        let words = [
            "port": "\(kind.port)", "workers": "\(cores.count)", "sendfile": kind == .tuned ? "off" : "on",
            "log": kind == .logging ? log : "off",
        ]
        // It listens when this returns, so the next one can replace the file.
        let file = try folder.fill("static.conf", words)
        let server = try BenchServer(kind.rawValue, cores: cores, port: kind.port, ["nginx", "-c", file])
        if kind == .logging { server?.log = log }
        return server
    }
}

/// A configuration of nginx as a server of files.
enum FileServer: String, CaseIterable {
    /// As Debian configures it, without an access log.
    case plain = "nginx"
    /// The same with its access log.
    case logging = "nginxLog"
    /// Without sendfile, so that head and content take one system call: a quarter less processor time for 1.2 KB.
    case tuned = "nginxTuned"

    fileprivate var port: Int {
        switch self {
        case .plain: 18332
        case .logging: 18333
        case .tuned: 18334
        }
    }
}
