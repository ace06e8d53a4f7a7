import TestSupport
import Testing

/// The configurations in `Config/examples`, with the samples of their upstreams in `Config/samples`.
@Suite(.timeLimit(.minutes(10)))
struct ExampleTests {
    private static let environment = [
        "WEIR_OPENWEATHERMAP_KEY": "0123456789", "WEIR_ALPHAVANTAGE_KEY": "ABCDEFGHIJKLMNOP",
    ]
    /// A key of Last.fm, as a client sends one.
    private static let clientKey = "0123456789abcdef0123456789abcdef"

    /// A request, and the documents of the sample that its answer is made of, by the names of the parts.
    struct Case: CustomTestStringConvertible {
        let example: String
        let target: String
        let documents: [(part: String, file: String)]
        /// The name of the answer in `Tests/Fixtures/examples`.
        let fixture: String

        init(_ example: String, _ target: String, _ file: String) {
            self.init(example, target, fixture: "\(example)-\(file)", [("", file)])
        }

        init(_ example: String, _ target: String, fixture: String? = nil, _ documents: [(part: String, file: String)]) {
            (self.example, self.target, self.documents) = (example, target, documents)
            self.fixture = fixture ?? example + "-parts"
        }

        /// `<fixture>.in.json` has the document, because no file of the sample has it: a list of several pages, or a part that
        /// is not asked.
        init(_ example: String, _ target: String, input fixture: String) {
            self.init(example, target, fixture: fixture, [])
        }

        var testDescription: String { fixture }

        /// The document that `weir normalize` reads: an object of the parts, if there are several.
        func input() throws -> String {
            if documents.isEmpty { return try text("in") }
            let texts = try documents.map { try Checkout.text("Config/samples/\(example)/\($0.file).json") }
            if documents.count == 1 { return texts[0] }
            return "{" + zip(documents, texts).map { "\"\($0.part)\": \($1)" }.joined(separator: ", ") + "}"
        }

        func text(_ kind: String) throws -> String {
            let text = try Checkout.text("Tests/Fixtures/examples/\(fixture).\(kind).json")
            return String(text.dropLast(text.hasSuffix("\n") ? 1 : 0))
        }
    }

    static let cases = [
        Case("activityPub", "/actors/harbour", "service"), Case("activityPub", "/actors/pilot", "person"),
        Case("alphaVantage", "/shares/TIDE", input: "alphaVantage-quote"),
        Case("alphaVantage", "/shares/TIDE?details=true", [("quote", "quote"), ("company", "company")]),
        Case("alphaVantage", "/shares/TIDE/days", "days"),
        Case("ecb", "/rates?currencies=USD,ISK", "rates"),
        Case("github", "/repositories/tidewater/gauge", "repository"),
        Case("github", "/repositories/tidewater/gauge/issues", "issues"),
        Case("github", "/repositories/tidewater/gauge/issues?page=2", "issues-older"),
        Case("gitlab", "/projects/2901/issues", input: "gitlab-issues"),
        Case(
            "gitlab", "/projects/2901/issues/14", fixture: "gitlab-issue",
            [("issue", "issue"), ("status", "status"), ("work", "work")]),
        Case("gitlab", "/projects/2901/issues/12", input: "gitlab-unassigned"),
        Case("graphQL", "/countries/CH", "country"),
        Case("lastfm", "/users/ferry/tracks?key=\(clientKey)", "tracks"),
        Case("lastfm", "/users/ferry/tracks?key=\(clientKey)&page=2", "tracks-older"),
        Case("mastodonAccount", "/accounts/ferry", [("account", "account"), ("statuses", "statuses")]),
        Case("mediaWiki", "/pages?titles=seagull,Heron,Quayside", "pages"),
        Case("mediaWiki", "/categories/Gulls/pages", input: "mediaWiki-members"),
        Case("mediaWiki", "/pages/Gull/sections", "sections"),
        Case("metNorway", "/hours?latitude=59.91&longitude=10.75", "forecast"),
        Case("nws", "/nws/stations/KSFO/observation", "observation"),
        Case("nws", "/nws/forecast/37.77,-122.42", [("point", "point"), ("forecast", "forecast")]),
        Case("openMeteoHours", "/hours?latitude=47.37&longitude=8.54", "forecast"),
        Case("openWeatherMap", "/cities/Bergen,NO/weather", "weather"),
        Case("openWeatherMap", "/cities/Bergen,NO/forecast", "forecast"),
        Case("usgs", "/earthquakes", "earthquakes"),
    ]

    private static func path(_ example: String) -> String { "\(Checkout.root)/Config/examples/\(example).json" }

    /// The arguments of `weir normalize` that apply the route of a target.
    private static func arguments(_ example: String, _ target: String) -> [String] {
        let parts = target.split(separator: "?")
        let settings = parts.dropFirst().flatMap { $0.split(separator: "&") }.flatMap { ["--set", String($0)] }
        return ["normalize", "--config", path(example), "--route", String(parts[0])] + settings
    }

    /// Serves an example with the sample of its upstream.
    private static func serve(_ example: String) throws -> WeirProcess {
        let text = try Checkout.text("Config/examples/\(example).json")
            .replacing(
                /"baseURL": "[^"]*"/, with: "\"sample\": \"\(Checkout.root)/Config/samples/\(example)\"")
        return try WeirProcess.serve(text, environment: environment, arguments: ["--listen", "127.0.0.1:0"])
    }

    @Test(
        "Every example is accepted without a warning, says what it mends, and has a case here and a line in the documents"
    )
    func checks() throws {
        let table = try Checkout.text("docs/routes.md")
        for file in try Checkout.names(in: "Config/examples").sorted() {
            let name = String(file.dropLast(".json".count))
            let result = try WeirProcess.run(
                ["check", "--strict", "--config", Self.path(name)], environment: Self.environment)
            #expect(result.status == 0, "\(result.errors)")
            let head = try Checkout.text("Config/examples/\(file)").prefix { $0 != "{" }
            #expect(head.contains("Mended:"), "\(file)")
            #expect(Self.cases.contains { $0.example == name }, "\(file)")
            #expect(table.contains("| `Config/examples/\(file)` |"), "\(file)")
        }
    }

    @Test("weir check names the upstreams of each part")
    func upstreams() throws {
        let output = try WeirProcess.run(["check", "--config", Self.path("nws")]).output
        #expect(output.contains("    upstreams of point: nws\n"))
        #expect(output.contains("    upstreams of forecast: nws\n"))
    }

    @Test("weir normalize gives the expected answer and drift", arguments: cases)
    func normalizes(_ test: Case) throws {
        let arguments = Self.arguments(test.example, test.target)
        let input = Array(try test.input().utf8)
        let answer = try WeirProcess.run(arguments, environment: Self.environment, input: input)
        #expect(try answer.output == test.text("out"), "\(answer.errors)")
        let drift = try WeirProcess.run(arguments + ["--drift"], environment: Self.environment, input: input)
        #expect(try drift.output == test.text("drift") + "\n", "\(drift.errors)")
    }

    @Test("The service gives the same answer and drift, with the sample as the upstream", arguments: cases)
    func serves(_ test: Case) throws {
        let weir = try Self.serve(test.example)
        defer { weir.kill() }
        let answer = try weir.get(test.target)
        #expect(answer.status == 200)
        #expect(try answer.text == test.text("out"))
        let explained = try weir.get(test.target + (test.target.contains("?") ? "&" : "?") + "explain=1").text
        #expect(
            try explained.hasPrefix(#"{"data":\#(test.text("out")),"drift":\#(test.text("drift")),"#),
            "\(explained)")
    }

    /// Recorded documents of the examples' upstreams, by the ends of their names.
    private static let recorded = [
        ("github", "/repositories/a/b/issues", ["github-paginate-issues-200", "github-paginate-issues-200-2"]),
        ("github", "/repositories/a/b", ["github-get-repository-200"]),
        ("metNorway", "/hours?latitude=1&longitude=1&hours=100", ["weather_yr"]),
        ("nws", "/nws/stations/KDCA/observation", ["weathergov_current"]),
        ("openMeteoHours", "/hours?latitude=1&longitude=1", ["openmeteo_current"]),
        ("openWeatherMap", "/cities/a/weather", ["owm_current", "weather_current", "openweathermap"]),
    ]

    @Test("A recorded document lacks nothing that its example reads, and loses nothing", arguments: recorded)
    func recordedDocuments(_ example: String, _ target: String, _ names: [String]) throws {
        for path in Checkout.corpus("other") where names.contains(where: { path.hasSuffix("_\($0).json") }) {
            let drift = try WeirProcess.run(
                Self.arguments(example, target) + ["--drift", path], environment: Self.environment)
            #expect(drift.status == 0, "\(path): \(drift.errors)")
            let lost = try Parsed(drift.output).elements.filter { ["missing", "dropped"].contains($0["kind"].string) }
            #expect(lost.isEmpty, "\(path): \(drift.output)")
        }
    }

    @Test("GitHub's next page is one of the route")
    func pages() throws {
        let weir = try Self.serve("github")
        defer { weir.kill() }
        let link = try weir.get("/repositories/tidewater/gauge/issues?state=open").header("Link")
        #expect(link == #"</repositories/tidewater/gauge/issues?state=open&page=2>; rel="next""#)
        #expect(try weir.get("/repositories/tidewater/gauge/issues?page=2").header("Link") == nil)
    }

    @Test("An account whose statuses fail is answered without them")
    func absentPart() throws {
        let weir = try Self.serve("mastodonAccount")
        defer { weir.kill() }
        let answer = try weir.get("/accounts/quay")
        #expect(
            answer.text
                == #"{"id":"10900000000000010","name":"quay","followers":2,"page":"https://mastodon.social/@quay"}"#
        )
        #expect(answer.header("Weir-Parts") == "statuses=404")
    }

    @Test("An error in an answer with the status 200 fails the request with its reason")
    func errors() throws {
        let weir = try Self.serve("openWeatherMap")
        defer { weir.kill() }
        for route in ["weather", "forecast"] {
            let problem = try expectProblem(weir.get("/cities/Nowhere/\(route)"), route == "weather" ? 502 : 404)
            #expect(problem["upstream"]["error"].string == "city not found")
        }
        let error = try Checkout.read("\(Checkout.root)/Config/samples/graphQL/error.json")
        let result = try WeirProcess.run(
            ["normalize", "--config", Self.path("graphQL"), "--route", "/countries/CH"], input: error)
        #expect(result.status == 65)
        #expect(
            result.errors == """
                weir: standard input: the upstream answers with an error: Cannot query field "curency" on type "Country".

                """)
    }

    /// Requests that fail, the status that clients get, and the reason, which the upstream sends with the status 200 or 404.
    private static let reasons = [
        ("alphaVantage", "/shares/NONE", 404, "There is no such symbol."),
        ("alphaVantage", "/shares/BUSY/days", 429, "The standard limit is 25 requests per day."),
        ("alphaVantage", "/shares/NONE/days", 404, "Invalid API call."),
        ("ecb", "/rates?currencies=XXX", 404, "No results found."),
        ("lastfm", "/users/quay/tracks?key=\(clientKey)", 404, "User not found"),
        ("lastfm", "/users/ferry/tracks?key=00000000000000000000000000000000", 401, "Invalid API key"),
        ("mediaWiki", "/pages/Gulp/sections", 404, "The page you specified doesn't exist."),
    ]

    @Test("An error has the status that the error means, also in an answer with the status 200", arguments: reasons)
    func statuses(_ example: String, _ target: String, _ status: Int, _ reason: String) throws {
        let weir = try Self.serve(example)
        defer { weir.kill() }
        let problem = try expectProblem(weir.get(target), status)
        #expect(problem["upstream"]["error"].string?.hasPrefix(reason) == true, "\(problem)")
    }

    @Test("An issue without an assignee asks for no status, and lacks nothing")
    func absentAssignee() throws {
        let weir = try Self.serve("gitlab")
        defer { weir.kill() }
        let answer = try weir.get("/projects/2901/issues/12")
        #expect(answer.status == 200)
        #expect(answer.header("Weir-Parts") == nil)
        #expect(answer.header("Cache-Control")?.contains("no-store") == false)
    }

    @Test("A state's outputs need the client's token, and a state that is not written yet is a 204")
    func terraform() throws {
        let weir = try Self.serve("gitlab")
        defer { weir.kill() }
        let token = ["PRIVATE-TOKEN: glpat-00000000000000000000"]
        _ = try expectProblem(weir.get("/projects/2901/terraform/harbour"), 400)
        let answer = try weir.get("/projects/2901/terraform/harbour", headers: token)
        let outputs = #"{"address":"192.0.2.7","gauge_count":6,"zones":["quay","pier"]}"#
        #expect(answer.text == #"{"serial":12,"version":"1.9.8","outputs":\#(outputs)}"#)
        #expect(answer.header("Cache-Control")?.contains("private") == true)
        let nothing = try weir.get("/projects/2901/terraform/pier", headers: token)
        #expect(nothing.status == 204)
        #expect(nothing.text.isEmpty)
        let problem = try expectProblem(weir.get("/projects/2902/terraform/pier", headers: token), 403)
        #expect(problem["upstream"]["error"].string == "403 Forbidden")
    }

    @Test("The demo has the routes of three examples", arguments: ["github", "nws", "usgs"])
    func demo(_ example: String) throws {
        let text = try Checkout.text("Config/examples/\(example).json")
        let routes = try #require(text.split(separator: "    \"routes\": [\n").last).dropLast("    ]\n}\n".count)
        #expect(try Checkout.text("Config/demo.json").contains(routes.dropLast()))
    }
}
