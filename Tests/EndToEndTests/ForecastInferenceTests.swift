import Foundation
import TestSupport
import Testing

/// `weir infer --contract forecast`: hand-written answers of APIs that do not exist, and the forecasts that the guesses make of them.
@Suite(.timeLimit(.minutes(10)))
struct ForecastInferenceTests {
    /// Two days of hours in days, in °F and mph; no name says a unit.
    private static let nested = object([
        "place": #"{"lat": 40.5, "lng": -74.25, "tzid": "America/New_York", "altitude": 12}"#,
        "observation":
            #"{"dt": 1767268800, "temp": 50.0, "dewpoint": 32.0, "windSpeed": 10, "wind_deg": 270, "isDaytime": true}"#,
        "days": list(2) { day in
            object([
                "date": #""2026-01-0\#(day + 1)""#, "temp": #"{"max": 68.0, "min": 41}"#, "pop": "\(day * 40)",
                "hours": list(24) { hour in
                    object([
                        "ts": "\(1_767_243_600 + day * 86_400 + hour * 3600)", "temp": "\(41 + hour)",
                        "rh": "\(50 + hour)",
                        "windSpeed": "\(hour)", "precip": hour == 5 ? "0.1" : "0", "cloudcover": "\(4 * hour)",
                    ])
                },
            ])
        },
    ])

    /// Columns of hours and days in local time, with units beside.
    private static let columns = object([
        "latitude": "52.5", "longitude": "13.4", "timezone": #""Europe/Berlin""#,
        "hourly_units": #"{"temperature_2m": "°C", "windspeed_10m": "km/h", "relativehumidity_2m": "%", "rain": "mm"}"#,
        "hourly": object([
            "time": list(48) { #""2026-01-0\#($0 / 24 + 1)T\#($0 % 24 < 10 ? "0" : "")\#($0 % 24):00""# },
            "temperature_2m": list(48) { "\($0 - 10)" }, "windspeed_10m": list(48) { "\($0)" },
            "relativehumidity_2m": list(48) { _ in "81" }, "weather_code": list(48) { _ in "61" },
            "rain": list(48) { _ in "0.5" },
        ]),
        "daily": object([
            "time": list(2) { #""2026-01-0\#($0 + 1)""# }, "sunrise": list(2) { #""2026-01-0\#($0 + 1)T08:15""# },
            "temperature_2m_max": list(2) { _ in "13" }, "precipitation_sum": list(2) { _ in "12" },
        ]),
    ])

    /// A list of spans of three hours in K, percent and Pa, with an alert.
    private static let kelvin = object([
        "geometry": #"{"type": "Point", "coordinates": [24.9, 60.2, 20]}"#,
        "list": list(8) { row in
            object([
                "validTime": #""2026-01-01T\#(row < 4 ? "0" : "")\#(row * 3):00:00Z""#,
                "main": #"{"temp": \#(270.15 + Double(row)), "humidity": 87, "mslp": 101325}"#,
                "wind": #"{"speed": 5, "deg": 90, "gust": 9}"#, "clouds": #"{"all": 50}"#, "rain": #"{"3h": 1.5}"#,
                "vis_km": "10", "uv_index": "1", "cloud_pct": "50", "prob_precip_pct": "20",
            ])
        },
        "warnings":
            #"[{"headline": "Gale", "start": "2026-01-01T00:00:00Z", "end": "2026-01-02T00:00:00Z", "desc": "Strong wind.", "url": "https://example.org/1"}]"#,
    ])

    private static func list(_ count: Int, _ element: (Int) -> String) -> String {
        "[" + (0..<count).map(element).joined(separator: ", ") + "]"
    }

    private static func object(_ members: KeyValuePairs<String, String>) -> String {
        "{" + members.map { "\"\($0)\": \($1)" }.joined(separator: ", ") + "}"
    }

    /// Returns the guess for a document, and the forecast that the guess makes of the document without another repair than
    /// those that a place without a zone needs.
    private func guess(_ document: String) throws -> (text: String, forecast: [String: Any]) {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = try folder.write(document, to: "answer.json")
        let inferred = try WeirProcess.run(["infer", "--contract", "forecast", file])
        #expect(inferred.status == 0, "\(inferred.errors)")
        _ = try folder.write(inferred.output, to: "guess.json")
        let configuration = try folder.write(
            """
            {
                "upstreams": [{"name": "u", "dialect": "guess", "baseURL": "https://example.org"}],
                "weather": {"upstreams": ["u"]}, "mappings": {"guess": {"file": "guess.json"}}
            }
            """, to: "weir.json")
        let check = try WeirProcess.run(["check", "--strict", "--config", configuration])
        #expect(check.status == 0, "\(check.errors)\(inferred.output)")
        let answer = try WeirProcess.run(["normalize", "--as", "guess", "--config", configuration, file])
        #expect(answer.status == 0, "\(answer.errors)\(inferred.output)")
        #expect(answer.errors.isEmpty || answer.errors.hasPrefix("weir: repaired: approximated="), "\(answer.errors)")
        let forecast = try JSONSerialization.jsonObject(with: Data(answer.output.utf8)) as? [String: Any]
        return (inferred.output, try #require(forecast))
    }

    private func points(_ forecast: [String: Any], _ block: String) throws -> [[String: Any]] {
        try #require((forecast[block] as? [String: Any])?["data"] as? [[String: Any]])
    }

    /// Expects numbers of a point, to two decimals.
    private func expect(
        _ point: [String: Any], _ numbers: KeyValuePairs<String, Double>, _ location: SourceLocation = #_sourceLocation
    ) {
        for (name, number) in numbers {
            let found = (point[name] as? NSNumber)?.doubleValue
            #expect(
                found.map { abs($0 - number) < 0.0051 } == true, "\(name): \(String(describing: found)), not \(number)",
                sourceLocation: location)
        }
    }

    @Test("Hours in days, in °F by their range, and mph and inches by guess")
    func hoursInDays() throws {
        let (text, forecast) = try guess(Self.nested)
        expect(forecast, ["latitude": 40.5, "longitude": -74.25, "elevation": 12])
        #expect(forecast["timezone"] as? String == "America/New_York")
        expect(
            try #require(forecast["currently"] as? [String: Any]),
            ["time": 1_767_268_800, "temperature": 10, "dewPoint": 0, "windSpeed": 4.4704, "windBearing": 270])
        let hours = try points(forecast, "hourly")
        #expect(hours.count == 48)
        expect(
            hours[9],
            ["time": 1_767_276_000, "temperature": 10, "humidity": 0.59, "windSpeed": 4.02336, "cloudCover": 0.36])
        expect(hours[5], ["precipIntensity": 2.54])
        let days = try points(forecast, "daily")
        expect(days[1], ["time": 1_767_330_000, "temperatureMax": 20, "temperatureMin": 5, "precipProbability": 0.4])
        #expect(text.contains("mph is a guess, as temperatures are in degF"))
        #expect(text.contains(#""from": "days[].hours[]""#))
    }

    @Test("Columns in local time, with units beside them")
    func columnsOfUnits() throws {
        let (_, forecast) = try guess(Self.columns)
        let hours = try points(forecast, "hourly"), days = try points(forecast, "daily")
        #expect(hours.count == 48 && days.count == 2)
        expect(
            hours[36],
            ["time": 1_767_351_600, "temperature": 26, "windSpeed": 10, "humidity": 0.81, "precipIntensity": 0.5])
        #expect(hours[36]["summary"] as? String == "Light Rain")
        expect(
            days[0],
            ["time": 1_767_222_000, "sunriseTime": 1_767_251_700, "temperatureMax": 13, "precipIntensity": 0.5])
    }

    @Test("Spans of three hours in K, percent and Pa, with an alert")
    func spans() throws {
        let (text, forecast) = try guess(Self.kelvin)
        expect(forecast, ["latitude": 60.2, "longitude": 24.9])
        let hours = try points(forecast, "hourly")
        expect(
            hours[3],
            [
                "time": 1_767_258_000, "temperature": 0, "humidity": 0.87, "pressure": 1013.25, "windSpeed": 5,
                "windGust": 9,
                "windBearing": 90, "cloudCover": 0.5, "visibility": 10, "uvIndex": 1, "precipProbability": 0.2,
                "precipIntensity": 0.5,
            ])
        let alert = try #require((forecast["alerts"] as? [[String: Any]])?.first)
        #expect(alert["title"] as? String == "Gale" && alert["description"] as? String == "Strong wind.")
        expect(alert, ["time": 1_767_225_600, "expires": 1_767_312_000])
        #expect(text.contains("K by all temperatures (270.15 … 277.15)"))
        // A second value of a field is named.
        #expect(text.contains("// no field for list[].cloud_pct: number"), "\(text)")
    }

    @Test("No text of a document is in a guess, and no name leaves its comment")
    func textsOfDocuments() throws {
        let (text, _) = try guess(
            #"{"now": {"time": 1767225600, "temp_c": 3, "pressure_hpa": 1000, "token": "hunter2", "a\nb\u2028\"": 1, "${HOME}": 2}}"#
        )
        #expect(!text.contains("hunter2"))
        #expect(text.contains("// no field for now.token: string"))
        #expect(text.contains(#"temp_c: degC by its name, 3 … 3 in 1 value"#))
    }

    @Test(
        "Documents without weather are refused",
        arguments: ["{}", "[]", #"{"a": [{"time": 1767225600, "b": 1}]}"#, "1"])
    func withoutWeather(_ document: String) throws {
        let result = try WeirProcess.run(["infer", "--contract", "forecast"], input: Array(document.utf8))
        #expect(result.status == 65)
        #expect(result.errors.contains("there is no mapping for these documents"), "\(result.errors)")
    }

    @Test("Options of routes do not go with a contract", arguments: [["--path", "/a"], ["--route-only"]])
    func options(_ options: [String]) throws {
        let result = try WeirProcess.run(["infer", "--contract", "forecast"] + options, input: Array("{}".utf8))
        #expect(result.status == 64)
        #expect(result.errors.contains("does not go with --contract"), "\(result.errors)")
    }
}
