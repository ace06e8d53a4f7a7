import Contracts
import Foundation
import Testing

@Suite("Targets of Open-Meteo")
struct OpenMeteoTargetTests {
    /// Returns the query parameters of a target, in order.
    private static func parameters(_ time: ForecastQuery.Moment? = nil) throws -> [(name: String, value: String)] {
        var query = ForecastQuery(latitude: 48.1374, longitude: -11.5755)
        query.time = time
        query.language = "de"
        query.extendsHourly = true
        let target = Dialect.openMeteo.target(for: query)
        let components = try #require(URLComponents(string: target))
        #expect(components.path == "/v1/forecast")
        return try #require(components.queryItems).map { ($0.name, $0.value ?? "") }
    }

    @Test("A query for now requests the hours of nine days, and no language")
    func now() throws {
        let parameters = try Self.parameters()
        #expect(
            parameters.map(\.name) == [
                "latitude", "longitude", "current", "hourly", "daily", "timezone", "timeformat", "wind_speed_unit",
                "forecast_days",
            ])
        let values = Dictionary(uniqueKeysWithValues: parameters.map { ($0.name, $0.value) })
        #expect(values["latitude"] == "48.1374" && values["longitude"] == "-11.5755")
        #expect(values["timezone"] == "auto" && values["timeformat"] == "unixtime")
        #expect(values["wind_speed_unit"] == "ms" && values["forecast_days"] == "9")
    }

    @Test("Columns are requested by their newest names")
    func columns() throws {
        let values = Dictionary(uniqueKeysWithValues: try Self.parameters().map { ($0.name, $0.value) })
        let moments = [
            "temperature_2m", "apparent_temperature", "dew_point_2m", "relative_humidity_2m", "precipitation",
            "precipitation_probability", "rain", "showers", "snowfall", "weather_code", "is_day", "cloud_cover",
            "pressure_msl", "surface_pressure", "wind_speed_10m", "wind_direction_10m", "wind_gusts_10m", "visibility",
            "uv_index", "shortwave_radiation", "cape",
        ]
        let days = ["sunrise", "sunset", "wind_direction_10m_dominant"]
        #expect(values["current"] == moments.joined(separator: ","))
        #expect(values["hourly"] == moments.joined(separator: ","))
        #expect(values["daily"] == days.joined(separator: ","))
    }

    @Test(
        "A moment is requested by the dates that can contain it and their neighbours",
        arguments: [
            (.unix(0), "1969-12-30", "1970-01-03"), (.unix(1_770_477_300), "2026-02-05", "2026-02-09"),
            (.unix(-1), "1969-12-29", "1970-01-02"), (.unix(.max), "9999-12-31", "9999-12-31"),
            (.unix(.min), "0000-01-01", "0000-01-01"), (.local("2026-02-07T23:59:59"), "2026-02-06", "2026-02-08"),
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
        #expect(Dialect.openMeteo.errorMessage(in: Array(body.utf8)) == expected)
    }

    @Test("Open-Meteo needs no key") func key() { #expect(!Dialect.openMeteo.needsKey) }
}
