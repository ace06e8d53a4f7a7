import TestSupport
import Testing

/// Drift over time, as an operator sees it.
@Suite("Drift of upstreams", .timeLimit(.minutes(10)))
struct DriftTests {
    /// A forecast without drift, with what `hour` adds to its only hour.
    private static func answer(_ hour: String = "") -> String {
        """
        {"latitude":37.8267,"longitude":-122.4233,"timezone":"America/Los_Angeles","hourly":{"data":[{"time":1767290400,\
        "icon":"rain","temperature":1,"humidity":0.5,"windSpeed":1,"precipIntensity":0\(hour)}]},\
        "currently":{"time":1767290437,"icon":"rain","temperature":1,"humidity":0.5,"windSpeed":1,"precipIntensity":0},\
        "daily":{"data":[{"time":1767254400,"icon":"rain","temperatureMin":1,"temperatureMax":2}]},"flags":{"units":"si"}}
        """
    }

    /// Serves what `answers` has for the number of the request, from 0; the last answer for all others.
    private static func serve(
        _ answers: [String], cache: String = "", settings: String = "", folder: TemporaryFolder? = nil
    ) throws -> (WeirProcess, ScriptedUpstream) {
        let number = Watched(0)
        let upstream = try ScriptedUpstream { _ in .answer(answers[min(number.increase(), answers.count) - 1]) }
        let text = configuration([upstream.baseURL], weather: settings, cache: cache)
            .replacing(#""server": {"#, with: #""server": {"operationsListen": "127.0.0.1:0", "#)
        return (try WeirProcess.serve(text), upstream)
    }

    private static func operations(_ weir: WeirProcess) throws -> RawClient {
        try RawClient(#require(weir.logLine("listening for monitoring")["address"].string))
    }

    /// Returns the samples of the counter.
    private static func counts(_ weir: WeirProcess) throws -> [String] {
        try operations(weir).get("/metrics").text.split(separator: "\n")
            .filter { $0.hasPrefix("weir_drift_total") }.map(String.init)
    }

    private static func place(_ number: Int) -> String { "/weather?lat=\(number)&lon=0" }

    @Test("A document counts once, however often it is answered and in whatever form")
    func once() throws {
        let (weir, upstream) = try Self.serve([Self.answer(#","windGust":"2","unknown":1"#)], cache: "")
        defer {
            weir.kill()
            upstream.stop()
        }
        let client = try weir.client()
        for _ in 0..<10 { #expect(try client.get(Self.place(1)).status == 200) }
        for form in ["&units=us", "&fields=hourly", "&exclude=flags", "&explain=1"] {
            #expect(try client.get(Self.place(1) + form).status == 200)
        }
        let labels = #"weir_drift_total{upstream="upstream-0",route="/weather",kind="#
        let expected = [
            #"\#(labels)"unexpectedKey",path="hourly.data[].unknown"} 1"#,
            #"\#(labels)"coerced",path="hourly.data[].windGust"} 1"#,
        ]
        #expect(try Self.counts(weir) == expected)
        #expect(try client.get(Self.place(2)).status == 200)
        #expect(try Self.counts(weir) == expected.map { $0.dropLast() + "2" })
        #expect(upstream.requests.count == 2)
    }

    @Test("The log names a pattern that comes after the first document of an upstream, once")
    func log() throws {
        // Of the hour, which is the first block.
        let renamed = Self.answer().replacing("\"temperature\"", with: "\"temp\"", maxReplacements: 1)
        let (weir, upstream) = try Self.serve([Self.answer(#","ozone":"3""#), renamed], cache: #""maximumBytes": 0"#)
        defer {
            weir.kill()
            upstream.stop()
        }
        for number in 0..<4 { #expect(try weir.get(Self.place(number)).status == 200) }
        let baseline = try weir.logLine("drift")
        #expect(baseline["patterns"].integer == 1 && baseline["level"].string == "info")
        let line = try weir.logLine("upstream changed") { $0["kind"].string == "missing" }
        #expect(line["level"].string == "warning" && line["upstream"].string == "upstream-0")
        #expect(line["route"].string == "/weather" && line["path"].string == "hourly.data[].temperature")
        #expect(line["from"].string == "hourly.data[].temperature" && line["reason"].string == "missing")
        _ = try weir.logLine("upstream changed") { $0["path"].string == "hourly.data[].temp" }
        #expect(try weir.terminate() == 0)
        #expect(weir.errors.split(separator: "\n").count { $0.contains("upstream changed") } == 2)
    }

    @Test("The address for monitoring lists the drift with its times, and no other address does")
    func route() throws {
        let (weir, upstream) = try Self.serve([Self.answer(#","windGust":"2""#)], cache: #""maximumBytes": 0"#)
        defer {
            weir.kill()
            upstream.stop()
        }
        let operations = try Self.operations(weir)
        #expect(try operations.get("/-/drift").text == #"{"patterns":[],"unlistedDocuments":0}"#)
        for _ in 0..<2 { _ = try weir.get(Self.place(1)) }
        let answer = try operations.get("/-/drift?since=24h")
        #expect(answer.header("Content-Type") == "application/json")
        let patterns = try answer.json()["patterns"]
        #expect(patterns.count == 1)
        let pattern = patterns[0]
        #expect(pattern["upstream"].string == "upstream-0" && pattern["route"].string == "/weather")
        #expect(pattern["kind"].string == "coerced" && pattern["reason"].string == "numericString")
        #expect(
            pattern["path"].string == "hourly.data[].windGust" && pattern["from"].string == "hourly.data[].windGust")
        #expect([pattern["documents"].integer, pattern["values"].integer] == [2, 2])
        #expect(pattern["example"].string == "hourly.data[0].windGust")
        #expect(pattern["first"].string?.hasSuffix("Z") == true && pattern["last"].string?.hasSuffix("Z") == true)
        let problem = try expectProblem(operations.get("/-/drift?since=yesterday"), 400)
        #expect(problem["detail"].string?.contains("since must be a time such as 90s, 30m, 24h or 7d") == true)
        try expectProblem(weir.get("/-/drift"), 404)
    }

    @Test("weir drift prints the patterns of a service as a table, or as they come")
    func command() throws {
        let (weir, upstream) = try Self.serve([Self.answer(#","windGust":"2""#)], cache: #""maximumBytes": 0"#)
        defer {
            weir.kill()
            upstream.stop()
        }
        let url = "http://" + (try #require(weir.logLine("listening for monitoring")["address"].string))
        #expect(try WeirProcess.run(["drift", "--url", url]).output == "no drift\n")
        _ = try weir.get(Self.place(1))
        let table = try WeirProcess.run(["drift", "--url", url, "--since", "30m"])
        #expect(table.status == 0)
        let lines = table.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        #expect(lines.count == 2)
        #expect(lines.first == ["last", "first", "upstream", "route", "kind", "reason", "documents", "path", "from"])
        #expect(
            lines.last?.dropFirst(2) == [
                "upstream-0", "/weather", "coerced", "numericString", "1", "hourly.data[].windGust",
                "hourly.data[].windGust",
            ])
        // The first document is the baseline.
        #expect(try WeirProcess.run(["drift", "--url", url, "--since", "1h", "--new", "30m"]).output == "no drift\n")
        let json = try Parsed(WeirProcess.run(["drift", "--url", url + "/", "--json"]).output)
        #expect(json["patterns"].count == 1)
        let clients = try WeirProcess.run(["drift", "--url", "http://\(weir.address())"])
        #expect(clients.status == 69 && clients.errors.contains("is that the address server.operationsListen?"))
        let wrong = try WeirProcess.run(["drift", "--url", url, "--since", "soon"])
        #expect(wrong.status == 69 && wrong.errors.contains("since must be a time"))
        #expect(try WeirProcess.run(["drift", "--url", "somewhere"]).status == 64)
    }

    @Test("The drift is kept beside the snapshot of the cache; a damaged file is ignored with a warning")
    func restart() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let documents = folder.path("documents")
        let cache = #""snapshotFile": "\#(documents)""#
        let drifted = Self.answer(#","windGust":"2""#)
        func run(_ answers: [String], _ body: (WeirProcess) throws -> Void) throws {
            let (weir, upstream) = try Self.serve(answers, cache: cache)
            defer {
                weir.kill()
                upstream.stop()
            }
            try body(weir)
            #expect(try weir.terminate() == 0)
        }
        try run([drifted]) { weir in
            _ = try weir.get(Self.place(1))
            #expect(try weir.logLine("drift")["patterns"].integer == 1)
        }
        // The same pattern is no news, and another one is, from the first document on.
        try run([drifted, Self.answer(#","windGust":"2","new":1"#)]) { weir in
            let restored = try Self.operations(weir).get("/-/drift").json()["patterns"]
            #expect(restored.count == 1 && restored[0]["documents"].integer == 1)
            // The counter begins at 0, and no figure tells of news.
            #expect(
                try Self.counts(weir) == [
                    #"weir_drift_total{upstream="upstream-0",route="/weather",kind="coerced",path="hourly.data[].windGust"} 0"#
                ])
            let seen = "weir_drift_first_seen_timestamp_seconds{"
            #expect(try !Self.operations(weir).get("/metrics").text.contains(seen))
            for number in 2..<4 { _ = try weir.get(Self.place(number)) }
            #expect(try weir.logLine("upstream changed")["path"].string == "hourly.data[].new")
            #expect(!weir.errors.contains(#""message":"drift""#))
            let path = #"route="/weather",kind="unexpectedKey",path="hourly.data[].new"} "#
            #expect(try Self.operations(weir).get("/metrics").text.contains(#"\#(seen)upstream="upstream-0",\#(path)"#))
            #expect(try Self.operations(weir).get("/-/drift?new=1h").json()["patterns"].count == 1)
            let patterns = try Self.operations(weir).get("/-/drift").json()["patterns"].elements
            #expect(patterns.compactMap { $0["documents"].integer } == [1, 3])
        }
        _ = try folder.write("{\"patterns\":7", to: "documents.drift")
        try run([drifted]) { weir in
            #expect(try weir.logLine("drift not restored")["file"].string == documents + ".drift")
            _ = try weir.get(Self.place(4))
            _ = try weir.logLine("drift")
        }
    }
}
