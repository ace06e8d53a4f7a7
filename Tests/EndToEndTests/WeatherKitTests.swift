import Foundation
import TestSupport
import Testing

/// An upstream that answers like Apple's WeatherKit.
@Suite("WeatherKit", .timeLimit(.minutes(10)))
struct WeatherKitTests {
    /// A folder with a key, `AuthKey.p8`.
    private static func key() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let words = [
            "openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", "AuthKey.p8",
        ]
        let result = try Tool.run(words, in: folder.path)
        guard result.status == 0 else { throw Failure(result.errors) }
        return folder
    }

    private static func settings(_ upstream: String, _ folder: TemporaryFolder, more: String = "") -> String {
        """
        {"listen": "127.0.0.1:0", "shards": 1, "cache": {"maximumBytes": 0}, "weather": {"upstreams": ["apple"]},
         "server": {"drainTimeoutMilliseconds": 3000}, "upstreams": [
            {"name": "apple", "dialect": "weatherKit", "baseURL": "\(upstream)", "retryPercent": 0,
             "breaker": {"minimumRequests": 1000000}, "authorization": "jwt", "jwt": {
                "privateKey": {"file": "\(folder.path("AuthKey.p8"))"}, "keyID": "ABC123DEFG", "issuer": "TEAM123456",
                "subject": "com.example.weather"}\(more)}]}
        """
    }

    /// The answer of the sample, as a document.
    private static func sample() throws -> String {
        String(decoding: try Checkout.read("\(Checkout.root)/Config/samples/weatherKit/forecast.json"), as: UTF8.self)
    }

    /// Returns the part of a request's token with this index; nil if the token has not the form of ES256.
    private static func part(_ index: Int, ofTokenIn head: String) -> Parsed? {
        guard let match = head.firstMatch(of: /\r\nAuthorization: Bearer ([\w\-]+)\.([\w\-]+)\.([\w\-]{86})\r\n/) else {
            return nil
        }
        let text = String(index == 0 ? match.1 : match.2).replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - text.count % 4) % 4)
        return Data(base64Encoded: text + padding).flatMap { try? Parsed(Array($0)) }
    }

    @Test("A request carries a signed token, the zone and the country, and its answer becomes a forecast")
    func forecast() throws {
        let folder = try Self.key()
        defer { folder.remove() }
        let sample = try Self.sample()
        let upstream = try ScriptedUpstream { head in
            let (header, claims) = (Self.part(0, ofTokenIn: head), Self.part(1, ofTokenIn: head))
            let isSigned =
                header?["alg"].string == "ES256" && header?["kid"].string == "ABC123DEFG"
                && header?["id"].string == "TEAM123456.com.example.weather" && claims?["iss"].string == "TEAM123456"
                && claims?["sub"].string == "com.example.weather" && claims?["exp"].integer != nil
            return isSigned ? .answer(sample) : .answer(401, #"{"reason":"NOT_ENABLED"}"#)
        }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(
            Self.settings(
                upstream.baseURL, folder, more: #", "timeZone": "America/Los_Angeles", "countryCode": "US""#))
        defer { weir.kill() }
        let answer = try weir.get("\(weather)&lang=de&units=ca&explain=1")
        #expect(answer.status == 200)
        let (forecast, source) = (try answer.json()["data"], try answer.json()["source"])
        #expect(source["dialect"].string == "weatherKit" && source["upstream"].string == "apple")
        #expect(forecast["latitude"].number == 37.827 && forecast["timezone"].string == "America/Los_Angeles")
        #expect(forecast["offset"].number == -8)
        #expect(forecast["currently"]["temperature"].number == 11.86)
        // From km/h to m/s and back.
        #expect(forecast["currently"]["windSpeed"].number == 11.38)
        #expect(forecast["hourly"]["data"].count == 49 && forecast["daily"]["data"].count == 8)
        #expect(forecast["minutely"]["data"].count == 61 && forecast["alerts"].count == 1)
        #expect(forecast["flags"]["attribution"].string == "Apple Weather")
        #expect(forecast["flags"]["attributionUrl"].string?.hasPrefix("https://developer.apple.com/") == true)
        #expect(forecast["flags"]["timezoneIsApproximate"].isAbsent)
        let line = try #require(upstream.requests.first?.split(separator: "\r\n").first)
        #expect(line.hasPrefix("GET /api/v1/weather/de/37.827/-122.423?dataSets=currentWeather,forecastHourly,"))
        #expect(line.contains("&timezone=America%2FLos_Angeles&") && line.hasSuffix("&countryCode=US HTTP/1.1"))
        #expect(try weir.terminate() == 0)
        #expect(!weir.errors.contains("Bearer"))
    }

    @Test("Without a zone in the configuration, the answer has that of the longitude and says so")
    func approximateZone() throws {
        let folder = try Self.key()
        defer { folder.remove() }
        let sample = try Self.sample()
        let upstream = try ScriptedUpstream { _ in .answer(sample) }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(Self.settings(upstream.baseURL, folder))
        defer { weir.kill() }
        let forecast = try weir.get(weather).json()
        #expect(forecast["timezone"].string == "Etc/GMT+8" && forecast["offset"].number == -8)
        #expect(try weir.get("\(weather)&fields=flags").text.contains(#""timezoneIsApproximate":true"#))
        let moment = try weir.get("\(weather)&time=1767312000").json()
        #expect(moment["currently"]["time"].number == 1_767_312_000)
        #expect(moment["hourly"]["data"].count == 24 && moment["daily"]["data"].count == 1)
        let line = try #require(upstream.requests.last?.split(separator: "\r\n").first)
        #expect(
            line.contains("?dataSets=forecastHourly,forecastDaily&timezone=Etc%2FGMT%2B8&hourlyStart=2026-01-01T08:"))
    }

    /// What the upstream answers, the status for the client, and the upstream's message in the problem.
    @Test(
        "Errors of WeatherKit become problems",
        arguments: [
            (
                401, #"{"reason":"NOT_ENABLED"}"#, 502,
                "NOT_ENABLED: the token is wrong, or WeatherKit is not enabled for its key"
            ),
            (400, #"{"status":400,"error":"Bad Request","message":"Invalid"}"#, 502, "Invalid"), (403, "", 502, nil),
            (404, "", 404, nil), (429, "", 429, nil),
            (500, #"{"status":500,"error":"Internal Server Error"}"#, 502, "Internal Server Error"),
            (200, "{}", 502, nil), (200, "<html>", 502, nil), (200, "", 502, nil),
            (
                200, #"{"reason":"NOT_ENABLED"}"#, 502,
                "NOT_ENABLED: the token is wrong, or WeatherKit is not enabled for its key"
            ),
        ])
    func errors(status: Int, body: String, expected: Int, message: String?) throws {
        let folder = try Self.key()
        defer { folder.remove() }
        let upstream = try ScriptedUpstream { _ in .answer(status, body) }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(Self.settings(upstream.baseURL, folder))
        defer { weir.kill() }
        let problem = try expectProblem(weir.get(weather), expected)
        #expect(problem["upstream"]["name"].string == "apple" && problem["upstream"]["error"].string == message)
    }

    @Test("A data set that is temporarily unavailable is absent, reported and named in the flags")
    func unavailable() throws {
        let folder = try Self.key()
        defer { folder.remove() }
        let place = #""latitude":37.827,"longitude":-122.423"#
        let upstream = try ScriptedUpstream { _ in
            .answer(
                """
                {"currentWeather":{"metadata":{\(place),"temporarilyUnavailable":true}},
                 "forecastHourly":{"metadata":{\(place)},"hours":[{"forecastStart":"2026-01-01T08:00:00Z","windSpeed":1}]}}
                """)
        }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(Self.settings(upstream.baseURL, folder))
        defer { weir.kill() }
        let answer = try weir.get(weather)
        #expect(answer.status == 200 && answer.header("Weir-Drift")?.hasPrefix("dropped=1") == true)
        #expect(try answer.json()["currently"].isAbsent)
        #expect(try answer.json()["flags"]["temporarilyUnavailable"].strings == ["currentWeather"])
    }

    @Test("Apple is not asked about times that it does not have")
    func times() throws {
        let folder = try Self.key()
        defer { folder.remove() }
        // Nothing listens there, so that a request would be a 503.
        let weir = try WeirProcess.serve(
            Self.settings(
                "https://weatherkit.apple.com", folder, more: #", "unixSocket": "\#(folder.path("none"))""#))
        defer { weir.kill() }
        let now = Int(Date().timeIntervalSince1970)
        for time in [1_627_775_999, now + 11 * 86400] {
            let problem = try expectProblem(weir.get("\(weather)&time=\(time)"), 400)
            #expect(problem["detail"].string?.contains("time must be from 2021-08-01T00:00:00Z to ") == true)
        }
        try expectProblem(weir.get("\(weather)&time=\(now - 86400)"), 503)
    }

    @Test("A configuration without a signed token is refused")
    func check() throws {
        let folder = try Self.key()
        defer { folder.remove() }
        let text = Self.settings("https://weatherkit.apple.com", folder)
        let good = try WeirProcess.run(["check", "--config", try folder.write(text, to: "weir.json")])
        #expect(good.status == 0, "\(good.errors)")
        let wrong = text.replacing(#""authorization": "jwt", "jwt""#, with: #""authorization": "bearer", "jwt""#)
        let check = try WeirProcess.run(["check", "--config", try folder.write(wrong, to: "weir.json")])
        #expect(check.status == 78)
        #expect(check.errors.contains("upstreams[0].authorization must be jwt"), "\(check.errors)")
    }

    @Test("The sample answers like WeatherKit, for the requested place and the present time")
    func sampleUpstream() throws {
        let weir = try WeirProcess.serve(
            configuration(["\(Checkout.root)/Config/samples/weatherKit"], dialect: "weatherKit"))
        defer { weir.kill() }
        let forecast = try weir.get("/weather?lat=10.5&lon=-120.25").json()
        #expect(forecast["latitude"].number == 10.5 && forecast["longitude"].number == -120.25)
        let now = Date().timeIntervalSince1970
        #expect(try abs(#require(forecast["currently"]["time"].number) - now) < 60)
        let hours = forecast["hourly"]["data"].elements.compactMap { $0["time"].number }
        #expect(hours.count == 49 && zip(hours, hours.dropFirst()).allSatisfy { $1 - $0 == 3600 })
        #expect(try abs(#require(hours.first) - now) < 2 * 3600)
        #expect(forecast["daily"]["data"].count == 8 && forecast["minutely"]["data"].count == 61)
        let past = try weir.get("/weather?lat=37.8267&lon=-122.4233&time=1508630400").json()
        #expect(past["currently"]["time"].number == 1_508_630_400 && past["hourly"]["data"].count == 24)
        #expect(past["daily"]["data"].elements.compactMap { $0["time"].number } == [1_508_572_800])
        let sample = try RawClient(weir.sampleURL().replacing("http://", with: ""))
        for (target, status) in [("/api/v1/weather/en/91/0?dataSets=currentWeather", 400), ("/api/v1/nothing", 404)] {
            let answer = try sample.get(target)
            #expect(answer.status == status)
            #expect(try answer.json()["status"].integer == status)
        }
    }
}
