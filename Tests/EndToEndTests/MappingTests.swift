import Foundation
import TestSupport
import Testing

/// Upstreams of `/weather` that the configuration or a file of Weir describes, on sockets.
@Suite(.timeLimit(.minutes(10)))
struct MappingTests {
    private static let hour = 3600
    private static var now: Int { Int(Date().timeIntervalSince1970) / hour * hour }

    private static func configuration(
        _ baseURL: String, dialect: String, upstream: String = "", mappings: String = "", second: String? = nil
    ) -> String {
        let standby = second.map {
            #", {"name": "standby", "dialect": "\#(dialect)", "baseURL": "\#($0)", "retryPercent": 0\#(upstream)}"#
        }
        return """
            {"listen": "127.0.0.1:0", "shards": 1, "server": {"drainTimeoutMilliseconds": 3000},
             "upstreams": [{"name": "up", "dialect": "\(dialect)", "baseURL": "\(baseURL)", "retryPercent": 0\(upstream)}\(standby ?? "")],
             "weather": {"upstreams": ["up"\(second == nil ? "" : #", "standby""#)]}\(mappings)}
            """
    }

    private static func hours(_ count: Int, temperature: Int = 10) -> String {
        (0..<count).map { #"{"t": \#(now + $0 * hour), "temp": \#(temperature + $0 % 5), "mm": 0.5, "wmo": 61}"# }
            .joined(separator: ", ")
    }

    private static let ours = """
        {"contract": "forecast", "key": {"query": "appid"}, "attribution": "By Ours", "coordinateDigits": 2,
         "covers": {"pastDays": 5, "futureDays": 3}, "error": "message",
         "forecast": {"fetch": {"path": "/v1/{latitude},{longitude}", "query": {"lang": "{language}", "zone": "{timeZone}"}},
                      "answer": {"properties": {"timezone": "zone", "hourly": {"from": "rows", "items": {"properties":
                        {"time": "t", "temperature": "temp", "rain": "mm", "code": "wmo"}}}}}},
         "past": {"fetch": {"path": "/v1/past/{date}", "query": {"at": "{time}"}}}}
        """

    /// Starts a service whose only upstream has the mapping ``ours``.
    private static func serve(_ upstream: ScriptedUpstream) throws -> WeirProcess {
        try WeirProcess.serve(
            configuration(
                upstream.baseURL, dialect: "ours", upstream: #", "key": {"environment": "OURS_KEY"}"#,
                mappings: #", "mappings": {"ours": \#(ours)}"#), environment: ["OURS_KEY": "s3cretkey"])
    }

    /// The path and query of a request.
    private static func target(_ head: String) -> String { String(head.split(separator: " ")[1]) }

    @Test("A mapping of the configuration serves the contract: days, words, units and the key")
    func inline() throws {
        let upstream = try ScriptedUpstream { _ in
            .answer(
                #"{"zone": "Europe/Oslo", "rows": "#
                    + #"[\#(Self.hours(60))]}"#)
        }
        defer { upstream.stop() }
        let weir = try Self.serve(upstream)
        defer { weir.kill() }
        let answer = try weir.get("/weather?lat=59.91234&lon=10.7&lang=de&units=us")
        #expect(answer.status == 200, "\(answer.text)")
        let forecast = try Parsed(answer.text)
        #expect(
            forecast["timezone"].string == "Europe/Oslo" && forecast["currently"]["summary"].string == "Leichter Regen")
        #expect(forecast["currently"]["temperature"].number == 50 && forecast["currently"]["icon"].string == "rain")
        #expect(forecast["daily"]["data"].count >= 2 && forecast["flags"]["attribution"].string == "By Ours")
        #expect(upstream.requests.map(Self.target) == ["/v1/59.91,10.7?lang=de&appid=s3cretkey"])
        // The other form is made of the same document.
        let dropIn = try weir.get("/forecast/any/59.91234,10.7?lang=de")
        #expect(dropIn.status == 200 && upstream.requests.count == 1)
        let past = try weir.get("/weather?lat=59.91234&lon=10.7&time=\(Self.now)&explain=1")
        #expect(past.status == 200, "\(past.text)")
        #expect(upstream.requests.last.map(Self.target)?.hasPrefix("/v1/past/20") == true)
        let tooEarly = try weir.get("/weather?lat=59.91234&lon=10.7&time=1000000000")
        #expect(tooEarly.status == 400 && tooEarly.text.contains("the upstreams have no weather of another time"))
        #expect(!past.text.contains("s3cretkey") && !weir.errors.contains("s3cretkey"))
    }

    @Test("Parts: the point is asked once a day, alerts may fail, and an error of one is the upstream's")
    func parts() throws {
        let now = Self.now
        let periods = (0..<30).map { index in
            let time = ISO8601DateFormatter().string(from: Date(timeIntervalSince1970: Double(now + index * Self.hour)))
            return #"{"startTime": "\#(time)", "temperature": 50, "temperatureUnit": "F", "windSpeed": "5 to "#
                + #"10 mph", "#
                + #""windDirection": "NW", "shortForecast": "Mostly Cloudy", "isDaytime": true}"#
        }
        let isDown = Watched(false)
        let upstream = try ScriptedUpstream { head in
            let target = Self.target(head)
            if target.hasPrefix("/points/39,-105") {
                return .answer(
                    #"{"properties": {"gridId": "BOU", "gridX": 1, "gridY": 2, "timeZone": "America/Denver"}}"#)
            }
            if target.hasPrefix("/points/") {
                return .answer(404, #"{"status": 404, "title": "Data Unavailable For Requested Point"}"#)
            }
            if target.hasPrefix("/alerts") {
                if isDown.current { return .answer(500, "{}") }
                return .answer(
                    #"{"features": [{"properties": {"event": "Red Flag Warning", "areaDesc": "Plains; "#
                        + #"Foothills"}}]}"#)
            }
            return .answer(
                #"{"properties": {"periods": [\#(periods.joined(separator: ","))]}}"#,
                headers: ["Cache-Control: max-age=0"])
        }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(
            Self.configuration(
                upstream.baseURL, dialect: "nws",
                upstream: #", "headers": {"User-Agent": "(example.org, ops@example.org)"}"#))
        defer { weir.kill() }
        let first = try weir.get("/weather?lat=39&lon=-105")
        #expect(first.status == 200, "\(first.text)")
        let forecast = try Parsed(first.text)
        #expect(forecast["timezone"].string == "America/Denver" && forecast["currently"]["temperature"].number == 10)
        #expect(
            forecast["currently"]["windBearing"].number == 315
                && forecast["alerts"][0]["title"].string == "Red Flag Warning")
        #expect(forecast["hourly"]["data"][0]["icon"].string?.hasPrefix("partly-cloudy") == true)
        #expect(upstream.requests.map { String(Self.target($0).prefix(7)) } == ["/points", "/alerts", "/gridpo"])
        isDown.update { $0 = true }
        let second = try weir.get("/weather?lat=39&lon=-105", headers: ["Cache-Control: no-cache"])
        #expect(second.status == 200, "\(second.text)")
        #expect(upstream.requests.count { Self.target($0).hasPrefix("/points") } == 1)
        let outside = try weir.get("/weather?lat=52&lon=13")
        #expect(
            outside.status == 404 && outside.text.contains("Data Unavailable For Requested Point"), "\(outside.text)")
    }

    @Test("A part of more than 1 MiB is no part: an optional one is missing, and otherwise the answer says so")
    func longParts() throws {
        let now = Self.now
        let upstream = try ScriptedUpstream { head in
            if Self.target(head) == "/long" {
                return .answer(#"{"text": "\#(String(repeating: "x", count: 1_100_000))"}"#)
            }
            return .answer(#"{"rows": [{"t": \#(now), "temp": 10}]}"#)
        }
        defer { upstream.stop() }
        for (optional, status) in [("true", 200), ("false", 502)] {
            let mapping = """
                {"contract": "forecast", "forecast": {
                  "parts": {"long": {"path": "/long", "optional": \(optional)}, "hours": {"path": "/hours"}},
                  "answer": {"properties": {"hourly": {"from": "hours.rows", "items": {"properties":
                    {"time": "t", "temperature": "temp", "summary": {"from": "$.long.text", "optional": true}}}}}}}}
                """
            let weir = try WeirProcess.serve(
                Self.configuration(
                    upstream.baseURL, dialect: "ours", mappings: #", "mappings": {"ours": \#(mapping)}"#))
            defer { weir.kill() }
            let answer = try weir.get("/weather?lat=39&lon=-105&explain=1")
            #expect(answer.status == status, "\(answer.text.prefix(1000))")
            #expect(answer.text.contains(status == 200 ? "parts.long" : "the part long has more than 1048576 bytes"))
        }
    }

    @Test("An upstream outside of whose area the place is leaves the answer to the next one")
    func failover() throws {
        let refusing = try ScriptedUpstream { _ in .answer(#"{"cod": "400", "message": "wrong latitude"}"#) }
        let answering = try ScriptedUpstream { _ in
            .answer(
                #"{"timezone": "Europe/Berlin", "hourly": [{"dt": \#(Self.now), "temp": 7, "weather": "#
                    + #"[{"id": 800}]}]}"#
            )
        }
        defer {
            refusing.stop()
            answering.stop()
        }
        let weir = try WeirProcess.serve(
            Self.configuration(
                refusing.baseURL, dialect: "openWeatherMap", upstream: #", "key": {"environment": "OWM"}"#,
                second: answering.baseURL), environment: ["OWM": "abcdef123456"])
        defer { weir.kill() }
        let answer = try weir.get("/weather?lat=52&lon=13&explain=1")
        #expect(answer.status == 200, "\(answer.text)")
        let explained = try Parsed(answer.text)
        #expect(explained["source"]["upstream"].string == "standby" && explained["source"]["failed"][0].string == "up")
        #expect(explained["source"]["dialect"].string == "openWeatherMap")
        #expect(explained["data"]["currently"]["temperature"].number == 7)
    }

    @Test("Repairs name the contract's path and the upstream's, also those of the contract's own ranges")
    func drift() throws {
        let upstream = try ScriptedUpstream { _ in
            .answer(
                #"{"rows": [{"t": \#(Self.now), "temp": "12.5", "mm": -9999, "wmo": 61}, "#
                    + #"{"t": \#(Self.now + 3600), "temp": 999, "mm": 1, "wmo": 4711}]}"#)
        }
        defer { upstream.stop() }
        let weir = try Self.serve(upstream)
        defer { weir.kill() }
        let explained = try Parsed(weir.get("/weather?lat=50&lon=10&explain=1").text)
        let drift = explained["drift"].elements.map { entry in
            [entry["kind"], entry["path"], entry["from"]].map { $0.string ?? "" }.joined(separator: " ")
        }
        for expected in [
            "coerced hourly.data[].temperature temp", "dropped hourly.data[].temperature temp",
            "dropped hourly.data[].liquidAccumulation mm", "unrecognized hourly.data[].icon wmo",
            "missing timezone zone",
        ] { #expect(drift.contains(expected), "\(expected): \(drift)") }
    }

    @Test("A file beside the configuration is read again by a reload, and its faults keep the service as it was")
    func reload() throws {
        let upstream = try ScriptedUpstream { _ in .answer(#"{"zone": "UTC", "rows": [\#(Self.hours(2))]}"#) }
        defer { upstream.stop() }
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let plain = Self.ours.replacingOccurrences(of: #""key": {"query": "appid"},"#, with: "")
        _ = try folder.write(plain, to: "ours.json")
        let configuration = Self.configuration(
            upstream.baseURL, dialect: "ours", mappings: #", "mappings": {"ours": {"file": "ours.json"}}"#)
        let weir = try WeirProcess(["serve", "--config", folder.write(configuration, to: "weir.json")])
        defer { weir.kill() }
        #expect(
            try weir.get("/weather?lat=50&lon=10&fields=hourly.data.temperature").text.contains(#""temperature":10"#))
        let other = plain.replacingOccurrences(of: #""temperature": "temp""#, with: #""dewPoint": "temp""#)
        _ = try folder.write(other, to: "ours.json")
        weir.send(signal: SIGHUP)
        _ = try weir.logLine("configuration reloaded")
        let changed = try weir.get("/weather?lat=50&lon=10&fields=hourly.data").text
        #expect(changed.contains(#""dewPoint":10"#) && !changed.contains(#""temperature""#), "\(changed)")
        _ = try folder.write("{", to: "ours.json")
        weir.send(signal: SIGHUP)
        _ = try weir.logLine("configuration refused")
        #expect(try weir.get("/weather?lat=50&lon=11").status == 200)
    }
}
