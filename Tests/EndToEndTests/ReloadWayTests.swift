import Foundation
import TestSupport
import Testing

/// The ways to reload a configuration, and what a reload does to listeners, under load.
@Suite("Ways to reload", .timeLimit(.minutes(30)))
struct ReloadWayTests {
    /// What makes a service read its configuration again.
    enum Way: String, CaseIterable {
        case signal, request, watch
    }

    /// The reloads of each way under load; with `WEIR_RELOADS` another number.
    private static let reloads = ProcessInfo.processInfo.environment["WEIR_RELOADS"].flatMap { Int($0) } ?? 20

    /// Clients that ask one after another for forecasts on open connections, until the end.
    private final class Load: Sendable {
        private let isOver = Watched(false), results = Watched<[[Int]]>([]), answered = Watched(0)
        private let clients: Int

        init(_ address: String, clients: Int) {
            self.clients = clients
            for _ in 0..<clients {
                Thread.detachNewThread { [self] in
                    var statuses: [Int] = []
                    let client = try? RawClient(address)
                    while !isOver.current {
                        statuses.append((try? client?.get(weather).status) ?? -1)
                        answered.update { $0 += 1 }
                    }
                    results.update { $0.append(statuses) }
                }
            }
        }

        /// Waits for more answers.
        func advance(_ count: Int = 10) {
            let seen = answered.current
            _ = answered.wait { $0 >= seen + count ? true : nil }
        }

        /// The statuses of all answers; -1 for one that was lost.
        func finish() -> [Int] {
            isOver.update { $0 = true }
            return results.wait(seconds: 60) { $0.count == clients ? $0.flatMap(\.self) : nil } ?? [-1]
        }
    }

    private static func text(
        _ upstream: String, listen: String = #""127.0.0.1:0""#, server: String = "", root: String = "", grace: Int = 50
    ) -> String {
        configuration([upstream], server: ["drainTimeoutMilliseconds": 30 * grace]).replacing(
            #""listen": "127.0.0.1:0""#, with: #"\#(root)"listen": \#(listen)"#
        )
        .replacing(#""server": {"#, with: #""server": {"operationsListen": "127.0.0.1:0", \#(server)"#)
    }

    private static func upstream() throws -> ScriptedUpstream { try ScriptedUpstream { _ in .answer(smallForecast) } }

    @Test("No answer is lost over many reloads, of which every tenth is refused", arguments: Way.allCases)
    func load(way: Way) throws {
        let upstreams = try (0..<2).map { _ in try Self.upstream() }
        defer { for upstream in upstreams { upstream.stop() } }
        let service = try OperatedWeir(Self.text(upstreams[0].baseURL), way == .watch ? ["--watch"] : [])
        defer { service.end() }
        let load = Load(try service.weir.address(), clients: 8)
        var accepted = 0
        for number in 1...Self.reloads {
            load.advance()
            let isBad = number % 10 == 0
            if !isBad { accepted += 1 }
            let fault = isBad ? "\"fault\(number)\": 1, " : ""
            let text = Self.text(upstreams[accepted % 2].baseURL, root: fault)
            switch way {
            case .request:
                let report = try service.reload(text, isBad ? 422 : 200)
                if !isBad { #expect(report["number"].integer == accepted) }
                continue
            case .signal:
                try service.folder.write(text, to: "weir.json")
                service.weir.send(signal: SIGHUP)
            case .watch: try service.folder.write(text, to: "weir.json")
            }
            if isBad {
                _ = try service.weir.logLine("configuration refused") {
                    $0["detail"].string?.contains("fault\(number) is not a setting") == true
                }
            } else {
                _ = try service.weir.logLine("configuration reloaded") { $0["number"].integer == accepted }
            }
        }
        let statuses = load.finish()
        #expect(Set(statuses) == [200], "\(Set(statuses))")
        #expect(statuses.count >= 10 * Self.reloads)
        #expect(try service.weir.terminate() == 0)
    }

    @Test("A listener is added and removed under load; requests in flight end, and others are told to close")
    func listeners() throws {
        let (isAsked, gate) = (Gate(), Gate())
        let upstream = try ScriptedUpstream { head in
            if head.contains("/10,") {
                isAsked.open()
                gate.pass()
            }
            return .answer(smallForecast)
        }
        defer { upstream.stop() }
        func text(_ listen: String) -> String { Self.text(upstream.baseURL, listen: listen, grace: 20_000) }
        let service = try OperatedWeir(text(#""127.0.0.1:0""#))
        defer { service.end() }
        let load = Load(try service.weir.address(), clients: 4)
        load.advance()
        let added = try service.reload(text(#"["127.0.0.1:0", "127.0.0.2:0"]"#))
        #expect(added["changed"].elements.map(\.string) == ["listen"])
        #expect(added["needsRestart"].elements.isEmpty)
        let line = try service.weir.logLine("listening") { $0["address"].string?.hasPrefix("127.0.0.2:") == true }
        let address = try #require(line["address"].string)
        let (waiting, idle) = (try RawClient(address), try RawClient(address))
        #expect(try idle.get(weather).header("Connection") == nil)
        waiting.send("GET /weather?lat=10&lon=10 HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(isAsked.pass())
        load.advance()
        try service.reload(text(#""127.0.0.1:0""#))
        _ = try service.weir.logLine("listening no more") { $0["address"].string == address }
        let last = try idle.get(weather)
        #expect(last.status == 200 && last.header("Connection") == "close")
        #expect(throws: (any Error).self) { try RawClient(address).get(weather) }
        gate.open()
        #expect(try waiting.read().status == 200)
        load.advance()
        #expect(Set(load.finish()) == [200])
        // The socket can be opened again, and the address for operators can move.
        try service.reload(text(#"["127.0.0.1:0", "127.0.0.2:0"]"#))
        let moved = text(#""127.0.0.1:0""#).replacing(
            #""operationsListen": "127.0.0.1:0""#, with: #""operationsListen": "127.0.0.2:0""#)
        let report = try service.reload(moved)
        #expect(report["changed"].elements.map(\.string) == ["listen", "server.operationsListen"])
        #expect(try service.weir.get("/livez").status == 200)
        #expect(throws: (any Error).self) { try service.ask("/livez") }
    }

    @Test("A listener whose address is taken refuses the reload, and leaves no socket behind")
    func taken() throws {
        let upstream = try Self.upstream()
        defer { upstream.stop() }
        let service = try OperatedWeir(Self.text(upstream.baseURL))
        defer { service.end() }
        let (path, taken) = (service.folder.path("s"), upstream.baseURL.dropFirst("http://".count))
        let problem = try service.reload(
            Self.text(upstream.baseURL, listen: #"["127.0.0.1:0", "unix:\#(path)", "\#(taken)"]"#), 422)
        #expect(problem["type"].string == "urn:weir:problem:configuration-refused")
        #expect(problem["detail"].string?.contains("cannot listen on \(taken): Address already in use") == true)
        #expect(!FileManager.default.fileExists(atPath: path))
        let inherited = try service.reload(Self.text(upstream.baseURL, listen: #"["127.0.0.1:0", "fd:3"]"#), 422)
        #expect(inherited["detail"].string?.contains("fd:3, which must be there at the start") == true)
        #expect(try service.weir.get(weather).status == 200)
        try service.reload(Self.text(upstream.baseURL, listen: #"["127.0.0.1:0", "unix:\#(path)"]"#))
        #expect(FileManager.default.fileExists(atPath: path))
        try service.reload(Self.text(upstream.baseURL))
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("With --watch, the swapped link of a Kubernetes ConfigMap is followed")
    func configMap() throws {
        let upstreams = try (0..<3).map { _ in try Self.upstream() }
        let folder = try TemporaryFolder()
        defer {
            for upstream in upstreams { upstream.stop() }
            folder.remove()
        }
        /// Publishes a configuration as the kubelet does, and removes the former one.
        func publish(_ number: Int) throws {
            try folder.write(Self.text(upstreams[number].baseURL), to: "..\(number)/weir.json")
            let files = FileManager.default
            try files.createSymbolicLink(atPath: folder.path("..data_tmp"), withDestinationPath: "..\(number)")
            guard rename(folder.path("..data_tmp"), folder.path("..data")) == 0 else { throw Failure("rename") }
            if number > 0 { try files.removeItem(atPath: folder.path("..\(number - 1)")) }
        }
        try publish(0)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("weir.json"), withDestinationPath: "..data/weir.json")
        let weir = try WeirProcess(
            ["serve", "--watch", "--config", folder.path("weir.json")], environment: ["WEIR_TEST_KEY": "test-key"])
        defer { weir.kill() }
        _ = try weir.address()
        for number in 1...2 {
            try publish(number)
            let line = try weir.logLine("configuration reloaded") { $0["number"].integer == number }
            #expect(line["changed"].string == "upstreams[0].baseURL")
            #expect(try weir.get(weather).status == 200)
            #expect(upstreams[number].requests.count == 1)
        }
    }

    @Test("Reloads at the same time run one after another, and one that changes nothing says so")
    func together() throws {
        let upstream = try Self.upstream()
        defer { upstream.stop() }
        let service = try OperatedWeir(Self.text(upstream.baseURL))
        defer { service.end() }
        try service.folder.write(
            Self.text(upstream.baseURL, server: #""drainDelayMilliseconds": 1, "#), to: "weir.json")
        let results = Watched<[String]>([])
        for _ in 0..<8 {
            Thread.detachNewThread {
                let report = try? service.ask("/-/reload", method: "POST").json()
                results.update { $0.append(report?["result"].string ?? "none") }
            }
        }
        let all = try #require(results.wait { $0.count == 8 ? $0 : nil })
        #expect(all.sorted() == ["reloaded"] + Array(repeating: "unchanged", count: 7))
        service.weir.send(signal: SIGHUP)
        #expect(try service.weir.logLine("configuration unchanged")["hash"].string?.isEmpty == false)
    }

    @Test("Operators see the configuration, its sources and the last refusal; clients do not")
    func configurationInUse() throws {
        let upstream = try Self.upstream()
        defer { upstream.stop() }
        let base = "\(upstream.baseURL)/path-KEY-0123456789"
        let plain = Self.text(base).replacing("\"shards\": 2", with: #""shards": "${WEIR_TEST_SHARDS:-2}""#)
        let service = try OperatedWeir(plain, ["--set", "weather.units=us"])
        defer { service.end() }
        try expectProblem(service.weir.get("/-/config"), 404)
        try expectProblem(service.weir.get("/-/reload", method: "POST"), 404)
        let answer = try service.ask("/-/config")
        #expect(!answer.text.contains("KEY-0123") && !answer.text.contains("test-key-0123"))
        let report = try answer.json()
        #expect(report["settings"]["upstreams"][0]["baseURL"].string?.hasSuffix("/***") == true)
        #expect(report["settings"]["shards"].integer == 2 && report["settings"]["weather"]["units"].string == "us")
        let sources = report["sources"].elements.map { "\($0["setting"].string ?? "") \($0["source"].string ?? "")" }
        for source in ["listen file", "shards environment WEIR_TEST_SHARDS", "weather.units --set"] {
            #expect(sources.contains(source), "\(sources)")
        }
        #expect(!sources.contains { $0.hasPrefix("fetching.maximumBodyBytes") })

        let refused = try service.reload(plain.replacing("\"listen\"", with: "\"lisen\""), 422)
        #expect(refused["errors"][0]["parameter"].string == "lisen")
        #expect(refused["errors"][0]["detail"].string?.contains("line 2, column 5: is not a setting") == true)
        let after = try service.ask("/-/config").json()
        #expect(after["hash"].string == report["hash"].string && after["number"].integer == 0)
        #expect(after["lastReload"]["result"].string == "refused")
        #expect(after["lastReload"]["faults"][0]["place"].string == "line 2, column 5")
        let metrics = try service.ask("/metrics").text
        #expect(metrics.contains("\nweir_configuration_last_reload_successful 0\n"))
        #expect(metrics.contains("\nweir_configuration_hash_info{hash=\"\(report["hash"].string ?? "")\"} 1\n"))
        #expect(metrics.contains(/\nweir_build_info\{version="1\.0\.0",build="[0-9a-f]{12}"\} 1\n/))

        let health = try service.ask("/healthz").json()
        let check = health["checks"]["configuration:lastReload"][0]
        #expect([check["observedValue"].string, check["status"].string] == ["refused", "warn"])
        #expect(health["status"].string == "warn")

        let open = try service.reload(
            plain.replacing(#""server": {"#, with: #""server": {"operationsOnListen": true, "maximumConnections": 9, "#)
        )
        let changed = ["server.maximumConnections", "server.operationsOnListen"]
        #expect(open["changed"].elements.compactMap(\.string) == changed)
        #expect(open["needsRestart"].elements.compactMap(\.string) == ["server.maximumConnections"])
        #expect(try service.weir.get("/-/config").json()["number"].integer == 1)
        #expect(try service.weir.get("/metrics").text.contains("\nweir_configuration_last_reload_successful 1\n"))
        let other = try service.weir.get("/-/reload")
        try expectProblem(other, 405)
        #expect(other.header("Allow") == "POST, OPTIONS")
        #expect(try service.weir.get("/-/reload", method: "POST").json()["result"].string == "unchanged")
    }
}
