import Contracts
import Foundation
import Testing

@Suite("Targets of Open-Meteo")
struct OpenMeteoTargetTests {
    /// 2026-02-07T15:15:00Z.
    private static let now: Int64 = 1_770_477_300

    /// Returns the query parameters of a target, in order.
    private static func parameters(_ time: ForecastQuery.Moment? = nil) throws -> [(name: String, value: String)] {
        var query = ForecastQuery(latitude: 48.1374, longitude: -11.5755)
        query.time = time
        query.language = "de"
        query.extendsHourly = true
        let target = ForecastDialect.openMeteo.target(for: query, now: now)
        let components = try #require(URLComponents(string: target))
        #expect(components.path == "/v1/forecast")
        return try #require(components.queryItems).map { ($0.name, $0.value ?? "") }
    }

    @Test("A query for now requests the hours of nine days, and no language")
    func now() throws {
        let parameters = try Self.parameters()
        #expect(
            parameters.map(\.name) == [
                "latitude", "longitude", "current", "minutely_15", "forecast_minutely_15", "hourly", "daily",
                "timezone", "timeformat", "wind_speed_unit", "forecast_days",
            ])
        let values = Dictionary(uniqueKeysWithValues: parameters.map { ($0.name, $0.value) })
        #expect(values["latitude"] == "48.1374" && values["longitude"] == "-11.5755")
        #expect(values["timezone"] == "auto" && values["timeformat"] == "unixtime")
        #expect(values["wind_speed_unit"] == "ms" && values["forecast_days"] == "9")
    }

    /// The variables of a target by block, as the server counts them for its limits.
    private static func columns(_ time: ForecastQuery.Moment?, at site: ForecastSite) throws -> [String: Set<String>] {
        var query = ForecastQuery(latitude: 48, longitude: 11)
        query.time = time
        let target = ForecastDialect.openMeteo.target(for: query, at: site, now: now)
        let items = try #require(URLComponents(string: target)?.queryItems)
        return Dictionary(uniqueKeysWithValues: items.map { ($0.name, $0.value ?? "") })
            .filter { ["current", "minutely_15", "hourly", "daily"].contains($0.key) }
            .mapValues { Set($0.split(separator: ",").map(String.init)) }
    }

    @Test(
        "Only columns that no other one gives are requested, by their newest names",
        arguments: [
            (nil, .own, 35), (.unix(1_770_477_300), .history, 19), (.unix(0), .archive, 15),
        ] as [(ForecastQuery.Moment?, ForecastSite, Int)])
    func columns(time: ForecastQuery.Moment?, site: ForecastSite, count: Int) throws {
        let columns = try Self.columns(time, at: site)
        #expect(columns.values.reduce(0) { $0 + $1.count } == count)
        let state: Set = [
            "temperature_2m", "apparent_temperature", "dew_point_2m", "relative_humidity_2m", "cloud_cover",
            "pressure_msl", "wind_speed_10m", "wind_direction_10m", "wind_gusts_10m", "shortwave_radiation",
        ]
        let amounts: Set = ["precipitation", "snowfall", "weather_code"]
        let ofForecasts: Set = ["visibility", "uv_index", "cape"]
        let hourly = state.union(amounts)
        #expect(columns["current"] == (time == nil ? state.union(ofForecasts) : nil))
        #expect(columns["minutely_15"] == (time == nil ? amounts : nil))
        let others = site == .archive ? [] : ofForecasts.union(["precipitation_probability"])
        #expect(columns["hourly"] == hourly.union(others))
        #expect(columns["daily"] == ["sunrise", "sunset"])
    }

    @Test("A model is requested where one is chosen")
    func model() throws {
        var query = ForecastQuery(latitude: 48, longitude: 11)
        query.model = "icon_d2&x"
        #expect(ForecastDialect.openMeteo.target(for: query, now: Self.now).contains("&models=icon_d2%26x&"))
    }

    @Test(
        "A moment is requested by the dates that can contain it and their neighbours, as far as there are data",
        arguments: [
            (.unix(0), "1969-12-30", "1970-01-03"), (.unix(1_770_470_000), "2026-02-05", "2026-02-09"),
            (.unix(-1), "1969-12-29", "1970-01-02"), (.unix(.max), "2026-09-10", "2026-09-10"),
            (.unix(.min), "1940-01-01", "1940-01-01"), (.local("2026-02-07T23:59:59"), "2026-02-06", "2026-02-08"),
            (.local("2024-02-29T00:00:00"), "2024-02-28", "2024-03-01"),
        ] as [(ForecastQuery.Moment, String, String)])
    func dates(moment: ForecastQuery.Moment, first: String, last: String) throws {
        let parameters = try Self.parameters(moment)
        #expect(parameters.suffix(2).map(\.name) == ["start_date", "end_date"])
        #expect(parameters.suffix(2).map(\.value) == [first, last])
        #expect(!parameters.contains { $0.name == "current" || $0.name == "forecast_days" })
    }

    @Test(
        "An invalid local time leaves nothing in the target", arguments: ["&key=1", "2026-02-30T00:00:00", ""])
    func invalidTime(text: String) throws {
        let parameters = try Self.parameters(.local(text))
        #expect(parameters.last?.name == "forecast_days")
    }

    @Test(
        "The message of an error is its text member reason, or a line of plain text",
        arguments: [
            (
                #"{"error":true,"reason":"No data is available for this location"}"#,
                "No data is available for this location"
            ),
            (#"{"reason":"Too many requests","error":true}"#, "Too many requests"), (#"{"error":true}"#, nil),
            (#"{"reason":7}"#, nil), ("Bad Gateway", "Bad Gateway"), ("", nil), ("[]", nil),
        ] as [(String, String?)])
    func errorMessage(body: String, expected: String?) {
        #expect(ForecastDialect.openMeteo.errorMessage(in: Array(body.utf8)) == expected)
    }

    @Test(
        "The reason of a refusal says how long to wait",
        arguments: [
            ("Minutely API request limit exceeded. Please try again in one minute.", 60),
            ("Hourly API request limit exceeded. Please try again in the next hour.", 45 * 60 + 60),
            ("Daily API request limit exceeded. Please try again tomorrow.", 8 * 3600 + 45 * 60 + 60),
            ("Too many concurrent requests", 1), ("Parameter 'end_date' is out of allowed range", nil), ("", nil),
        ] as [(String, Int?)])
    func pauses(reason: String, seconds: Int?) {
        #expect(ForecastDialect.openMeteo.pause(after: reason, now: Self.now) == seconds)
        #expect(ForecastDialect.darkSky.pause(after: reason, now: Self.now) == nil)
    }

    @Test("Open-Meteo needs no key") func key() { #expect(!ForecastDialect.openMeteo.needsKey) }
}
