import Foundation
import TestSupport
import Testing

/// The target of the forecast for the demo's place.
let weather = "/weather?lat=37.8267&lon=-122.4233"

/// The same target for clients of Dark Sky.
let darkSkyWeather = "/forecast/any/37.8267,-122.4233"

/// The smallest valid forecast, in the default units of `/weather`.
let smallForecast = """
    {"latitude":37.8267,"longitude":-122.4233,"timezone":"America/Los_Angeles",\
    "currently":{"time":1767290437,"temperature":10.9},"flags":{"units":"si"}}
    """

/// A configuration with base URLs or sample folders as upstreams.
///
/// Their names are upstream-0, upstream-1, …; every request is made, and once, however many fail. The deadline of a
/// request is twice that of an upstream unless it is given. Without `cache`, each request asks an upstream.
func configuration(
    _ upstreams: [String], deadline: Int = 15_000, maximumBytes: Int = 8 << 20,
    key: String = #"{"environment": "WEIR_TEST_KEY"}"#, server: [String: Int] = [:], dialect: String = "darkSky",
    weather: String = "", requestDeadline: Int? = nil, cache: String = #""maximumBytes": 0"#
) -> String {
    let entries = upstreams.enumerated().map { index, place in
        let source = place.hasPrefix("http") ? #""baseURL": "\#(place)", "key": \#(key)"# : #""sample": "\#(place)""#
        return """
            {"name": "upstream-\(index)", "dialect": "\(dialect)", \(source),
             "deadlineMilliseconds": \(deadline), "connectTimeoutMilliseconds": 20000,
             "maximumBytes": \(maximumBytes), "retryPercent": 0, "breaker": {"minimumRequests": 1000000}}
            """
    }
    // Idle connections belong to the tests, which send nothing more.
    let settings = server.merging(["drainTimeoutMilliseconds": 3000]) { given, _ in given }
    let names = upstreams.indices.map { "\"upstream-\($0)\"" }
    return """
        {
            "listen": "127.0.0.1:0",
            "shards": 2,
            "fetching": {"deadlineMilliseconds": \(requestDeadline ?? 2 * deadline)},
            "server": {\(settings.map { "\"\($0.key)\": \($0.value)" }.joined(separator: ", "))},
            "cache": {\(cache)},
            "upstreams": [\(entries.joined(separator: ", "))],
            "weather": {"upstreams": [\(names.joined(separator: ", "))]\(weather)}
        }
        """
}

extension WeirProcess {
    /// Starts `weir serve` with a configuration and waits until it listens.
    static func serve(
        _ configuration: String, environment: [String: String] = ["WEIR_TEST_KEY": "test-key"],
        arguments: [String] = [], launcher: [String] = []
    ) throws -> WeirProcess {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = try folder.write(configuration, to: "weir.json")
        let weir = try WeirProcess(
            ["serve", "--config", file] + arguments, environment: environment, launcher: launcher)
        do {
            _ = try weir.address()
        } catch {
            weir.kill()
            throw error
        }
        return weir
    }

    /// Starts `weir serve` with the Dark Sky sample as its only upstream.
    static func darkSkySample() throws -> WeirProcess { try serve(configuration([Checkout.sample])) }

    /// The URL of the first sample upstream that the service started.
    func sampleURL() throws -> String {
        guard let url = try logLine("sample upstream started")["url"].string else { throw Failure("no sample's URL") }
        return url
    }
}

/// A copy of the Dark Sky sample with another delay or document.
func sample(delayMilliseconds: Int = 0, forecast: String? = nil) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let text = String(decoding: try Checkout.read("\(Checkout.sample)/sample.json"), as: UTF8.self)
    let delay = #""delayMilliseconds": "#
    try folder.write(text.replacing("\(delay)0", with: "\(delay)\(delayMilliseconds)"), to: "sample.json")
    try folder.write(forecast.map { Array($0.utf8) } ?? Checkout.forecast(), to: "forecast.json")
    return folder
}

/// Checks that an answer is a problem (RFC 9457) with `status`, and returns its body.
@discardableResult
func expectProblem(
    _ answer: RawAnswer, _ status: Int, sourceLocation: SourceLocation = #_sourceLocation
) throws -> Parsed {
    #expect(answer.status == status, "\(answer.text)", sourceLocation: sourceLocation)
    #expect(answer.header("Content-Type") == "application/problem+json", sourceLocation: sourceLocation)
    #expect(answer.header("Cache-Control") == "no-store", sourceLocation: sourceLocation)
    let problem = try answer.json()
    #expect(problem["status"].integer == status, sourceLocation: sourceLocation)
    #expect(problem["type"].string?.hasPrefix("urn:weir:problem:") == true, sourceLocation: sourceLocation)
    #expect(problem["title"].string?.isEmpty == false, sourceLocation: sourceLocation)
    #expect(problem["detail"].string?.isEmpty == false, sourceLocation: sourceLocation)
    return problem
}

/// Measures how long `body` takes, in seconds.
func seconds<Result>(of body: () throws -> Result) rethrows -> (seconds: Double, result: Result) {
    let start = ContinuousClock.now
    let result = try body()
    return ((ContinuousClock.now - start) / .seconds(1), result)
}
