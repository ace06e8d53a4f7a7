import Foundation
import TestSupport
import Testing

/// Snapshots that operators ask for, list, and replay under another configuration.
@Suite("Replays of snapshots", .timeLimit(.minutes(10)))
struct ReplayTests {
    private static let secret = "client-s3ntinel-0123456789"

    /// A station as JSON; its temperature follows from its number.
    private static func station(_ head: String) -> ScriptedUpstream.Reaction {
        let number = head.firstMatch(of: /station\/([0-9]+)/).flatMap { Int($0.1) } ?? 0
        let fields = ["Cache-Control: public, max-age=600"]
        if head.contains("/forecast") { return .answer(smallForecast, headers: fields) }
        return .answer(
            #"{"id": \#(number), "temp": \#(number % 30).5, "wind": "\#(number)", "hours": [{"t": 1}, {"t": 2}]}"#,
            headers: fields)
    }

    private static let stationAnswer = """
        {"properties": {"id": {"from": "id", "type": "integer"},
         "temperature": {"from": "temp", "type": "number"}, "wind": {"from": "wind", "type": "number"},
         "hours": {"from": "hours", "items": {"properties": {"t": {"from": "t", "type": "number"}}}}}}
        """

    private static func stations(
        _ upstream: String, answer: String = stationAnswer, query: String = "", hasNames: Bool = true
    ) -> String {
        let names =
            #", {"path": "/names/{n}", "parameters": {"n": {}}, "fetch": {"upstream": "up", "path": "/station/{n}/name"}, "cache": {"defaultSeconds": 600}}"#
        return """
            {"listen": "127.0.0.1:0", "shards": 2, "server": {"drainTimeoutMilliseconds": 3000},
             "cache": {"snapshotFile": "documents", "credentialKey": {"environment": "WEIR_TEST_KEY"}},
             "upstreams": [{"name": "up", "baseURL": "\(upstream)", "retryPercent": 0},
                {"name": "sky", "dialect": "darkSky", "baseURL": "\(upstream)", "key": {"environment": "WEIR_TEST_KEY"}}],
             "weather": {"upstreams": ["sky"]},
             "routes": [
                {"path": "/stations/{n}", "parameters": {"n": {}, "lang": {}},
                 "fetch": {"upstream": "up", "path": "/station/{n}"\(query)}, "answer": \(answer)},
                {"path": "/mine/{n}", "parameters": {"n": {}, "token": {"credential": true}},
                 "fetch": {"upstream": "up", "path": "/station/{n}", "query": {"token": "{token}"}}}
                \(hasNames ? names : "")]}
            """
    }

    /// Runs `body` with a service that has answered some requests, and whose snapshot is written.
    private static func withSnapshot(
        _ targets: [String] = (1...20).map { "/stations/\($0)" } + ["/stations/1?lang=en", "/names/1", "/names/2"],
        _ body: (OperatedWeir, _ snapshot: String, _ upstream: String) throws -> Void
    ) throws {
        let upstream = try ScriptedUpstream(station)
        defer { upstream.stop() }
        let service = try OperatedWeir(stations(upstream.baseURL))
        defer { service.end() }
        for target in targets { #expect(try service.weir.get(target).status == 200, "\(target)") }
        #expect(try service.ask("/-/snapshot?who=Jo&why=fixtures", method: "POST").status == 200)
        try body(service, service.folder.path("documents"), upstream.baseURL)
    }

    private static func replay(
        _ service: OperatedWeir, _ snapshot: String, to configuration: String, _ more: [String] = []
    ) throws -> WeirProcess.Result {
        let new = try service.folder.write(configuration, to: "new.json")
        // Without the keys of the upstreams: a replay needs none.
        return try WeirProcess.run(
            ["replay", "--config", service.folder.path("weir.json"), "--with", new] + more + [snapshot])
    }

    @Test("A command writes the snapshot, and its answer and the log say how much is in the file")
    func onDemand() throws {
        try Self.withSnapshot { service, snapshot, _ in
            let line = try service.weir.logLine("snapshot written")
            #expect(
                [line["who"].string, line["why"].string, line["address"].string] == ["Jo", "fixtures", "127.0.0.1"])
            #expect(line["documents"].integer == 22)
            #expect(try service.weir.get("/stations/99").status == 200)
            let url = "http://\(service.operations)"
            let result = try WeirProcess.run(["snapshot", "--url", url, "--why", "again", "--who", "Al"])
            let answer = try Parsed(result.output)
            #expect(result.status == 0 && answer["documents"].integer == 23)
            let size = try Checkout.read(snapshot).count
            #expect(answer["bytes"].integer.map { $0 + 40 + 4 * 23 } == size)
            #expect(try service.weir.logLine("snapshot written") { $0["why"].string == "again" }["who"].string == "Al")
        }
        let bare = try OperatedWeir(configuration(["http://127.0.0.1:1"]))
        defer { bare.end() }
        let problem = try expectProblem(bare.ask("/-/snapshot", method: "POST"), 404)
        #expect(problem["detail"].string?.contains("cache.snapshotFile") == true)
        #expect(try bare.ask("/-/snapshot").status == 405)
        #expect(try bare.weir.get("/-/snapshot", method: "POST").status == 404)
        let failed = try WeirProcess.run(["snapshot", "--url", "http://\(bare.operations)"])
        #expect(failed.status == 69 && failed.errors.contains("cache.snapshotFile"))
    }

    @Test("A snapshot that cannot be written is a problem, without the name of the file")
    func unwritable() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write("somebody else's", to: "kept")
        let service = try OperatedWeir(
            configuration(["http://127.0.0.1:1"], cache: #""snapshotFile": "\#(folder.path("kept"))""#))
        defer { service.end() }
        let problem = try expectProblem(service.ask("/-/snapshot", method: "POST"), 503)
        #expect(problem["type"].string == "urn:weir:problem:file-not-written")
        #expect(problem["detail"].string?.contains("is no snapshot") == true)
        #expect(problem["detail"].string?.contains(folder.path) == false)
    }

    @Test("No credential of a client is in a snapshot, and the key in a path is replaced")
    func credentials() throws {
        let targets = [
            "/mine/1?token=\(Self.secret)", "/forecast/\(Self.secret)/37.8267,-122.4233?units=si",
            "/forecast/\(Self.secret)/1,2?key=\(Self.secret)",
        ]
        try Self.withSnapshot(targets) { service, snapshot, _ in
            let bytes = String(decoding: try Checkout.read(snapshot), as: UTF8.self)
            #expect(!bytes.contains(Self.secret) && bytes.contains("/forecast/-/37.8267,-122.4233?units=si"))
            let result = try WeirProcess.run(["snapshot", snapshot, "--json"])
            let list = try Parsed(result.output)
            #expect(list.elements.count == 3 && !result.output.contains(Self.secret))
            let found = list.elements.compactMap { $0["target"].string }.sorted()
            #expect(found == ["", "", "/forecast/-/37.8267,-122.4233?units=si"])
            let replayed = try Self.replay(service, snapshot, to: Self.stations("http://127.0.0.1:1"))
            #expect(replayed.status == 0, "\(replayed)")
            #expect(replayed.output.contains("/forecast/{anything}/{latitude},{longitude} with units: 1 equal\n"))
            #expect(replayed.output.hasSuffix("3 documents, 2 of them without a request\n"))
        }
    }

    @Test("The documents of a snapshot are listed, and written to files, none of which is overwritten")
    func files() throws {
        try Self.withSnapshot(["/stations/7?lang=en"]) { service, snapshot, _ in
            let list = try WeirProcess.run(["snapshot", snapshot])
            let cells = list.output.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
            try #require(cells.count == 1 && cells[0].count == 5)
            #expect(cells[0][2...] == ["up", "/stations/{n}", "/stations/7?lang=en"])
            let folder = service.folder.path("out")
            #expect(try WeirProcess.run(["snapshot", "--out", folder, snapshot]).status == 66)
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            let written = try WeirProcess.run(["snapshot", "--out", folder, "--json", snapshot])
            let name = try #require(try Parsed(written.output)[0]["file"].string)
            #expect(name == "00001-up-stations-n.json")
            let file = "\(folder)/\(name)"
            #expect(try Parsed(String(decoding: Checkout.read(file), as: UTF8.self))["temp"].number == 7.5)
            try service.folder.write("mine", to: "out/\(name)")
            #expect(try WeirProcess.run(["snapshot", "--out", folder, snapshot]).status == 69)
            #expect(String(decoding: try Checkout.read(file), as: UTF8.self) == "mine")
        }
    }

    @Test("A renamed field, a changed unit and a removed route are found, and nothing else")
    func changes() throws {
        try Self.withSnapshot { service, snapshot, _ in
            let same = try Self.replay(service, snapshot, to: Self.stations("http://127.0.0.1:1"))
            #expect(same.status == 0 && same.errors.isEmpty, "\(same)")
            #expect(same.output.contains("/stations/{n}: 20 equal\n"))
            let answer = Self.stationAnswer.replacing(#""wind": {"#, with: #""gust": {"#)
                .replacing(
                    #""temp", "type": "number"}"#,
                    with: #""temp", "type": "number", "unit": {"from": "degC", "to": "degF"}}"#)
            let new = Self.stations("http://127.0.0.1:1", answer: answer, hasNames: false)
            let result = try Self.replay(service, snapshot, to: new)
            #expect(result.status == 1 && result.errors.isEmpty, "\(result)")
            for text in [
                "/stations/{n}: 20 changed\n", "/names/{n}: 2 no longer answered\n",
                "  value   temperature in 20 of 20, first /stations/", "  gone    wind in 20 of 20, first /stations/",
                "  new     gust in 20 of 20, first /stations/", "  status  none in 2 of 2, first /names/",
                "new drift: coerced gust in 20 documents of up for /stations/{n}\n",
            ] {
                #expect(result.output.contains(text), "\(text) is not in\n\(result.output)")
            }
            #expect(!result.output.contains(" hours") && !result.output.contains(" id "))
            let accepted = ["temperature", "wind", "gust", "/names/{n}"].flatMap { ["--accept", $0] }
            #expect(try Self.replay(service, snapshot, to: new, accepted).status == 0)
            #expect(try Self.replay(service, snapshot, to: new, Array(accepted.dropLast(2))).status == 1)
            let json = try Parsed(try Self.replay(service, snapshot, to: new, ["--json", "--accept", "gust"]).output)
            #expect(json["documents"].integer == 22 && json["drift"][0]["accepted"].integer == 1)
            let route = json["routes"].elements.first { $0["route"].string == "/stations/{n}" }
            #expect(route?["results"]["changed"].integer == 20 && route?["answers"].integer == 20)
            let changes = (route?["changes"].elements ?? []).map { $0["path"].string ?? "" }
            #expect(Set(changes) == ["temperature", "wind", "gust"])
        }
    }

    @Test("A document serves a new configuration that asks for it in another way, and a document that fails is told")
    func otherRequests() throws {
        try Self.withSnapshot { service, snapshot, _ in
            let query = #", "query": {"unit": "C"}"#
            let same = try Self.replay(service, snapshot, to: Self.stations("http://127.0.0.1:1", query: query))
            #expect(same.status == 0, "\(same)")
            let answer = Self.stationAnswer.replacing(
                #"{"properties": {"id""#, with: #"{"required": ["lost"], "properties": {"lost": "lost", "id""#)
            let failed = try Self.replay(
                service, snapshot, to: Self.stations("http://127.0.0.1:1", answer: answer))
            #expect(failed.status == 1 && failed.output.contains("/stations/{n}: 20 failed\n"), "\(failed)")
            #expect(failed.output.contains("  status  502 in 20 of 20, first /stations/"))
            let count = Self.stationAnswer.replacing(#""from": "hours""#, with: #""from": "hours[1:]""#)
            let fewer = try Self.replay(service, snapshot, to: Self.stations("http://127.0.0.1:1", answer: count))
            #expect(fewer.output.contains("  value   hours[].t in 20 of 20"), "\(fewer)")
            #expect(fewer.output.contains("  count   hours[] in 20 of 20"))
            let announced = ["--accept", "hours[*]"]
            let accepted = try Self.replay(
                service, snapshot, to: Self.stations("http://127.0.0.1:1", answer: count), announced)
            #expect(accepted.status == 0, "\(accepted)")
        }
    }

    @Test("Parts and other upstreams of a route are replayed, and a part whose document is missing is told")
    func parts() throws {
        let failing = try ScriptedUpstream { _ in .answer(500, "{}") }
        let upstream = try ScriptedUpstream(Self.station)
        defer {
            failing.stop()
            upstream.stop()
        }
        func text(_ query: String = "", second: String = "b") -> String {
            let upstreams = [("a", failing), ("b", upstream), ("c", upstream)].map { name, upstream in
                #"{"name": "\#(name)", "baseURL": "\#(upstream.baseURL)", "retryPercent": 0}"#
            }
            return """
                {"listen": "127.0.0.1:0", "cache": {"snapshotFile": "documents"},
                 "upstreams": [\(upstreams.joined(separator: ", "))],
                 "routes": [{"path": "/both", "parameters": {"n": {}}, "parts": {
                    "x": {"fetch": [{"upstream": "a", "path": "/station/{n}"},
                                    {"upstream": "\(second)", "path": "/station/{n}"\(query)}]},
                    "y": {"upstream": "c", "path": "/station/9{x.id}"}}}]}
                """
        }
        let service = try OperatedWeir(text())
        defer { service.end() }
        for number in 1...3 { #expect(try service.weir.get("/both?n=\(number)").status == 200) }
        #expect(try service.ask("/-/snapshot", method: "POST").json()["documents"].integer == 6)
        let asked = upstream.requests.count
        let snapshot = service.folder.path("documents")
        for new in [text(), text(#", "query": {"more": "1"}"#)] {
            let result = try Self.replay(service, snapshot, to: new)
            #expect(result.status == 0 && result.output.contains("/both with n: 3 equal\n"), "\(result)")
        }
        let lost = try Self.replay(service, snapshot, to: text(second: "a"))
        #expect(lost.status == 1 && lost.output.contains("/both with n: 3 no longer answered\n"), "\(lost)")
        #expect(upstream.requests.count == asked)
    }

    @Test("A snapshot of the former version is read, and its documents have no request")
    func formerVersion() throws {
        try Self.withSnapshot(["/mine/1?token=\(Self.secret)"]) { service, snapshot, upstream in
            // Its only record has no request, and so is one of the former version, too.
            var bytes = try Checkout.read(snapshot)
            #expect(bytes[12] == 3)
            bytes[12] = 2
            let checksum = Self.checksum(of: bytes[..<36])
            for index in 0..<4 { bytes[36 + index] = UInt8(truncatingIfNeeded: checksum >> (8 * UInt32(index))) }
            #expect(try service.weir.terminate() == 0)
            try Data(bytes).write(to: URL(fileURLWithPath: snapshot))
            let result = try Self.replay(service, snapshot, to: Self.stations(upstream))
            #expect(result.status == 0 && result.output == "1 documents, 1 of them without a request\n", "\(result)")
            let weir = try WeirProcess(
                ["serve", "--config", service.folder.path("weir.json")],
                environment: ["WEIR_TEST_KEY": "test-key-0123"])
            defer { weir.kill() }
            #expect(try weir.logLine("documents restored")["documents"].integer == 1)
        }
    }

    /// The CRC-32 of bytes.
    private static func checksum(of bytes: ArraySlice<UInt8>) -> UInt32 {
        var state = UInt32.max
        for byte in bytes {
            state ^= UInt32(byte)
            for _ in 0..<8 { state = state & 1 == 0 ? state >> 1 : (state >> 1) ^ 0xEDB8_8320 }
        }
        return ~state
    }

    @Test("Files that are no snapshots, and wrong command lines, have the usual exit codes")
    func faults() throws {
        try Self.withSnapshot(["/stations/1"]) { service, snapshot, upstream in
            let bytes = try Checkout.read(snapshot)
            for (count, name) in [(bytes.count - 1, "short"), (39, "head"), (0, "empty")] {
                let path = service.folder.path(name)
                try Data(bytes[..<count]).write(to: URL(fileURLWithPath: path))
                #expect(try WeirProcess.run(["snapshot", path]).status == 65, "\(name)")
                #expect(try Self.replay(service, path, to: Self.stations(upstream)).status == 65, "\(name)")
            }
            #expect(try WeirProcess.run(["snapshot", service.folder.path("absent")]).status == 66)
            #expect(try WeirProcess.run(["snapshot", snapshot, "--url", "http://127.0.0.1:1"]).status == 64)
            #expect(try WeirProcess.run(["snapshot", "--json", "--url", "http://127.0.0.1:1"]).status == 64)
            #expect(try Self.replay(service, snapshot, to: "{").status == 78)
            let old = service.folder.path("weir.json")
            #expect(try WeirProcess.run(["replay", "--config", old, snapshot]).status == 64)
            #expect(try WeirProcess.run(["replay", "--config", old, "--with", old]).status == 64)
            let absent = service.folder.path("absent.json")
            #expect(try WeirProcess.run(["replay", "--config", old, "--with", absent, snapshot]).status == 66)
        }
    }
}
