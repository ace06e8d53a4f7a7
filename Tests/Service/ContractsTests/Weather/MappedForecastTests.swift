import API
import CivilDates
import Contracts
import ContractsSupport
import JSONText
import Records
import Testing

@Suite("Forecasts in the words of mappings")
struct MappedForecastTests {
    /// 2026-06-20T22:00:00Z, midnight in Berlin.
    private static let start = 1_781_992_800

    private static let dialect = ForecastDialect(
        mapped: "ours", keyLocation: .none, needsKey: false, covers: (pastDays: 5, futureDays: 10), parameterNames: [],
        upstreamError: { _ in nil }
    ) { root, query, defaults, forecast in
        var source = MappedSource(name: "ours")
        (source.attribution, source.about) = ("By Ours", "https://ours.example")
        return try MappedForecast.read(root, answering: query, defaults, source, into: &forecast)
    }

    /// Returns the answer made of a document, and its repairs.
    private static func answer(
        _ document: String, _ query: ForecastQuery? = nil
    ) throws -> (forecast: JSONValue, drift: [String]) {
        let document = try dialect.normalize(Array(document.utf8), answering: query).shaped()
        let drift = document.drift.entries.map { "\($0.kind.rawValue) \($0.path) \($0.reason.rawValue) \($0.count)" }
        return (try #require(JSONValue(parsing: document.body)), drift)
    }

    private static func hours(_ count: Int, _ members: (Int) -> String) -> String {
        (0..<count).map { #"{"time":\#(start + $0 * 3600)\#(members($0))}"# }.joined(separator: ",")
    }

    private static let berlin = #""latitude":52.52,"longitude":13.405,"timezone":"Europe/Berlin""#

    @Test("Codes and conditions give words and icons by day and night, in the client's language")
    func words() throws {
        let codes = [
            "\"code\":0", "\"code\":61", "\"condition\":\"partly-cloudy\"", "\"condition\":\"wind\"",
            "\"code\":4711,\"cloudCover\":1",
        ]
        let hours = Self.hours(24) { ",\(codes[$0 % 5])" }
        var query = ForecastQuery(latitude: 52.52, longitude: 13.405)
        (query.language, query.now) = ("de", Int64(Self.start))
        let (forecast, drift) = try Self.answer("{\(Self.berlin),\"hourly\":[\(hours)]}", query)
        let points = try #require(forecast["hourly"]?["data"]?.elements)
        #expect(
            points[..<5].map { $0["icon"]?.stringValue } == [
                "clear-night", "rain", "partly-cloudy-night", "wind", "cloudy",
            ])
        #expect(points[5..<8].map { $0["icon"]?.stringValue } == ["clear-day", "rain", "partly-cloudy-day"])
        #expect(points[..<3].map { $0["summary"]?.stringValue } == ["Klar", "Leichter Regen", "Teilweise bewölkt"])
        #expect(forecast["flags"]?["lang"] == "de")
        #expect(drift.contains("unrecognized hourly.data[].icon unknownValue 4"))
    }

    @Test("Amounts of rain, snow and ice give rates, depths and the type of precipitation, over the period")
    func amounts() throws {
        let points = [
            #"{"time":0,"rain":2}"#, #"{"time":3600,"snow":10,"rain":0}"#, #"{"time":7200,"ice":1}"#,
            #"{"time":10800,"rain":12,"period":21600}"#, #"{"time":32400,"rain":0,"snow":0}"#,
            #"{"time":36000,"precipIntensity":1.5,"precipType":"snow"}"#,
        ]
        let (forecast, _) = try Self.answer("{\(Self.berlin),\"hourly\":[\(points.joined(separator: ","))]}")
        let found = try #require(forecast["hourly"]?["data"]?.elements)
        func numbers(_ name: String) -> [Double?] { found.map { $0[name]?.doubleValue } }
        #expect(numbers("precipIntensity") == [2, 10, 1, 2, 0, 1.5])
        #expect(numbers("liquidAccumulation") == [0.2, 0, nil, 1.2, 0, nil])
        #expect(numbers("snowAccumulation") == [nil, 7, nil, nil, 0, nil])
        #expect(numbers("iceAccumulation")[2] == 0.1091)
        #expect(numbers("rainIntensity")[3] == 2)
        #expect(found.map { $0["precipType"]?.stringValue } == ["rain", "snow", "sleet", "rain", nil, "snow"])
    }

    @Test("Days are made of hours: sums, extremes with their times, the sun and the moon")
    func days() throws {
        let hours = Self.hours(60) { #","temperature":\#(10 + ($0 % 24)),"rain":0.5,"windSpeed":2,"windBearing":90"# }
        let (forecast, drift) = try Self.answer("{\(Self.berlin),\"hourly\":[\(hours)]}")
        let days = try #require(forecast["daily"]?["data"]?.elements)
        // The last twelve hours are half of a day.
        #expect(days.map { $0["time"]?.intValue } == [0, 1, 2].map { Self.start + $0 * 86_400 })
        #expect(drift == ["approximated daily.data[] missing 1"])
        let day = days[0]
        #expect(day["temperatureMax"] == 33 && day["temperatureMaxTime"] == .number("\(Self.start + 23 * 3600)"))
        #expect(day["temperatureHigh"] == 27 && day["temperatureLow"] == 10)
        #expect(day["liquidAccumulation"] == 1.2 && day["precipIntensity"] == 0.5 && day["precipType"] == "rain")
        #expect(day["windBearing"] == 90 && day["moonPhase"] != nil && day["icon"] == "rain")
        // 04:43 and 21:33 in Berlin.
        let sun = try #require(day["sunriseTime"]?.intValue)
        #expect(abs(sun - (Self.start + 4 * 3600 + 43 * 60)) <= 120)
        #expect(days[1...].allSatisfy { $0["sunsetTime"] != nil })
    }

    @Test("What a day itself says stays, and its time becomes the midnight of its local day")
    func ownDays() throws {
        let hours = Self.hours(24) { _ in #","temperature":10,"rain":1,"code":61"# }
        let day =
            #"{"time":\#(Self.start + 43_200),"temperatureMax":30,"rain":5,"code":95,"moonPhase":0.42,"sunriseTime":\#(Self.start + 20_000)}"#
        let (forecast, _) = try Self.answer(
            #"{\#(Self.berlin),"hourly":[\#(hours)],"daily":{"summary":"Hot","icon":"clear-day","data":[\#(day)]}}"#)
        let found = try #require(forecast["daily"]?["data"]?.elements?.first)
        #expect(found["time"] == .number("\(Self.start)") && found["temperatureMax"] == 30)
        #expect(found["temperatureMin"] == 10 && found["liquidAccumulation"] == 0.5)
        #expect(found["icon"] == "thunderstorm" && found["moonPhase"] == 0.42)
        #expect(found["sunriseTime"] == .number("\(Self.start + 20_000)") && found["sunsetTime"] == nil)
        #expect(forecast["daily"]?["summary"] == "Hot" && forecast["daily"]?["icon"] == "clear-day")
    }

    @Test("The weather now is that of the hour that holds now, also of one of six hours")
    func now() throws {
        let points = [
            #"{"time":\#(Self.start),"temperature":1,"ozone":300}"#,
            #"{"time":\#(Self.start + 3600),"temperature":2,"period":21600,"snow":6}"#,
        ]
        var query = ForecastQuery(latitude: 52.52, longitude: 13.405)
        query.now = Int64(Self.start + 1234)
        let document = "{\(Self.berlin),\"hourly\":[\(points.joined(separator: ","))]}"
        var currently = try Self.answer(document, query).forecast["currently"]
        #expect(currently?["time"] == .number("\(Self.start + 1200)") && currently?["temperature"] == 1)
        #expect(currently?["ozone"] == 300)
        query.now = Int64(Self.start + 3600 + 5 * 3600)
        let (forecast, _) = try Self.answer(document, query)
        currently = forecast["currently"]
        #expect(currently?["temperature"] == 2 && currently?["precipIntensity"] == 1)
        #expect(currently?["snowAccumulation"] == nil)
        #expect(forecast["hourly"]?["data"]?.elements?.count == 1)
        query.now = Int64(Self.start + 9 * 3600)
        #expect(try Self.answer(document, query).forecast["currently"] == nil)
    }

    @Test("Without a zone the settings' one counts, or the nautical one of the longitude, which is reported")
    func zones() throws {
        let hour = Self.hours(1) { _ in #","temperature":1"# }
        var query = ForecastQuery(latitude: 40, longitude: -105)
        query.now = Int64(Self.start)
        for (zone, members, name, offset) in [
            (nil, "", "Etc/GMT+7", -7.0), ("America/Denver", "", "America/Denver", -6),
            (nil, #""offset":5.5,"#, "Etc/GMT-6", 5.5), (nil, #""timezone":"Nowhere/Land","#, "Etc/GMT+7", -7),
        ] as [(String?, String, String, Double)] {
            query.timeZone = zone
            let (forecast, drift) = try Self.answer("{\(members)\"hourly\":[\(hour)]}", query)
            #expect(forecast["timezone"]?.stringValue == name && forecast["offset"]?.doubleValue == offset)
            #expect(drift.contains { $0.hasPrefix("approximated timezone") } == (zone == nil))
            #expect((forecast["flags"]?["timezoneIsApproximate"] == true) == (zone == nil))
            #expect(forecast["latitude"] == 40)
        }
    }

    @Test("Minutes are those of their spans, and flags name the source")
    func minutes() throws {
        let minutes = (0..<60).map { #"{"time":\#(Self.start + $0 * 60),"precipIntensity":\#($0 < 30 ? 0 : 1)}"# }
        let quarters = (0..<5).map { #"{"time":\#(Self.start + $0 * 900),"rain":0.5,"period":900}"# }
        for (points, step) in [(minutes, nil as JSONValue?), (quarters, 15)] {
            let (forecast, _) = try Self.answer(
                #"{\#(Self.berlin),"currently":{"time":\#(Self.start + 59),"temperature":1},"#
                    + #""minutely":[\#(points.joined(separator: ","))],"sources":["radar"]}"#)
            let found = try #require(forecast["minutely"]?["data"]?.elements)
            #expect(found.count >= 60 && found.last?["precipIntensity"]?.doubleValue ?? 0 > 0)
            #expect(forecast["flags"]?["minutelyStep"] == step)
            #expect(forecast["flags"]?["sources"] == ["ours", "radar"])
            #expect(forecast["flags"]?["attribution"] == "By Ours")
        }
    }

    @Test("The hours of a polar day and of a polar night have the icons of these")
    func poles() throws {
        for (start, icon) in [(Self.start, "clear-day"), (Self.start + 183 * 86_400, "clear-night")] {
            let hours = (0..<24).map { #"{"time":\#(start + $0 * 3600),"code":0}"# }.joined(separator: ",")
            let (forecast, _) = try Self.answer(
                #"{"latitude":78.22,"longitude":15.65,"timezone":"Arctic/Longyearbyen","hourly":[\#(hours)]}"#)
            let found = try #require(forecast["hourly"]?["data"]?.elements)
            #expect(found.allSatisfy { $0["icon"]?.stringValue == icon })
            let day = try #require(forecast["daily"]?["data"]?.elements?.first)
            #expect(day["sunriseTime"] == nil && day["sunsetTime"] == nil)
        }
    }

    @Test("Days of 23 and 25 hours, and of zones with half hours, begin at their midnights")
    func clockChanges() throws {
        for (zone, start, hours) in [
            ("Europe/Berlin", 1_774_738_800, [23.0, 24]), ("Europe/Berlin", 1_792_879_200, [25, 24]),
            ("Asia/Kolkata", 1_774_722_600, [24, 24]),
        ] {
            let points = (-1..<73).map { #"{"time":\#(start + $0 * 3600),"temperature":1}"# }.joined(separator: ",")
            let (forecast, _) = try Self.answer(
                #"{"latitude":20,"longitude":80,"timezone":"\#(zone)","hourly":[\#(points)]}"#)
            let times = try #require(forecast["daily"]?["data"]?.elements).compactMap { $0["time"]?.doubleValue }
            let lengths = zip(times, times.dropFirst()).map { ($1 - $0) / 3600 }
            #expect(times.dropFirst().first == Double(start) || times.first == Double(start), "\(zone)")
            #expect(
                Array(lengths.suffix(3)).starts(with: hours) || Array(lengths.dropFirst().prefix(2)) == hours,
                "\(zone) \(lengths)")
        }
    }

    @Test("Times in milliseconds are those of days and of the weather now, too, and other years are none")
    func milliseconds() throws {
        let hours = (0..<24).map { #"{"time":\#((Self.start + $0 * 3600) * 1000),"temperature":\#($0)}"# }
        let (forecast, drift) = try Self.answer("{\(Self.berlin),\"hourly\":[\(hours.joined(separator: ","))]}")
        #expect(forecast["hourly"]?["data"]?[1]?["time"]?.intValue == Self.start + 3600)
        #expect(forecast["daily"]?["data"]?.elements?.count == 1)
        #expect(drift == ["coerced hourly.data[].time milliseconds 24"])
        for time in ["1e20", "\"9999-12-31T00:00:00Z\"", "-99999999999", "1796014800000000", "-999"] {
            let (forecast, drift) = try Self.answer(
                #"{\#(Self.berlin),"hourly":[{"time":\#(time),"temperature":1},{"time":\#(Self.start),"temperature":2}]}"#
            )
            #expect(forecast["hourly"]?["data"]?.elements?.count == 1, "\(time)")
            #expect(drift.contains { $0.hasPrefix("dropped hourly.data[]") }, "\(time): \(drift)")
        }
    }

    @Test("Points are in the order of their times, and one at the time of another is dropped")
    func order() throws {
        let points = [2, 0, 1, 1, 3].map { #"{"time":\#(Self.start + $0 * 3600),"rain":1,"temperature":\#($0)}"# }
        let day =
            #"{"time":\#(Self.start + 3600),"temperatureMax":9},{"time":\#(Self.start + 50_000),"temperatureMax":5}"#
        let (forecast, drift) = try Self.answer(
            #"{\#(Self.berlin),"hourly":[\#(points.joined(separator: ","))],"daily":[\#(day)]}"#)
        let hours = try #require(forecast["hourly"]?["data"]?.elements)
        #expect(hours.map { ($0["time"]?.intValue ?? 0) - Self.start } == [0, 3600, 7200, 10_800])
        #expect(forecast["daily"]?["data"]?.elements?.count == 1)
        #expect(forecast["daily"]?["data"]?[0]?["liquidAccumulation"] == 0.4)
        #expect(
            drift.contains("dropped hourly.data[] duplicate 1") && drift.contains("dropped daily.data[] duplicate 1"))
    }

    @Test("Local hours that a clock shows twice are two, and one that no clock shows is dropped")
    func localHours() throws {
        func forecast(_ hours: [String]) throws -> (times: [Int], drift: [String]) {
            let points = hours.map { #"{"time":"\#($0)","temperature":1}"# }.joined(separator: ",")
            let (forecast, drift) = try Self.answer("{\(Self.berlin),\"hourly\":[\(points)]}")
            return ((forecast["hourly"]?["data"]?.elements ?? []).compactMap { $0["time"]?.intValue }, drift)
        }
        let autumn = try forecast([
            "2026-10-25T01:00:00", "2026-10-25T02:00:00", "2026-10-25T02:00:00", "2026-10-25T03:00:00",
        ])
        #expect(zip(autumn.times, autumn.times.dropFirst()).map { $1 - $0 } == [3600, 3600, 3600])
        let spring = try forecast(["2026-03-29T01:00:00", "2026-03-29T02:00:00", "2026-03-29T03:00:00"])
        #expect(zip(spring.times, spring.times.dropFirst()).map { $1 - $0 } == [3600])
        #expect(spring.drift.contains("dropped hourly.data[] duplicate 1"))
    }

    @Test("Days that begin at midnight in UTC are the dates that these name")
    func dates() throws {
        for zone in ["America/New_York", "Asia/Tokyo", "Pacific/Auckland"] {
            for time in ["1796083200", "\"2026-12-01T00:00:00Z\"", "\"2026-12-01\""] {
                let (forecast, _) = try Self.answer(
                    #"{"latitude":0,"longitude":0,"timezone":"\#(zone)","daily":[{"time":\#(time),"temperatureMax":3}]}"#
                )
                let start = try #require(forecast["daily"]?["data"]?[0]?["time"]?.doubleValue)
                let offset = try #require(forecast["offset"]?.doubleValue) * 3600
                #expect(start + offset == 1_796_083_200, "\(zone) \(time)")
            }
        }
    }

    @Test("The weather of another time than now is dropped, and that of the hour takes its place")
    func notNow() throws {
        let hours = Self.hours(48) { #","temperature":\#($0)"# }
        var query = ForecastQuery(latitude: 52.52, longitude: 13.405)
        query.now = Int64(Self.start + 5 * 3600 + 60)
        for (seconds, temperature) in [(0, 40), (-7000, 40), (-864_000, 5), (108_000, 5)] {
            let (forecast, drift) = try Self.answer(
                #"{\#(Self.berlin),"currently":{"time":\#(Self.start + 5 * 3600 + seconds),"temperature":40},"hourly":[\#(hours)]}"#,
                query)
            #expect(forecast["currently"]?["temperature"]?.intValue == temperature)
            #expect(forecast["hourly"]?["data"]?[0]?["temperature"] == 5)
            #expect(drift.contains("dropped currently.time implausible 1") == (temperature == 5))
        }
    }

    @Test("Rain with snow is no freezing rain, and amounts beyond the contract's are none")
    func mixed() throws {
        let (forecast, _) = try Self.answer(
            #"{\#(Self.berlin),"hourly":[{"time":0,"rain":1,"snow":5,"temperature":1},{"time":3600,"rain":2000,"snow":2000}]}"#
        )
        #expect(forecast["hourly"]?["data"]?[0]?["summary"] == "Mixed Rain And Snow")
        #expect(forecast["hourly"]?["data"]?[1]?["precipIntensity"] == nil)
    }

    @Test("A document without any block, and a point without a time, fail as in other dialects")
    func failures() throws {
        #expect(throws: ContractError.self) { try Self.answer("{\(Self.berlin)}") }
        #expect(throws: ContractError.self) { try Self.answer("[]") }
        let (forecast, drift) = try Self.answer(
            #"{\#(Self.berlin),"hourly":[{"temperature":1},{"time":\#(Self.start),"temperature":99,"humidity":0.5}]}"#)
        #expect(forecast["hourly"]?["data"]?.elements?.count == 1)
        #expect(drift.contains("dropped hourly.data[] invalid 1"))
        #expect(drift.contains("dropped hourly.data[].temperature implausible 1"))
    }
}
