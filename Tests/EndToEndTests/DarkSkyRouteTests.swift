import TestSupport
import Testing

/// The drop-in route for clients of Dark Sky.
@Suite(.timeLimit(.minutes(10)))
struct DarkSkyRouteTests {
    private static let badPlace = "The given location (or time) is invalid."

    /// Checks that an answer is an error in Dark Sky's form.
    private static func expectError(
        _ answer: RawAnswer, _ status: Int, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> String? {
        #expect(answer.status == status, "\(answer.text)", sourceLocation: sourceLocation)
        #expect(answer.header("Content-Type") == "application/json", sourceLocation: sourceLocation)
        let error = try answer.json()
        #expect(Set(error.members.keys) == ["code", "error"], sourceLocation: sourceLocation)
        #expect(error["code"].integer == status, sourceLocation: sourceLocation)
        return error["error"].string
    }

    @Test(arguments: [
        "/37.8267,-122.4233", "/37.8267,-122.4233/", "/37.8267,%20-122.4233", "/37.8267%2C-122.4233",
        "/37.8267,-122.4233,1508630400", "/37.8267,-122.4233,1508630400.25", "/37.8267,-122.4233,-1",
        "/37.8267,-122.4233,2013-05-06T12:00:00", "/37.8267,-122.4233,2013-05-06T12:00:00-0400",
        "/37.8267,-122.4233,2013-05-06T12:00:00+05:30", "/37.8267,-122.4233,2013-05-06T12:00:00.123Z",
        "/37.8267,-122.4233?units=si", "/37.8267,-122.4233?units=US&lang=EN", "/37.8267,-122.4233?units=uk",
        "/37.8267,-122.4233?units=&lang=&exclude=&extend=", "/37.8267,-122.4233?extend=daily",
        "/37.8267,-122.4233?exclude=nothing,[hourly]&exclude=daily", "/37.8267,-122.4233?callback=&foo&bar=1&key=2",
        "/37.8267,-122.4233?lat=1&lon=x&time=y&fields=z&explain=2&dates=3", "/+37.8267,-122.4233?",
    ])
    func everyRequestThatDarkSkyAcceptedIsAnswered(_ rest: String) throws {
        let weir = try WeirProcess.demo()
        defer { weir.kill() }
        for key in ["/forecast/0123456789abcdef", "/forecast/", "/forecast/a,b%20c"] {
            let answer = try weir.get(key + rest)
            #expect(answer.status == 200, "\(key)\(rest): \(answer.text)")
            #expect(answer.header("Content-Type") == "application/json")
            #expect(try answer.json()["latitude"].number == 37.827)
        }
    }

    @Test(
        arguments: [
            ("/forecast/k/91,0", 400, badPlace), ("/forecast/k/0,181", 400, badPlace),
            ("/forecast/k/a,b", 400, badPlace),
            ("/forecast/k/1", 400, badPlace), ("/forecast/k/,", 400, badPlace), ("/forecast/k/1,2,", 400, badPlace),
            ("/forecast/k/1,2,3,4", 400, badPlace), ("/forecast/k/1,2,yesterday", 400, badPlace),
            ("/forecast/k/1,2,2021-02-29T00:00:00", 400, badPlace), ("/forecast/k/nan,0", 400, badPlace),
            ("/forecast/k/1,2,99999999999999999999", 400, badPlace), ("/forecast/k/0x10,1", 400, badPlace),
            ("/forecast/k/1,2,2021-01-01", 400, badPlace), ("/forecast/k/1%002,3", 400, nil),
            ("/forecast/k/1,2?units=metric", 400, "An invalid units parameter was provided."),
            ("/forecast/k/1,2?lang=klingon", 400, "An invalid lang parameter was provided."),
            ("/forecast/k", 404, "Not Found"), ("/forecast/", 404, "Not Found"),
            ("/forecast/k/1,2/3", 404, "Not Found"),
            ("/forecast/k/l/1,2", 404, "Not Found"),
        ] as [(String, Int, String?)])
    func anInvalidRequestGetsDarkSkysErrorAndNothingIsFetched(_ target: String, _ status: Int, _ text: String?) throws {
        let upstream = try ScriptedUpstream { _ in .answer(smallForecast) }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(configuration([upstream.baseURL]))
        defer { weir.kill() }
        let answer = try weir.get(target)
        if let text {
            #expect(try Self.expectError(answer, status) == text)
            #expect(answer.header("X-Forecast-API-Calls") == "1")
        } else {
            // A malformed request is refused before routing.
            #expect(answer.status == status)
        }
        #expect(upstream.requests == [])
    }

    @Test func anotherMethodIsRefusedInDarkSkysForm() throws {
        let weir = try WeirProcess.demo()
        defer { weir.kill() }
        let answer = try weir.get(darkSkyWeather, method: "DELETE")
        #expect(try Self.expectError(answer, 405) == "DELETE is not allowed here; use GET or HEAD.")
        #expect(answer.header("Allow") == "GET, HEAD, OPTIONS")
    }

    @Test(
        arguments: [
            (.answer(500, "{}"), 502), (.answer(404, "{}"), 404), (.stall, 504), (.close, 502),
            (.answer("<html>", type: "text/html"), 502), (.answer(429, "", headers: ["Retry-After: 7"]), 429),
        ] as [(ScriptedUpstream.Reaction, Int)])
    func anUpstreamFailureIsAnErrorWithItsStatus(_ reaction: ScriptedUpstream.Reaction, _ status: Int) throws {
        let upstream = try ScriptedUpstream { _ in reaction }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(configuration([upstream.baseURL], deadline: status == 504 ? 500 : 15_000))
        defer { weir.kill() }
        let answer = try weir.get("/forecast/s3ntinel/1,2")
        #expect(try Self.expectError(answer, status)?.contains("upstream-0") == true)
        #expect(answer.header("Retry-After") == (status == 429 ? "7" : nil))
        let log = try weir.logLine("upstream failed")
        #expect(log["route"].string == "/forecast/{anything}/{latitude},{longitude}")
        #expect(!weir.errors.contains("s3ntinel"))
    }

    @Test func aClientsKeyIsNeitherRepeatedNorForwarded() throws {
        let upstream = try ScriptedUpstream { _ in .answer(smallForecast) }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(configuration([upstream.baseURL]))
        defer { weir.kill() }
        let targets = [
            "/1,2", "/91,0", "", "/1,2,3,4", "/x/1,2", "/1,2?units=s3ntinel", "/1,2?exclude=s3ntinel", "/%00", "/1,2|",
            "/\u{E9}",
        ]
        for target in targets {
            let answer = try weir.get("/forecast/s3ntinel\(target)")
            #expect(!answer.everything.contains("s3ntinel"), "\(target)")
        }
        #expect(try weir.terminate() == 0)
        #expect(!(weir.errors + weir.output + upstream.requests.joined()).contains("s3ntinel"))
    }

    @Test func theResponseHasTheDaysCallsAndItsTime() throws {
        let weir = try WeirProcess.demo()
        defer { weir.kill() }
        let client = try weir.client()
        #expect(try client.get(weather).header("X-Forecast-API-Calls") == nil)
        let calls = try [darkSkyWeather, "/forecast/k/91,0", darkSkyWeather].map { target in
            let answer = try client.get(target)
            #expect(answer.header("X-Response-Time")?.wholeMatch(of: /[0-9]+ms/) != nil)
            return Int(answer.header("X-Forecast-API-Calls") ?? "")
        }
        // The count restarts at midnight.
        #expect(calls == [1, 2, 3] || calls.contains(1))
    }

    @Test(arguments: [
        ("gzip", true), ("GZIP", true), ("x-gzip", true), ("deflate, gzip", true), ("gzip;q=0.001", true),
        ("*", true), ("gzip, identity;q=0.5", true), ("identity;q=0, gzip;q=0.5", true), ("br;q=0.1, *", true),
        ("", false), ("identity", false), ("gzip;q=0", false), ("gzip;q=0, *", false), ("br;q=0", false),
        ("*;q=0", false), ("gzip;q=0.5, identity", false), ("gzip;q=2", false), ("gzipped", false),
    ])
    func gzipIsSentIfTheClientAcceptsIt(_ accepted: String, _ isCompressed: Bool) throws {
        let weir = try WeirProcess.darkSkySample()
        defer { weir.kill() }
        let client = try weir.client()
        let headers = ["Accept-Encoding: \(accepted)"]
        let answer = try client.get(darkSkyWeather, headers: headers)
        #expect(answer.status == 200)
        #expect(answer.header("Vary") == "Accept-Encoding")
        #expect(answer.header("Content-Encoding") == (isCompressed ? "gzip" : nil))
        #expect(answer.body.starts(with: [0x1F, 0x8B]) == isCompressed)
        #expect((answer.body.count < 10_000) == isCompressed)
        let text = isCompressed ? try Gzip.inflate(answer.body) : answer.body
        #expect(try Parsed(text)["hourly"]["data"].count == 49)
        // The other body may be a minute younger.
        let head = try client.get(darkSkyWeather, method: "HEAD", headers: headers)
        #expect(head.header("Content-Encoding") == answer.header("Content-Encoding"))
        let length = try #require(head.header("Content-Length").flatMap { Int($0) })
        #expect(abs(length - answer.body.count) < 100)
    }

    @Test func tinyBodiesAndErrorsAreNotCompressed() throws {
        let upstream = try ScriptedUpstream { _ in .answer(smallForecast) }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(configuration([upstream.baseURL]))
        defer { weir.kill() }
        for (target, status) in [(darkSkyWeather, 200), ("/forecast/k/91,0", 400)] {
            let answer = try weir.get(target, headers: ["Accept-Encoding: gzip"])
            #expect(answer.status == status)
            #expect(answer.header("Content-Encoding") == nil)
            #expect(try answer.json().members.isEmpty == false)
        }
    }

    /// Such a body is compressed on the work pool.
    @Test func aVeryLargeAnswerIsCompressedCompletely() throws {
        let points = (0..<9000).map { "{\"time\":\(1_767_290_400 + $0 * 3600),\"summary\":\"Hour \($0)\"}" }
        let document = """
            {"latitude":1,"longitude":2,"timezone":"UTC","hourly":{"data":[\(points.joined(separator: ","))]}}
            """
        let upstream = try ScriptedUpstream { _ in .answer(document) }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(configuration([upstream.baseURL]))
        defer { weir.kill() }
        let answer = try weir.get(darkSkyWeather, headers: ["Accept-Encoding: gzip"])
        #expect(answer.header("Content-Encoding") == "gzip")
        #expect(try Parsed(Gzip.inflate(answer.body))["hourly"]["data"].count == 9000)
    }
}
