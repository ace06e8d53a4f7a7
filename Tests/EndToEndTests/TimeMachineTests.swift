import Foundation
import TestSupport
import Testing

/// Requests for another time than now.
@Suite(.timeLimit(.minutes(10)))
struct TimeMachineTests {
    /// An upstream with two more addresses for the past.
    private static func configuration(_ dialect: String, _ upstreams: [ScriptedUpstream]) -> String {
        let names = ["baseURL", "historyURL", "archiveURL"]
        let settings = zip(names, upstreams).map { "\"\($0)\": \"\($1.baseURL)\"" }.joined(separator: ", ")
        return """
            {"listen": "127.0.0.1:0", "shards": 1, "cache": {"maximumBytes": 0}, "fetching": {"deadlineMilliseconds": 60000},
             "upstreams": [{"name": "weather", "dialect": "\(dialect)", \(settings),
                "key": {"environment": "WEIR_TEST_KEY"}, "retryPercent": 0}],
             "weather": {"upstreams": ["weather"]}}
            """
    }

    @Test("Each address of Open-Meteo gets the times that it has, and nobody is asked about another one")
    func openMeteo() throws {
        let now = Int(Date().timeIntervalSince1970)
        let hours = [-3600, 1_530_446_400, now - 100 * 86400, now - 90 * 86400, now]
        let text = """
            {"latitude":1,"longitude":2,"timezone":"GMT","utc_offset_seconds":0,
             "hourly":{"time":\(hours),"temperature_2m":[1,2,3,4,5]}}
            """
        let upstreams = try (0..<3).map { _ in try ScriptedUpstream { _ in .answer(text) } }
        defer { for upstream in upstreams { upstream.stop() } }
        let weir = try WeirProcess.serve(
            Self.configuration("openMeteo", upstreams).replacing(
                #""key": {"environment": "WEIR_TEST_KEY"}, "#, with: ""))
        defer { weir.kill() }
        let client = try weir.client()
        for time in [
            "", "&time=\(now - 90 * 86400)", "&time=\(now - 100 * 86400)", "&time=2018-07-01T12:00:00", "&time=-1",
        ] {
            #expect(try client.get("/weather?lat=1&lon=2\(time)").status == 200, "\(time)")
        }
        for time in [now + 365 * 86400, -1_000_000_000] {
            let answer = try client.get("/weather?lat=1&lon=2&time=\(time)")
            #expect(answer.status == 400)
            #expect(try answer.json()["detail"].string?.contains("time must be from 1940-01-01T00:00:00") == true)
            #expect(try client.get("/forecast/any/1,2,\(time)").status == 400)
        }
        let paths = upstreams.map { $0.requests.compactMap { $0.split(separator: " ").dropFirst().first?.prefix(11) } }
        #expect(paths == [["/v1/forecas", "/v1/forecas"], ["/v1/forecas", "/v1/forecas"], ["/v1/archive"]])
    }

    @Test("Requests for the past leave places to those for now, though both count as one upstream")
    func silentPast() throws {
        let text = """
            {"latitude":1,"longitude":2,"timezone":"GMT","utc_offset_seconds":0,
             "current_weather":{"time":1767290400,"temperature":1}}
            """
        let upstreams = try [0, 1].map { index in try ScriptedUpstream { _ in index == 0 ? .answer(text) : .stall } }
        defer { for upstream in upstreams { upstream.stop() } }
        let weir = try WeirProcess.serve(
            Self.configuration("openMeteo", upstreams).replacing(
                #""key": {"environment": "WEIR_TEST_KEY"}, "#,
                with: #""maximumConcurrent": 4, "maximumWaitMilliseconds": 60000, "#))
        defer { weir.kill() }
        let time = Int(Date().timeIntervalSince1970) - 100 * 86400
        let clients = try (0..<8).map { _ in try weir.client() }
        for (index, client) in clients.enumerated() {
            client.send("GET /weather?lat=\(index)&lon=2&time=\(time) HTTP/1.1\r\nHost: a\r\n\r\n")
        }
        #expect(upstreams[1].waitForRequests(2))
        #expect(try weir.client().get("/weather?lat=1&lon=2").status == 200)
        #expect(upstreams[1].requests.count == 2)
        let metrics = try weir.get("/metrics").text
        #expect(metrics.contains("\nweir_upstream_waiting_requests{upstream=\"weather\"} 6\n"))
        for client in clients { client.close() }
    }

    @Test("Pirate Weather's time machine gets the past, and nobody is asked about the future")
    func pirateWeather() throws {
        let upstreams = try (0..<2).map { _ in try ScriptedUpstream { _ in .answer(smallForecast) } }
        defer { for upstream in upstreams { upstream.stop() } }
        let weir = try WeirProcess.serve(Self.configuration("pirateWeather", upstreams))
        defer { weir.kill() }
        let client = try weir.client()
        let now = Int(Date().timeIntervalSince1970)
        for time in ["", "&time=\(now - 3600)", "&time=\(now - 2 * 86400)", "&time=0"] {
            #expect(try client.get(weather + time).status == 200, "\(time)")
        }
        #expect(try client.get("\(weather)&time=\(now + 86400)").status == 400)
        #expect(upstreams.map(\.requests.count) == [2, 2])
        #expect(upstreams[1].requests.allSatisfy { $0.contains("&tmextra=1") })
        #expect(upstreams[1].requests.last?.contains("37.827,-122.423,1970-01-01T00:00:00Z?") == true)
    }

    @Test("The reason of Open-Meteo's 429 says how long it is not asked")
    func refusal() throws {
        let reason = #"{"error":true,"reason":"Minutely API request limit exceeded. Please try again in one minute."}"#
        let upstream = try ScriptedUpstream { _ in .answer(429, reason) }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(
            Self.configuration("openMeteo", [upstream]).replacing(
                #""key": {"environment": "WEIR_TEST_KEY"}, "#, with: ""))
        defer { weir.kill() }
        let client = try weir.client()
        let answer = try client.get(weather)
        #expect(answer.status == 429 && answer.header("Retry-After") == "60")
        #expect(try [429, 503].contains(client.get(weather).status))
        #expect(upstream.requests.count == 1)
    }
}
