import Foundation

/// Answers from memory: `/weather` with routing, look-up, header fields, metrics and access log, against caches that keep the
/// same bytes.
final class CacheSuite: Suite {
    static let name = "cache"
    static let names = CacheContest.all.flatMap { contest in contest.ratios.map { contest.name + "." + $0.name } }

    private let seconds: Double
    private let folder: BenchFolder

    init(_ options: SuiteOptions) throws {
        seconds = options.seconds
        folder = try BenchFolder(document: Document.darkSky(options).bytes)
    }

    func contestants() throws -> [Contestant] { [] }

    func run(_ report: (Figure) -> Void) throws {
        guard let load = Load.find(), let upstream = try BenchServer.upstream(folder) else {
            return Terminal.say("skipped: cache, it needs wrk, taskset, two cores and nginx")
        }
        try withExtendedLifetime(upstream) {
            for contest in CacheContest.all { try contest.run(load, folder, seconds: seconds, report) }
        }
    }
}

/// Weir, nginx and Varnish with the same answer in memory, in turn.
struct CacheContest {
    /// A figure: a value of Weir's runs divided by that of a peer's.
    struct Ratio {
        let name: String
        let bar: Figure.Bar
        let value: (Load.Run) -> Double
        let peer: String
        let factor: Double

        init(
            _ name: String, _ bar: Figure.Bar, of value: @escaping (Load.Run) -> Double, to peer: String = "nginx",
            times factor: Double = 1
        ) {
            (self.name, self.bar, self.value, self.peer, self.factor) = (name, bar, value, peer, factor)
        }

        var withoutBar: Ratio { Ratio(name, .none, of: value, to: peer, times: factor) }
    }

    private enum Answer {
        /// About 1.2 KB.
        case small
        /// The whole document.
        case large
        /// The whole document with gzip.
        case compressed
        /// A 304.
        case notModified

        var target: String {
            let place = "/weather?lat=37.8267&lon=-122.4233"
            let day = ["time", "icon", "temperatureHigh", "temperatureLow", "precipProbability"]
            let fields = ["currently"] + day.map { "daily.data." + $0 } + ["flags"]
            return self == .small ? place + "&fields=" + fields.joined(separator: ",") : place
        }
    }

    let name: String
    private let answer: Answer
    private var usesBothCores = false
    /// The share of the suite's time.
    private let share: Double
    let ratios: [Ratio]

    /// The contests in the order in which they run.
    static var all: [CacheContest] {
        [
            CacheContest(name: "cache.small", answer: .small, share: 1, ratios: standard),
            CacheContest(name: "cache.large", answer: .large, share: 1, ratios: standard),
            CacheContest(name: "cache.gzip", answer: .compressed, share: 0.5, ratios: standard),
            CacheContest(
                name: "cache.notModified", answer: .notModified, share: 0.5,
                ratios: standard.map { $0.name == "perRequest" ? $0.withoutBar : $0 }),
            CacheContest(
                name: "cache.twoCores", answer: .small, usesBothCores: true, share: 0.5,
                ratios: [
                    // Twice the work of a core: with both cores, the clients take a part of them.
                    Ratio("scaling", .atLeast(1.8), of: \.requestsPerCoreSecond, to: "weirAlone", times: 2)
                ]),
        ]
    }

    private static var standard: [Ratio] {
        [
            Ratio("throughput", .atLeast(1), of: \.requestsPerSecond),
            Ratio("perRequest", .atMost(0.9), of: \.secondsPerRequest),
            Ratio("tail", .atMost(1), of: \.tailMilliseconds),
            Ratio("perRequestVsVarnish", .atMost(0.9), of: \.secondsPerRequest, to: "varnish"),
        ]
    }

    /// Starts the servers, runs the load and reports the figures.
    func run(_ load: Load, _ folder: BenchFolder, seconds: Double, _ report: (Figure) -> Void) throws {
        let cores = usesBothCores ? [BenchServer.ownCore, BenchServer.otherCore] : [BenchServer.ownCore]
        guard let weir = try BenchServer.cachingWeir(folder, cores: cores) else {
            return Terminal.say("skipped: \(name), it needs the release build of weir")
        }
        let peers =
            usesBothCores
            ? [try BenchServer.cachingWeir(folder, cores: [BenchServer.ownCore], name: "weirAlone", port: 18344)]
            : [try BenchServer.cachingNginx(folder, weir.port), try BenchServer.varnish(folder, weir.port)]
        let servers = [weir] + peers.compactMap { $0 }
        var load = load
        load.target = answer.target
        if usesBothCores { load.cores = cores }
        for server in servers {
            // The first request of a cache asks Weir; the second one has the header fields of a hit.
            let field = answer == .compressed ? "Accept-Encoding: gzip" : nil
            guard let connection = BenchConnection(port: server.port),
                connection.get(field, target: load.target) != nil,
                let hit = connection.get(field, target: load.target)
            else { throw Load.BadAnswers(server: server.name, report: "no answer") }
            if answer == .notModified {
                let tag = BenchConnection.value(of: "ETag", in: hit) ?? ""
                load.fields[server.name] = "If-None-Match: " + tag
            } else if let field {
                load.fields[server.name] = field
            }
            let length = BenchConnection.value(of: "Content-Length", in: hit) ?? "?"
            Terminal.say("\(name): \(server.name) answers with \(length) bytes")
        }
        for server in servers { _ = try load.run(on: server, seconds: 1) }
        let runs = try load.takeTurns(on: servers, seconds: seconds * share)
        load.say(runs, of: name)
        for ratio in ratios {
            guard let ours = runs[weir.name], let theirs = runs[ratio.peer] else { continue }
            let value = zip(ours, theirs).map { ratio.value($0) / ratio.value($1) }.median
            report(Figure(name: name + "." + ratio.name, value: ratio.factor * value, bar: ratio.bar))
        }
    }
}

extension BenchServer {
    /// Starts Weir with a cache, its access log in a file.
    fileprivate static func cachingWeir(
        _ folder: BenchFolder, cores: [Int], name: String = "weir", port: Int = 18341
    ) throws -> BenchServer? {
        let configuration = try folder.write(
            """
            {"listen": "127.0.0.1:\(port)", "shards": \(cores.count),
             "cache": {"weather": {"defaultSeconds": 3600}},
             "upstreams": [{"name": "source", "dialect": "darkSky", "baseURL": "http://127.0.0.1:18310",
                            "key": {"environment": "WEIR_BENCH_KEY"}}],
             "weather": {"upstreams": ["source"]}}
            """, as: "\(name).json")
        let log = "exec \"$0\" \"$@\" > \(folder.path)/\(name).log"
        let command = ["sh", "-c", log, ".build/release/weir", "serve", "--config", configuration]
        return try BenchServer(
            name, cores: cores, port: port, ["env", "WEIR_BENCH_KEY=-"] + imageVariables + command)
    }

    /// Starts nginx with a cache of Weir's answers.
    fileprivate static func cachingNginx(_ folder: BenchFolder, _ upstream: Int) throws -> BenchServer? {
        let words = ["port": "18342", "workers": "1", "log": "off", "upstream": "\(upstream)"]
        let file = try folder.fill("cached.conf", words)
        return try BenchServer("nginx", core: ownCore, port: 18342, ["nginx", "-c", file])
    }

    /// Starts Varnish with a cache of Weir's answers.
    fileprivate static func varnish(_ folder: BenchFolder, _ upstream: Int) throws -> BenchServer? {
        let file = try folder.fill("cached.vcl", ["upstream": "\(upstream)"])
        let arguments = ["-F", "-a", "127.0.0.1:18343", "-f", file, "-s", "malloc,64m", "-n", folder.path + "/varnish"]
        // It closes all files that it inherits, by one of which Foundation notices that a process has ended.
        let script = "trap 'kill $server' TERM; \"$0\" \"$@\" & server=$!; wait $server"
        return try BenchServer(
            "varnish", core: ownCore, port: 18343, ["sh", "-c", script, "varnishd"] + arguments)
    }
}
