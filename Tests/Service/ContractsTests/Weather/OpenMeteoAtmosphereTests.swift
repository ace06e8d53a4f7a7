import API
import ContractsSupport
import Contracts
import Foundation
import Records
import Testing

/// A computing stand-in for Open-Meteo over a known atmosphere: Weir's answer must equal the atmosphere.
@Suite("Hours and days of Open-Meteo")
struct OpenMeteoAtmosphereTests {
    /// A local day at a place, asked for when its clocks show an hour of another season perhaps.
    struct Case: Sendable, CustomStringConvertible {
        let zone: String, date: String
        /// The upstream's offset of now, in seconds.
        let offset: Int
        let hours: Int
        var sun = Sun.rises

        var description: String { "\(zone) \(date)" }

        init(_ zone: String, _ date: String, offset: Int, hours: Int, sun: Sun = .rises) {
            (self.zone, self.date, self.offset, self.hours, self.sun) = (zone, date, offset, hours, sun)
        }
    }

    enum Sun { case rises, staysUp, staysDown }

    private static let cases = [
        Case("Europe/Berlin", "2026-03-29", offset: 3600, hours: 23),
        Case("Europe/Berlin", "2026-03-29", offset: 7200, hours: 23),
        Case("Europe/Berlin", "2026-10-25", offset: 7200, hours: 25),
        Case("Europe/Berlin", "2026-10-25", offset: 3600, hours: 25),
        Case("Europe/Berlin", "2026-07-01", offset: 3600, hours: 24),
        Case("Europe/Berlin", "2026-01-15", offset: 7200, hours: 24),
        Case("America/New_York", "2026-03-08", offset: -18000, hours: 23),
        Case("America/New_York", "2026-11-01", offset: -14400, hours: 25),
        Case("America/New_York", "2026-07-04", offset: -18000, hours: 24),
        Case("America/New_York", "1974-02-01", offset: -18000, hours: 24),
        Case("Australia/Lord_Howe", "2026-04-05", offset: 39600, hours: 25),
        Case("Australia/Lord_Howe", "2026-10-04", offset: 37800, hours: 23),
        Case("Australia/Lord_Howe", "2026-06-01", offset: 39600, hours: 24),
        Case("Asia/Kathmandu", "2026-01-15", offset: 20700, hours: 24),
        Case("America/St_Johns", "2026-07-01", offset: -12600, hours: 24),
        // Clocks went from 0:00 to 1:00, so the day has no midnight.
        Case("America/Sao_Paulo", "2018-11-04", offset: -10800, hours: 23),
        Case("America/Sao_Paulo", "2018-11-03", offset: -10800, hours: 24),
        Case("America/Sao_Paulo", "2018-02-17", offset: -10800, hours: 25),
        // Samoa went over the date line: clocks did not show 2011-12-30.
        Case("Pacific/Apia", "2011-12-29", offset: 46800, hours: 24),
        Case("Pacific/Apia", "2011-12-31", offset: 46800, hours: 24),
        Case("Pacific/Kiritimati", "2026-02-06", offset: 50400, hours: 24),
        Case("Pacific/Pago_Pago", "2026-02-06", offset: -39600, hours: 24),
        Case("Arctic/Longyearbyen", "2026-03-29", offset: 3600, hours: 23),
        Case("Arctic/Longyearbyen", "2026-10-25", offset: 7200, hours: 25),
        Case("Arctic/Longyearbyen", "2026-06-21", offset: 3600, hours: 24, sun: .staysUp),
        Case("Arctic/Longyearbyen", "2026-12-21", offset: 3600, hours: 24, sun: .staysDown),
    ]

    // The atmosphere: values of a moment, and of the hour that starts at it.
    private static func temperature(_ time: Int) -> Double { Double(time / 3600 * 13 % 29) }
    private static func wind(_ time: Int) -> Double { Double(time / 3600 * 5 % 11) }
    private static func rain(_ time: Int) -> Double { Double(time / 3600 * 7 % 5) / 4 }
    private static func gust(_ time: Int) -> Double { Double(time / 3600 * 17 % 23) }

    /// Answers as the server does: sums of the hour before, days of 24 hours by a fixed offset, full local hours.
    private static func document(_ place: Case, around moment: Int) -> [UInt8] {
        let firstDay = (moment + place.offset) / 86400 - 2
        let midnights = (0..<5).map { (firstDay + $0) * 86400 - place.offset }
        let labels = midnights.flatMap { midnight in (0..<24).map { midnight + $0 * 3600 } }
        let instants = labels.map { $0 + place.offset % 3600 }
        func list(_ values: [Double]) -> String { "[" + values.map { "\($0)" }.joined(separator: ",") + "]" }
        func times(_ values: [Int]) -> String { "[" + values.map(String.init).joined(separator: ",") + "]" }
        let sun: (rise: Int, set: Int) =
            switch place.sun {
            case .rises: (6 * 3600 + 61, 18 * 3600 - 59)
            case .staysUp: (0, 86400)
            case .staysDown: (0, 0)
            }
        return Array(
            """
            {"latitude":0,"longitude":0,"timezone":"\(place.zone)","utc_offset_seconds":\(place.offset),
            "hourly_units":{"temperature_2m":"°C","wind_speed_10m":"m/s","precipitation":"mm","wind_gusts_10m":"m/s"},
            "hourly":{"time":\(times(labels)),"temperature_2m":\(list(instants.map(temperature))),
            "wind_speed_10m":\(list(instants.map(wind))),"precipitation":\(list(instants.map { rain($0 - 3600) })),
            "wind_gusts_10m":\(list(instants.map { gust($0 - 3600) }))},
            "daily":{"time":\(times(midnights)),"sunrise":\(times(midnights.map { $0 + sun.rise })),
            "sunset":\(times(midnights.map { $0 + sun.set }))}}
            """.utf8)
    }

    @Test("An answer equals the atmosphere hour by hour and day by day", arguments: cases)
    func equal(place: Case) throws {
        let zone = try #require(TimeZone(identifier: place.zone))
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let parts = place.date.split(separator: "-").compactMap { Int($0) }
        func moment(_ hour: Int, addingDays days: Int = 0) throws -> Int {
            var date = DateComponents()
            (date.year, date.month, date.day, date.hour) = (parts[0], parts[1], parts[2] + days, hour)
            return Int(try #require(calendar.date(from: date)).timeIntervalSince1970)
        }
        let (noon, start, end) = (try moment(12), try moment(0), try moment(0, addingDays: 1))
        var query = ForecastQuery(latitude: 0, longitude: 0)
        query.time = .unix(Int64(noon))
        let body = try ForecastDialect.openMeteo.normalize(Self.document(place, around: noon), answering: query)
            .shaped().body
        let answer = try #require(JSONValue(parsing: body))
        #expect(answer["offset"]?.doubleValue == Double(zone.secondsFromGMT(for: Date(unix: noon))) / 3600)

        let times = (start..<end).filter { $0 % 3600 == 0 }
        #expect(times.count == place.hours)
        let hours = answer["hourly"]?["data"]?.elements ?? []
        #expect(hours.map { $0["time"]?.intValue } == times)
        #expect(hours.map { $0["temperature"]?.doubleValue } == times.map(Self.temperature))
        #expect(hours.map { $0["windSpeed"]?.doubleValue } == times.map(Self.wind))
        #expect(hours.map { $0["precipIntensity"]?.doubleValue } == times.map(Self.rain))
        #expect(hours.map { $0["windGust"]?.doubleValue } == times.map(Self.gust))
        #expect(answer["currently"]?["temperature"]?.doubleValue == Self.temperature(noon / 3600 * 3600))

        let days = answer["daily"]?["data"]?.elements ?? []
        let day = try #require(days.first)
        #expect(days.count == 1 && day["time"]?.intValue == start)
        func near(_ field: String, _ expected: Double) {
            let value = day[field]?.doubleValue ?? .nan
            #expect(abs(value - expected) < 0.006, "\(field) \(value), not \(expected)")
        }
        near("precipIntensity", times.map(Self.rain).reduce(0, +) * 3600 / Double(end - start))
        near("windSpeed", times.map(Self.wind).reduce(0, +) / Double(times.count))
        near("windGust", times.map(Self.gust).max() ?? .nan)
        near("temperatureMax", times.map(Self.temperature).max() ?? .nan)
        let daytime = (try moment(6)..<moment(18)).filter { $0 % 3600 == 0 }
        let night = (try moment(18)..<moment(6, addingDays: 1)).filter { $0 % 3600 == 0 }
        near("temperatureHigh", daytime.map(Self.temperature).max() ?? .nan)
        near("temperatureLow", night.map(Self.temperature).min() ?? .nan)
        #expect((day["sunriseTime"] != nil) == (place.sun == .rises))
        #expect((day["sunsetTime"] != nil) == (place.sun == .rises))
    }

    @Test("A day that no clock showed is not answered, and its local times are those of the next day")
    func dayThatDoesNotExist() throws {
        let place = Case("Pacific/Apia", "2011-12-31", offset: 46800, hours: 24)
        // 2011-12-31T00:00+14:00, where 2011-12-29 ended.
        let midnight = 1_325_239_200
        let document = Self.document(place, around: midnight + 3600)
        let all = try #require(JSONValue(parsing: try ForecastDialect.openMeteo.normalize(document).shaped().body))
        let days = (all["daily"]?["data"]?.elements ?? []).compactMap { $0["time"]?.intValue }
        #expect(days.count == 4 && days == Array(Set(days)).sorted() && days.contains(midnight))
        var query = ForecastQuery(latitude: 0, longitude: 0)
        query.time = .local("2011-12-30T12:00:00")
        let answer = try #require(
            JSONValue(parsing: try ForecastDialect.openMeteo.normalize(document, answering: query).shaped().body))
        #expect(answer["currently"]?["time"]?.intValue == midnight + 12 * 3600)
        #expect(answer["daily"]?["data"]?[0]?["time"]?.intValue == midnight)
    }

    @Test(
        "A zone that the system does not know has the upstream's offset, whatever its name leads to",
        arguments: [
            "Nowhere/City", "../../../../etc/passwd", "Europe", "/etc/hostname", "tzdata.zi", "a/../Europe/Berlin",
        ])
    func unknownZone(name: String) throws {
        let place = Case("Europe/Berlin", "2026-07-01", offset: 3600, hours: 24)
        let text = String(decoding: Self.document(place, around: 1_782_900_000), as: UTF8.self)
        let document = Array(text.replacing("Europe/Berlin", with: name).utf8)
        let answer = try #require(JSONValue(parsing: try ForecastDialect.openMeteo.normalize(document).shaped().body))
        #expect(answer["offset"]?.doubleValue == 1 && answer["daily"]?["data"]?.elements?.count == 5)
        #expect(answer["daily"]?["data"]?[0]?["time"]?.intValue.map { ($0 + 3600) % 86400 } == 0)
    }

    @Test("A storm at 14:20 is in the hour 14:00")
    func storm() throws {
        // 2026-02-06T13:00:00Z is 14:00 in Berlin; the upstream writes the hour's code and sum at 15:00.
        let text = """
            {"latitude":52,"longitude":13,"timezone":"Europe/Berlin","utc_offset_seconds":3600,
            "hourly":{"time":[1770379200,1770382800,1770386400,1770390000],"weather_code":[2,45,95,3],
            "precipitation":[0,0,7.5,0],"precipitation_probability":[0,5,90,10],"cloud_cover":[50,90,60,95]}}
            """
        let answer = try #require(
            JSONValue(parsing: try ForecastDialect.openMeteo.normalize(Array(text.utf8)).shaped().body))
        let hours = answer["hourly"]?["data"]?.elements ?? []
        #expect(
            hours.map { $0["icon"]?.stringValue } == [
                "partly-cloudy-day", "thunderstorm", "partly-cloudy-day", "cloudy",
            ])
        #expect(hours.map { $0["precipIntensity"]?.doubleValue } == [0, 7.5, 0, nil])
        #expect(hours.map { $0["precipProbability"]?.doubleValue } == [0.05, 0.9, 0.1, nil])
    }
}

extension Date {
    fileprivate init(unix seconds: Int) { self.init(timeIntervalSince1970: Double(seconds)) }
}
