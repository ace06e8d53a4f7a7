import Foundation
import TestSupport
import Testing

/// Forecasts of upstreams that leave out or break something, as clients of the service get them.
@Suite(.timeLimit(.minutes(10)))
struct RepairedForecastTests {
    private static func serve(
        _ dialect: String, cache: String = #""maximumBytes": 0"#, weather: String = "",
        _ react: @escaping @Sendable (String) -> ScriptedUpstream.Reaction
    ) throws -> (weir: WeirProcess, upstream: ScriptedUpstream) {
        let upstream = try ScriptedUpstream(react)
        let text = configuration([upstream.baseURL], dialect: dialect, weather: weather, cache: cache)
        return (try WeirProcess.serve(text), upstream)
    }

    @Test("A bare nan is no value, and the place is the one that was asked for")
    func notFinite() throws {
        let text = """
            {"latitude":-nan,"longitude":-nan,"timezone":"GMT","utc_offset_seconds":0,"elevation":inf,
             "hourly_units":{"temperature_2m":"°C"},"hourly":{"time":[3600,7200],"temperature_2m":[1.5,NaN]},
             "current_weather":{"time":3600,"temperature":1.5,"windspeed":nan}}
            """
        let (weir, upstream) = try Self.serve("openMeteo") { _ in .answer(text) }
        defer {
            weir.kill()
            upstream.stop()
        }
        let answer = try weir.get("/weather?lat=55.75&lon=37.6")
        #expect(answer.status == 200 && answer.header("Weir-Drift")?.contains("defaulted=5") == true)
        let forecast = try answer.json()
        #expect([forecast["latitude"].number, forecast["longitude"].number] == [55.75, 37.6])
        #expect(forecast["currently"]["temperature"].number == 1.5 && forecast["currently"]["windSpeed"].isAbsent)
    }

    @Test("Numbers without units have the units that were requested", arguments: ["darkSky", "pirateWeather"])
    func units(_ dialect: String) throws {
        let text = #"{"timezone":"Europe/Prague","currently":{"time":1609498800,"temperature":10}}"#
        let (weir, upstream) = try Self.serve(dialect) { _ in .answer(text) }
        defer {
            weir.kill()
            upstream.stop()
        }
        let answer = try weir.get("/weather?lat=50&lon=14.5&units=si")
        #expect(answer.header("Weir-Drift")?.hasPrefix("approximated=1") == true)
        let forecast = try answer.json()
        #expect(forecast["currently"]["temperature"].number == 10 && forecast["flags"]["units"].string == "si")
        #expect([forecast["latitude"].number, forecast["longitude"].number] == [50, 14.5])
        #expect(try weir.get("/forecast/key/50,14.5?units=si").json()["currently"]["temperature"].number == 10)
    }

    @Test(
        "An answer without any value is 502 with the reason",
        arguments: [
            (
                "openMeteo",
                #"{"latitude":1,"longitude":2,"timezone":"GMT","utc_offset_seconds":0,"hourly":{"time":[0],"wave_height":[1]}}"#
            ),
            (
                "openMeteo",
                #"{"latitude":1,"longitude":2,"timezone":"GMT","utc_offset_seconds":0,"daily":{"time":[0],"river_discharge":[9]}}"#
            ),
            (
                "darkSky",
                #"{"latitude":1,"longitude":2,"timezone":"UTC","hourly":{"data":[{"time":1,"windSpeed":-999}]}}"#
            ),
            ("darkSky", #"{"latitude":1,"longitude":2,"timezone":"UTC","hourly":{"data":[]},"flags":{"units":"si"}}"#),
            ("openMeteo", #"{"latitude":1,"longitude":2,"timezone":"GMT","utc_offset_seconds":0}"#),
        ])
    func hollow(_ dialect: String, _ text: String) throws {
        let (weir, upstream) = try Self.serve(dialect) { _ in .answer(text) }
        defer {
            weir.kill()
            upstream.stop()
        }
        let problem = try expectProblem(weir.get("/weather?lat=1&lon=2"), 502)
        #expect(problem["detail"].string?.contains("missing, expected a value") == true)
    }

    @Test(
        "A time that no server of Open-Meteo covers is 400, and the server is not asked", arguments: ["1400", "2400"])
    func uncovered(_ year: String) throws {
        let (weir, upstream) = try Self.serve("openMeteo") { _ in .answer(smallForecast) }
        defer {
            weir.kill()
            upstream.stop()
        }
        let client = try weir.client()
        let problem = try expectProblem(client.get("/weather?lat=1&lon=2&time=\(year)-01-01T00:00:00Z"), 400)
        #expect(problem["detail"].string?.contains("time must be from 1940-01-01T00:00:00Z to ") == true)
        #expect(try client.get("/forecast/key/1,2,\(year)-01-01T00:00:00Z").status == 400)
        #expect(upstream.requests.isEmpty)
    }

    @Test("Pirate Weather is asked once without version 2 if that fails, and for the same request from then on")
    func withoutVersion() throws {
        let (weir, upstream) = try Self.serve("pirateWeather") { head in
            head.contains("version=2")
                ? .answer(500, "Internal Server Error", type: "text/html") : .answer(smallForecast)
        }
        defer {
            weir.kill()
            upstream.stop()
        }
        let client = try weir.client()
        for _ in 0..<2 { #expect(try client.get(weather).status == 200) }
        #expect(upstream.requests.map { $0.contains("version=2") } == [true, false, false])
        #expect(upstream.requests[1].hasPrefix("GET /forecast/apikey/37.827,-122.423?units=si HTTP"))
    }

    @Test(
        "Failures with version 2 alone do not open the circuit breaker, and are not repeated", arguments: [500, 502])
    func manyPlaces(_ status: Int) throws {
        let (weir, upstream) = try Self.serve("pirateWeather") { head in
            head.contains("version=2") ? .answer(status, "{}") : .answer(smallForecast)
        }
        defer {
            weir.kill()
            upstream.stop()
        }
        let client = try weir.client()
        for place in 0..<30 { #expect(try client.get("/weather?lat=\(place)&lon=2").status == 200) }
        #expect(upstream.requests.count == 60)
    }

    @Test("An upstream that fails either way is asked twice, and the client gets the first failure")
    func outage() throws {
        let (weir, upstream) = try Self.serve("pirateWeather") { head in
            .answer(head.contains("version=2") ? 500 : 503, "{}")
        }
        defer {
            weir.kill()
            upstream.stop()
        }
        let problem = try expectProblem(weir.get(weather), 502)
        #expect(problem["upstream"]["status"].integer == 500)
        #expect(upstream.requests.count == 2)
    }

    @Test("Identical alerts stand once, times far from their point are dropped, and days begin at midnight")
    func repaired() throws {
        let alert = #"{"title":"Fog","regions":["Bay"],"severity":"Moderate","time":1698444000,"expires":1698454000}"#
        let text = """
            {"latitude":37.39,"longitude":-1.945,"timezone":"Europe/Madrid","alerts":[\(alert),\(alert)],
             "daily":{"data":[{"time":1698444000,"temperatureMin":1,"temperatureMinTime":-4,"windGust":5,"windGustTime":1698450000000},
               {"time":1698530400,"temperatureMin":2},{"time":1698616800,"temperatureMin":3}]},"flags":{"units":"si"}}
            """
        let (weir, upstream) = try Self.serve("pirateWeather") { _ in .answer(text) }
        defer {
            weir.kill()
            upstream.stop()
        }
        let answer = try weir.get("/weather?lat=37.39&lon=-1.945&explain=1").json()
        #expect(answer["data"]["alerts"].count == 1)
        let days = answer["data"]["daily"]["data"]
        #expect(days.elements.map { $0["time"].integer } == [1_698_444_000, 1_698_530_400, 1_698_620_400])
        #expect(days[0]["temperatureMinTime"].isAbsent && days[0]["windGustTime"].integer == 1_698_450_000)
        let reasons = Set(answer["drift"].elements.compactMap { $0["reason"].string })
        #expect(reasons == ["duplicate", "implausible", "milliseconds", "clockChange", "mean", "missing"])
    }
}
