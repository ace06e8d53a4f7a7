import TestSupport
import Testing

/// The setting `weather.requires`.
@Suite("Blocks that answers must have", .timeLimit(.minutes(10)))
struct RequiredBlockTests {
    private static let whole = """
        {"latitude":1,"longitude":2,"timezone":"GMT","currently":{"time":1767290400,"temperature":1},\
        "hourly":{"data":[{"time":1767290400,"temperature":1}]},"flags":{"units":"si"}}
        """
    private static let withoutHours = whole.replacing(
        #"{"data":[{"time":1767290400,"temperature":1}]}"#, with: "\"none\"")

    private static func serve(
        _ answers: [String], requires: String = #"["currently", "hourly"]"#
    ) throws -> (WeirProcess, [ScriptedUpstream]) {
        let upstreams = try answers.map { answer in try ScriptedUpstream { _ in .answer(answer) } }
        let weir = try WeirProcess.serve(
            configuration(upstreams.map(\.baseURL), weather: #", "requires": \#(requires)"#, cache: ""))
        return (weir, upstreams)
    }

    @Test("An answer without a required block counts as failed, and the next upstream is asked")
    func failover() throws {
        let (weir, upstreams) = try Self.serve([Self.withoutHours, Self.whole])
        defer {
            weir.kill()
            upstreams.forEach { $0.stop() }
        }
        for target in [weather, darkSkyWeather] {
            let answer = try weir.get(target)
            #expect(try answer.status == 200 && answer.json()["hourly"]["data"].count == 1)
        }
        #expect(try weir.get(weather + "&explain=1").json()["source"]["failed"].count == 1)
    }

    @Test("If no upstream has the block, the problem names the block; clients that exclude the block get an answer")
    func problem() throws {
        let (weir, upstreams) = try Self.serve([Self.withoutHours])
        defer {
            weir.kill()
            upstreams.forEach { $0.stop() }
        }
        // Also if the document is in the cache, for a client that excludes the block.
        #expect(try weir.get(weather + "&exclude=hourly").status == 200)
        for target in [weather, weather + "&units=us"] {
            let problem = try expectProblem(weir.get(target), 502)
            #expect(problem["detail"].string?.contains("it has no hourly, which weather.requires names") == true)
        }
    }

    @Test(
        "A document in the cache without a block that another client needs does not keep the next upstream from answering"
    )
    func cached() throws {
        let (weir, upstreams) = try Self.serve([Self.withoutHours, Self.whole])
        defer {
            weir.kill()
            upstreams.forEach { $0.stop() }
        }
        #expect(try weir.get(weather + "&exclude=hourly").status == 200)
        #expect(try weir.get(weather).json()["hourly"]["data"].count == 1)
        #expect(upstreams.map { $0.requests.count } == [1, 1])
    }

    @Test("Without the setting, no block is required; words that are no blocks are faults")
    func settings() throws {
        let (weir, upstreams) = try Self.serve([Self.withoutHours], requires: "[]")
        defer {
            weir.kill()
            upstreams.forEach { $0.stop() }
        }
        #expect(try weir.get(weather).status == 200)
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        for (value, detail) in [
            (#"["hourly", "daly"]"#, #"weather.requires[1] must be one of currently, minutely, hourly, daily"#),
            (#"["hourly", "hourly"]"#, "weather.requires[1] is listed twice"),
        ] {
            let file = try folder.write(
                configuration(["http://127.0.0.1:1"], weather: #", "requires": \#(value)"#), to: "weir.json")
            let result = try WeirProcess.run(["check", "--config", file], environment: ["WEIR_TEST_KEY": "key"])
            #expect(result.status == 78 && result.errors.contains(detail), "\(result.errors)")
        }
    }
}
