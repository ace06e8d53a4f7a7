import Foundation
import TestSupport
import Testing

/// What an operator does by hand, and how each change ends.
@Suite("Operators", .timeLimit(.minutes(10)))
struct OperatorTests {
    /// An upstream whose answers have its current number as the temperature.
    private static func upstream(_ degrees: Watched<Int>) throws -> ScriptedUpstream {
        try ScriptedUpstream { _ in .answer(smallForecast.replacing("10.9", with: "\(degrees.current)")) }
    }

    /// Documents that are stale at once and serve after failures.
    private static let stale =
        #""weather": {"defaultSeconds": 0, "staleWhileRevalidateSeconds": 0, "staleIfErrorSeconds": 600}"#

    @Test(
        "A purge removes the documents of a request, a route, an upstream, or all",
        arguments: [
            (weather, 1), ("/weather?lon=-122.4233&lat=37.8267&units=us", 1), (darkSkyWeather, 1), ("/weather", 2),
            ("/forecast/{anything}/{latitude},{longitude}", 2), ("upstream-0", 2), ("all", 2),
            ("/weather?lat=1&lon=1", 0), ("upstream-1", 0),
        ])
    func purge(_ subject: String, _ removed: Int) throws {
        let degrees = Watched(1)
        let (first, second) = (try Self.upstream(degrees), try Self.upstream(Watched(9)))
        defer {
            first.stop()
            second.stop()
        }
        let service = try OperatedWeir(configuration([first.baseURL, second.baseURL], cache: ""))
        defer { service.end() }
        let other = "/weather?lat=50&lon=8"
        for _ in 1...2 { #expect(try [service.degrees(), service.degrees(other)] == [1, 1]) }
        #expect(first.requests.count == 2)
        degrees.update { $0 = 2 }
        #expect(try service.command("purge", subject, "&who=me")["documents"].integer == removed)
        let line = try service.weir.logLine("documents purged")
        #expect([line["subject"].string, line["who"].string, line["why"].string] == [subject, "me", "test"])
        #expect(line["address"].string == "127.0.0.1" && line["documents"].integer == removed)
        for _ in 1...2 {
            #expect(try [service.degrees(), service.degrees(other)] == [removed > 0 ? 2 : 1, removed > 1 ? 2 : 1])
        }
        #expect(first.requests.count == 2 + removed && second.requests.isEmpty)
    }

    @Test("A purge of a request removes the documents of all its parts and upstreams")
    func purgedParts() throws {
        let count = Watched(0)
        let (first, second) = (
            try ScriptedUpstream { _ in .answer(count.current == 0 ? 500 : 200, #"{"number": 1}"#) },
            try ScriptedUpstream { _ in .answer(#"{"number": 2}"#) }
        )
        defer {
            first.stop()
            second.stop()
        }
        let upstreams = [("a", first), ("b", second)].map { name, upstream in
            #"{"name": "\#(name)", "baseURL": "\#(upstream.baseURL)", "retryPercent": 0}"#
        }
        let service = try OperatedWeir(
            """
            {
                "listen": "127.0.0.1:0", "upstreams": [\(upstreams.joined(separator: ", "))],
                "routes": [{
                    "path": "/both", "parameters": {"id": {"type": "string"}},
                    "parts": {
                        "x": {"fetch": [{"upstream": "a", "path": "/x/{id}"}, {"upstream": "b", "path": "/x/{id}"}]},
                        "y": {"fetch": {"upstream": "b", "path": "/y/{x.number}"}}
                    }
                }]
            }
            """)
        defer { service.end() }
        let target = "/both?id=7"
        #expect(try service.weir.get(target).json()["x"]["number"].integer == 2)
        count.increase()
        #expect(try service.command("purge", "/both?id=8")["documents"].integer == 0)
        #expect(try service.command("purge", target)["documents"].integer == 2)
        #expect(try service.weir.get(target).json()["x"]["number"].integer == 1)
        #expect(try service.command("purge", "/both")["documents"].integer == 2)
    }

    @Test("A paused upstream is not asked: stale documents serve, others are 503, until a command resumes it")
    func pause() throws {
        let degrees = Watched(1)
        let upstream = try Self.upstream(degrees)
        defer { upstream.stop() }
        let service = try OperatedWeir(configuration([upstream.baseURL], cache: Self.stale))
        defer { service.end() }
        #expect(try service.degrees() == 1)
        degrees.update { $0 = 2 }
        let answer = try service.command("pause", "upstream-0", "&who=Jo&seconds=86400")["interventions"][0]
        #expect([answer["action"].string, answer["subject"].string] == ["pause", "upstream-0"])
        #expect([answer["address"].string, answer["who"].string, answer["why"].string] == ["127.0.0.1", "Jo", "test"])
        let begun = try service.weir.logLine("intervention begun")
        #expect(
            [begun["who"].string, begun["why"].string, begun["until"].string] == ["Jo", "test", answer["until"].string])
        #expect(try service.degrees() == 1)
        let missing = try service.weir.get("/weather?lat=1&lon=1")
        let problem = try expectProblem(missing, 503)
        #expect(problem["type"].string == "urn:weir:problem:upstream-unavailable")
        #expect(problem["detail"].string?.contains("is paused by an operator") == true)
        #expect(86_300...86_400 ~= missing.header("Retry-After").flatMap { Int($0) } ?? 0)
        let check = try service.ask("/healthz").json()["checks"]["upstream-0:pause"][0]
        #expect([check["componentId"].string, check["output"].string] == ["*", "command"])
        let page = try WeirProcess.run(["status", "--url", "http://\(service.operations)"])
        #expect(page.output.contains(/By hand\n.*\npause +upstream-0 .* 127\.0\.0\.1 +Jo +test\n/), "\(page.output)")
        #expect(upstream.requests.count == 1)
        let resumed = try service.ask("/-/upstreams/upstream-0/resume?who=Al&why=over", method: "POST").json()
        #expect(resumed["pauses"][0]["cause"].string == "command")
        let ended = try service.weir.logLine("intervention ended")
        #expect([ended["cause"].string, ended["who"].string, ended["why"].string] == ["command", "Al", "over"])
        #expect(try service.inForce() == [])
        #expect(try service.degrees() == 2)
        try service.command("pause", "upstream-0")
        try service.command("pause", "upstream-0", "&seconds=0")
        #expect(try service.inForce() == [])
        #expect(try service.weir.get("/weather?lat=1&lon=1").status == 200)
    }

    @Test("A shed route answers 503 in its own form, hits included, and what operators need answers")
    func shed() throws {
        let upstream = try Self.upstream(Watched(1))
        defer { upstream.stop() }
        let service = try OperatedWeir(configuration([upstream.baseURL], cache: ""))
        defer { service.end() }
        #expect(try service.degrees() == 1)
        try service.command("shed", "/weather", "&seconds=60")
        let answer = try service.weir.get(weather)
        let problem = try expectProblem(answer, 503)
        #expect(problem["type"].string == "urn:weir:problem:overloaded")
        #expect(["59", "60"].contains(answer.header("Retry-After")))
        #expect(try service.weir.get(weather, method: "OPTIONS").status == 204)
        #expect(try service.weir.get(darkSkyWeather).status == 200)
        try service.command("shed", "/forecast/{anything}/{latitude},{longitude}", "&seconds=60")
        let darkSky = try service.weir.get(darkSkyWeather)
        #expect(darkSky.status == 503 && darkSky.header("Retry-After") != nil)
        #expect(try darkSky.json()["code"].integer == 503)
        #expect(try service.inForce() == ["shed", "shed"])
        for path in ["/healthz", "/readyz", "/metrics", "/-/status", "/-/config", "/-/interventions"] {
            #expect(try service.ask(path).status == 200)
            let refused = try service.ask("/-/interventions/shed?why=x&subject=\(path)", method: "POST")
            try expectProblem(refused, 404)
        }
        #expect(try service.weir.get("/livez").status == 200)
        try service.command("shed", "/weather", "&seconds=0")
        #expect(try service.degrees() == 1)
    }

    /// The changes, each with its subject, that can be undone.
    private static let changes = [
        ("pause", "upstream-0"), ("shed", "/weather"), ("logLevel", "error"), ("accessLog", "off"),
    ]

    @Test("Each change ends at its time", arguments: changes)
    func time(_ action: String, _ subject: String) throws {
        let upstream = try Self.upstream(Watched(1))
        defer { upstream.stop() }
        let service = try OperatedWeir(configuration([upstream.baseURL]))
        defer { service.end() }
        // The one with the shorter time takes the place of the other one.
        try service.command(action, subject, "&seconds=600")
        try service.command(action, subject, "&seconds=1")
        #expect(try service.inForce() == [action])
        let isAnswering = !["pause", "shed"].contains(action)
        #expect(try (service.weir.get(weather).status == 200) == isAnswering)
        let ended = try service.weir.logLine("intervention ended")
        #expect([ended["action"].string, ended["cause"].string] == [action, "time"])
        #expect(try service.inForce() == [])
        #expect(try service.weir.get(weather).status == 200)
        #expect(try service.weir.terminate() == 0)
        // The last request is in the access log, and the last lines are in the log, whatever came before.
        let requests = service.weir.output.split(separator: "\n").filter { $0.contains(#""url.path":"/weather""#) }
        #expect(requests.count == (action == "accessLog" ? 1 : 2), "\(service.weir.output)")
        #expect(service.weir.errors.contains(#""message":"stopped""#))
    }

    @Test(
        "Each way to reload undoes all changes, and a refused reload none", arguments: ["signal", "request", "watch"])
    func reload(_ way: String) throws {
        let upstream = try Self.upstream(Watched(1))
        defer { upstream.stop() }
        let settings = configuration([upstream.baseURL])
        let service = try OperatedWeir(settings, way == "watch" ? ["--watch"] : [])
        defer { service.end() }
        func reload(_ settings: String) throws {
            try service.folder.write(settings, to: "weir.json")
            if way == "signal" { service.weir.send(signal: SIGHUP) }
            if way == "request" { _ = try service.ask("/-/reload", method: "POST") }
        }
        for (action, subject) in Self.changes { try service.command(action, subject) }
        try reload("{")
        while try service.ask("/-/config").json()["lastReload"]["result"].string != "refused" {}
        #expect(try service.inForce() == Self.changes.map(\.0))
        #expect(try service.weir.get(weather).status == 503)
        // First with the settings of before, then with others.
        for text in [settings, settings.replacing(#""listen""#, with: #""log": {"level": "warning"}, "listen""#)] {
            try reload(text)
            for (action, _) in Self.changes {
                _ = try service.weir.logLine("intervention ended") {
                    $0["action"].string == action && $0["cause"].string == "reload"
                }
            }
            while try service.inForce() != [] {}
            #expect(try service.degrees() == 1)
            for (action, subject) in Self.changes { try service.command(action, subject) }
        }
        try reload(settings.replacing(#""listen""#, with: #""log": {"level": "error"}, "listen""#))
        while try service.inForce() != [] {}
        #expect(try service.weir.terminate() == 0)
    }

    @Test("The levels of the log and the access log change for a while")
    func logs() throws {
        let upstream = try ScriptedUpstream { _ in .answer(500, "{}") }
        defer { upstream.stop() }
        let service = try OperatedWeir(
            configuration([upstream.baseURL]).replacing(
                #""server": {"#, with: #""server": {"accessLog": {"format": "none"}, "#))
        defer { service.end() }
        func ask(_ number: Int) throws { try expectProblem(service.weir.get("/weather?lat=\(number)&lon=1"), 502) }
        try ask(1)
        _ = try service.weir.logLine("upstream failed")
        try service.command("logLevel", "error")
        try ask(2)
        // The exchange ends after the client has its answer.
        func wait(for count: String) throws {
            let counts = #/http_server_request_duration_seconds_count\{[^}]*http_route="\/weather"[^}]*\} (\d+)\n/#
            while try service.ask("/metrics").text.firstMatch(of: counts).map({ String($0.1) }) != count {}
        }
        try wait(for: "2")
        try service.command("accessLog", "on")
        try service.command("logLevel", "warning")
        try ask(3)
        try wait(for: "3")
        #expect(try service.inForce() == ["accessLog", "logLevel"])
        try service.command("accessLog", "off")
        try service.command("logLevel", "error")
        try ask(4)
        #expect(try service.weir.terminate() == 0)
        #expect(service.weir.errors.split(separator: "\n").count { $0.contains("upstream failed") } == 2)
        #expect(service.weir.output.split(separator: "\n").count { $0.contains(#""url.path":"/weather""#) } == 1)
    }

    @Test("Commands are refused from elsewhere, with GET, and with wrong parameters")
    func refusals() throws {
        let service = try OperatedWeir(configuration([Checkout.sample]))
        defer { service.end() }
        let path = "/-/interventions/pause", good = "?subject=upstream-0&why=x"
        try expectProblem(service.weir.get(path + good, method: "POST"), 404)
        try expectProblem(service.weir.get("/-/interventions"), 404)
        #expect(try expectProblem(service.ask(path + good), 405)["detail"].string?.contains("POST") == true)
        let foreign = try service.ask(path + good, method: "POST", headers: ["Origin: https://evil.example"])
        // The host is none of the service's.
        #expect([403, 421].contains(foreign.status))
        let long = String(repeating: "x", count: 201)
        for (target, status) in [
            ("pause?subject=upstream-0", 400), ("pause?why=x", 400), ("stop?subject=upstream-0&why=x", 400),
            ("pause?subject=upstream-0&why=\(long)", 400), ("pause?subject=upstream-0&why=x&who=\(long)", 400),
            ("pause?subject=upstream-0&why=x&seconds=86401", 400), ("pause?subject=upstream-0&why=x&seconds=-1", 400),
            ("pause?subject=upstream-9&why=x", 404), ("shed?subject=/weathr&why=x", 404),
            ("logLevel?subject=debug&why=x", 404), ("accessLog?subject=1&why=x", 404), ("purge?subject=x&why=x", 404),
            ("purge?subject=/x&why=x", 404), ("purge?subject=/weather%3Flat=91&why=x", 404),
            ("purge?subject=/healthz&why=x", 404), ("purge?subject=/weather%20x&why=x", 400),
        ] {
            try expectProblem(service.ask("/-/interventions/\(target)", method: "POST"), status)
        }
        #expect(try service.inForce() == [])
        #expect(try service.weir.get(weather).status == 200)
    }

    @Test("Each command of weir has its effect and says what is in force")
    func commands() throws {
        let service = try OperatedWeir(configuration([Checkout.sample], cache: ""))
        defer { service.end() }
        func run(_ arguments: String...) throws -> WeirProcess.Result {
            try WeirProcess.run(arguments + ["--url", "http://\(service.operations)"])
        }
        #expect(try service.weir.get(weather).status == 200)
        #expect(try run("purge", weather, "--why", "a b&c").output == #"{"interventions":[],"documents":1}"# + "\n")
        #expect(try service.weir.logLine("documents purged")["why"].string == "a b&c")
        for (command, subject) in [("pause", "upstream-0"), ("shed", "/weather"), ("log", "warning"), ("log", "off")] {
            let result = try run(command, subject, "--why", "test", "--who", "Jo", "--seconds", "60")
            #expect(result.status == 0, "\(result.errors)")
            let last = try Parsed(result.output)["interventions"].elements.last
            #expect([last?["subject"].string, last?["who"].string] == [subject, "Jo"])
        }
        #expect(try service.inForce() == ["pause", "shed", "logLevel", "accessLog"])
        #expect(try run("resume", "upstream-0").status == 0)
        #expect(try service.inForce() == ["shed", "logLevel", "accessLog"])
        let unknown = try run("pause", "upstream-1", "--why", "test")
        #expect(unknown.status == 69 && unknown.errors.contains("did you mean upstream-0?"), "\(unknown.errors)")
        let silent = try run("pause", "upstream-0")
        #expect(silent.status == 69 && silent.errors.contains("why is missing"), "\(silent.errors)")
        #expect(try run("pause").status == 64)
    }

    @Test("No answer is lost while operators pause, shed, purge and resume under load")
    func load() throws {
        let (first, second) = (try Self.upstream(Watched(1)), try Self.upstream(Watched(2)))
        defer {
            first.stop()
            second.stop()
        }
        let service = try OperatedWeir(configuration([first.baseURL, second.baseURL], cache: Self.stale))
        defer { service.end() }
        let (answers, running) = (Watched<[Int]>([]), Watched(4))
        for thread in 0..<4 {
            Thread.detachNewThread {
                defer { running.update { $0 -= 1 } }
                guard let client = try? service.weir.client() else { return }
                for number in 0..<100 {
                    let target = number % 2 == 0 ? weather : "/weather?lat=\(number % 10)&lon=\(thread)"
                    let status = (try? client.get(target))?.status ?? 0
                    answers.update { $0.append(status) }
                }
            }
        }
        while running.current > 0 {
            try service.command("pause", "upstream-0")
            try service.command("purge", "all")
            try service.command("purge", weather)
            try service.command("shed", "/forecast/{anything}/{latitude},{longitude}")
            #expect(try service.ask("/-/upstreams/upstream-0/resume", method: "POST").status == 200)
            try service.command("purge", "upstream-1")
        }
        #expect(answers.current.count == 400 && answers.current.allSatisfy { $0 == 200 }, "\(Set(answers.current))")
        #expect(!first.requests.isEmpty && !second.requests.isEmpty)
        #expect(try service.weir.terminate() == 0)
    }

    @Test("A replica takes no purged document from the shared store", .enabled(if: RedisServer.isInstalled))
    func replicas() throws {
        let server = try RedisServer()
        defer { server.stop() }
        let degrees = Watched(1)
        let upstream = try Self.upstream(degrees)
        defer { upstream.stop() }
        let settings = configuration([upstream.baseURL], cache: "").replacing(
            #""shards": 2,"#, with: #""shards": 2, "shared": {"redis": "unix:\#(server.socket)"},"#)
        let replicas = try [OperatedWeir(settings), OperatedWeir(settings)]
        defer { for replica in replicas { replica.end() } }
        #expect(try replicas[0].degrees() == 1)
        // The document of the first replica may reach the store after its answer.
        while try !replicas[0].ask("/metrics").text.contains(#"weir_shared_events_total{event="written"} 1"#) {}
        #expect(try replicas[1].degrees() == 1)
        #expect(upstream.requests.count == 1)
        degrees.update { $0 = 2 }
        for subject in [weather, "/weather", "upstream-0", "all"] {
            for replica in replicas {
                try replica.command("purge", subject)
                #expect(try replica.degrees() == degrees.current)
            }
            degrees.increase()
        }
        for replica in replicas {
            try replica.command("pause", "upstream-0")
            #expect(try replica.weir.get("/weather?lat=1&lon=1").status == 503)
        }
    }
}
