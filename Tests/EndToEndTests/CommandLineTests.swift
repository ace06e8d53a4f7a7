import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct CommandLineTests {
    /// A command line, its exit code and its message.
    struct Case: Sendable, CustomTestStringConvertible {
        let arguments: [String]
        let status: Int32
        /// A part of standard error; empty if the command succeeds.
        let complaint: String

        init(_ arguments: String, _ status: Int32, _ complaint: String) {
            let words = arguments.split(separator: " ").map(String.init)
            self.arguments = words.map { $0.replacing("DEMO", with: "\(Checkout.root)/Config/demo.json") }
            self.status = status
            self.complaint = complaint
        }

        var testDescription: String { arguments.joined(separator: " ") }
    }

    @Test(arguments: [
        Case("", 64, "Usage: weir COMMAND"),
        Case("srve", 64, "there is no command \"srve\"; did you mean \"serve\"?"),
        Case("normalise", 64, "did you mean \"normalize\"?"),
        Case("helthcheck", 64, "did you mean \"healthcheck\"?"),
        Case("xyzzyplugh", 64, "see weir --help"),
        Case("--verison", 64, "did you mean \"version\"?"),
        Case("serve --confg x", 64, "there is no option --confg; did you mean --config?"),
        Case("serve --lisen :1", 64, "did you mean --listen?"),
        Case("serve --shard 1", 64, "did you mean --shards?"),
        Case("serve -x", 64, "there is no option -x; did you mean --set?"),
        Case("serve extra", 64, "unexpected argument \"extra\""),
        Case("serve --config", 64, "--config takes a value: --config FILE"),
        Case("serve --config a --config b", 64, "--config is given twice"),
        Case(
            "serve --config DEMO --listen nowhere", 64,
            "--listen takes HOST:PORT, unix:PATH or fd:NUMBER, not \"nowhere\""),
        Case("serve --config DEMO --listen 1.2.3.4:99999", 64, "--listen takes"),
        Case("serve --config DEMO --listen unix:", 64, "--listen takes"),
        Case("serve --config DEMO --shards 0", 64, "--shards takes a number from 1 to 128, not \"0\""),
        Case("serve --config DEMO --shards 129", 64, "--shards takes a number from 1 to 128"),
        Case("serve --config DEMO --shards two", 64, "--shards takes a number from 1 to 128"),
        Case("serve --config /nothing.json", 66, "/nothing.json"),
        Case("serve --config /", 66, "/"),
        Case("serve --config DEMO --listen unix:/nothing/weir.sock", 69, "unix:/nothing/weir.sock"),
        Case("serve --config DEMO --listen 192.0.2.1:8080", 69, "192.0.2.1:8080"),
        Case("serve --config DEMO --listen host.invalid:80", 69, "host.invalid:80"),
        Case("check --config /nothing.json", 66, "/nothing.json"),
        Case("check --prnt", 64, "did you mean --print?"),
        Case("check --print=yes", 64, "--print takes no value"),
        Case("check --config=DEMO", 0, ""),
        Case("normalize", 64, "--as DIALECT is missing: one of darkSky"),
        Case("normalize --as darksky", 64, "did you mean darkSky?"),
        Case(
            "normalize --as gopher", 64,
            "--as takes one of darkSky, pirateWeather, openMeteo, weatherKit, twitter, twitterV2, mastodon, bluesky, "
                + "brightSky, metNorway, misskey, nws, openWeatherMap, smhi, tomorrowIO, visualCrossing, weatherbit, json, "
                + "or with --config a mapping of that file, not \"gopher\""
        ),
        Case("normalize --as darkSky a b", 64, "unexpected argument \"b\""),
        Case("normalize --as darkSky /nothing.json", 66, "/nothing.json"),
        Case("normalize --as darkSky -- --nothing", 66, "--nothing"),
        Case("normalize --as darkSky /", 66, "/"),
        Case("normalize --as Json", 64, "did you mean json?"),
        Case("normalize --as darkSky --keys keep", 64, "--keys does not go with --as darkSky"),
        Case("normalize --as darkSky --units metric", 64, "--units takes si, us, ca, uk2 or auto, not \"metric\""),
        Case("normalize --as darkSky --units uk", 64, "not \"uk\"; did you mean uk2?"),
        Case("normalize --as darkSky --units US", 64, "not \"US\"; did you mean us?"),
        Case("normalize --as darkSky --place 91,0", 64, "--place takes a latitude and a longitude in degrees"),
        Case("normalize --as darkSky --place 1", 64, "--place takes a latitude and a longitude in degrees"),
        Case("normalize --as darkSky --upstream-units x", 64, "--upstream-units takes si, us, ca, uk2 or auto"),
        Case("normalize --as twitter --place 1,2", 64, "--place does not go with --as twitter"),
        Case("normalize --as darkSky --units", 64, "--units takes a value: --units si|us|ca|uk2|auto"),
        Case("normalize --as darkSky --units si --units us", 64, "--units is given twice"),
        Case("normalize --as darkSky --dates iso", 64, "--dates takes unix or iso8601, not \"iso\""),
        Case("normalize --as darkSky --exclude hourly,dialy", 64, "not \"dialy\"; did you mean daily?"),
        Case("normalize --as darkSky --exclude=", 64, "--exclude takes some of currently,minutely,hourly,"),
        Case(
            "normalize --as darkSky --fields hourly.data.temprature", 64,
            "--fields: there is no field \"hourly.data.temprature\"; did you mean hourly.data.temperature?"),
        Case("normalize --as darkSky --fields latitude --fields tempreature", 64, "\"tempreature\""),
        Case("normalize --as darkSky --fields=", 64, "--fields: there is no field \"\""),
        Case("normalize --as darkSky --explain=1", 64, "--explain takes no value"),
        Case("normalize --as json --units si", 64, "--units does not go with --as json"),
        Case("normalize --as json --explain", 64, "--explain does not go with --as json"),
        Case("normalize --as json --fields a", 64, "--fields does not go with --as json"),
        Case("normalize --as json --keys snake", 64, "--keys takes camel or keep, not \"snake\""),
        Case("normalize --as json --nulls no", 64, "--nulls takes drop or keep, not \"no\""),
        Case("normalize --as json --lenient nan,coments", 64, "not \"coments\"; did you mean comments?"),
        Case("normalize --as json --lenient=", 64, "--lenient takes all or some of bom,trailing-commas,"),
        Case("normalize --as json --keys keep --keys camel", 64, "--keys is given twice"),
        Case("normalize --as json /nothing.json", 66, "/nothing.json"),
        Case("healthcheck --url nonsense", 64, "--url takes an http or https URL or unix:PATH"),
        Case("healthcheck --url ftp://host.invalid", 64, "--url takes"),
        Case("healthcheck --url unix:/nothing.sock", 69, "unix:/nothing.sock"),
        Case("version", 0, ""), Case("--version", 0, ""), Case("help", 0, ""), Case("--help", 0, ""), Case("-h", 0, ""),
        Case("version extra", 64, "unexpected argument"),
    ])
    func aCommandEndsWithItsExitCodeAndMessage(_ command: Case) throws {
        let result = try WeirProcess.run(command.arguments)
        #expect(result.status == command.status, "\(result.errors)")
        #expect(result.errors.contains(command.complaint) || command.complaint.isEmpty, "\(result.errors)")
        #expect(result.errors.isEmpty == (command.status == 0))
        #expect(result.output.isEmpty == (command.status != 0))
        for line in result.errors.split(separator: "\n") { #expect(line.hasPrefix("weir: ") || line.hasPrefix("{")) }
    }

    @Test(arguments: ["serve", "normalize", "replay", "snapshot", "check", "healthcheck", "version", "help"])
    func everyCommandHasHelp(_ command: String) throws {
        let overview = try WeirProcess.run(["--help"])
        #expect(overview.output.contains("\n  \(command) "))
        for option in ["--help", "-h"] {
            let result = try WeirProcess.run([command, option])
            #expect(result.status == 0)
            #expect(result.output.contains("Usage: weir \(command)"))
            #expect(result.output.contains("--help"))
            #expect(result.errors.isEmpty)
        }
    }

    @Test func theVersionIsTheSameEverywhere() throws {
        let result = try WeirProcess.run(["version"])
        let form = /weir ([0-9]+\.[0-9]+\.[0-9]+) \(build ([0-9a-f]{12})\)\n/
        let match = try #require(try form.wholeMatch(in: result.output), "\(result.output)")
        let weir = try WeirProcess(
            ["serve", "--config", "\(Checkout.root)/Config/demo.json", "--listen", "127.0.0.1:0"],
            environment: ["WEIR_COMMIT": "0a1b2c3"])
        defer { weir.kill() }
        #expect(try weir.logLine("listening")["version"].string == String(match.1))
        let info = #"weir_build_info{version="\#(match.1)",build="\#(match.2)",commit="0a1b2c3"} 1"#
        #expect(try weir.get("/metrics").text.contains("\n\(info)\n"))
        let named = try WeirProcess.run(["version"], environment: ["WEIR_COMMIT": "0a1b2c3"])
        #expect(named.output == "weir \(match.1) (build \(match.2), commit 0a1b2c3)\n")
        // The build is the digest of the program's file.
        #expect(try Tool.run(["sha256sum", WeirProcess.binary]).text.hasPrefix(match.2))
    }

    @Test func withoutAConfigurationTheDefaultPathsAreNamed() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        for command in ["serve", "check"] {
            let result = try WeirProcess.run([command], in: folder.path)
            #expect(result.status == 78)
            #expect(result.errors.contains("Config/weir.json"))
            #expect(result.errors.contains("--config FILE"))
        }
    }

    @Test func theDefaultConfigurationIsFound() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write(configuration([Checkout.sample]), to: "Config/weir.json")
        let result = try WeirProcess.run(["check"], in: folder.path)
        #expect(result.status == 0)
        #expect(result.output.hasSuffix("Config/weir.json: ok\n"))
    }
}
