import CivilDates
import API
import ContractsSupport
import Contracts
import JSONText
import Records
import Testing

@Suite("Documents of WeatherKit")
struct WeatherKitDocumentTests {
    /// 2026-02-05T23:00:00Z, midnight in Berlin.
    private static let start = 1_770_332_400

    private static func text(_ seconds: Int) -> String {
        ISO8601Timestamp.format(secondsSinceEpoch: Double(seconds)).map { String($0.prefix(19)) + "Z" } ?? ""
    }

    /// An answer of nine days, 222 hours and 78 minutes; its current time is 13:20:30 on the second day.
    private static func document(current: Bool = true, place: Bool = true) -> [UInt8] {
        let metadata =
            #""metadata":{"readTime":"\#(text(start + 37 * 3600))""#
            + (place ? #","latitude":48.137,"longitude":11.575}"# : "}")
        func list(_ count: Int, _ step: Int, from first: Int, _ key: String, _ value: String) -> String {
            (0..<count).map { #"{"\#(key)":"\#(text(first + $0 * step))","\#(value)":0}"# }.joined(separator: ",")
        }
        let now = start + 37 * 3600 + 1230
        var sets = [
            #""forecastHourly":{\#(metadata),"hours":[\#(list(222, 3600, from: start, "forecastStart", "windSpeed"))]}"#,
            #""forecastDaily":{\#(metadata),"days":[\#(list(9, 86400, from: start, "forecastStart", "maxUvIndex"))]}"#,
            #""forecastNextHour":{\#(metadata),"minutes":[\#(list(78, 60, from: now - 150, "startTime", "precipitationIntensity"))]}"#,
        ]
        if current { sets.append(#""currentWeather":{\#(metadata),"asOf":"\#(text(now))","windSpeed":0}"#) }
        return Array("{\(sets.joined(separator: ","))}".utf8)
    }

    private static func query(_ time: ForecastQuery.Moment? = nil, zone: String? = "Europe/Berlin") -> ForecastQuery {
        var query = ForecastQuery(latitude: 48.2, longitude: -20)
        (query.time, query.timeZone) = (time, zone)
        return query
    }

    private static func normalized(_ document: [UInt8], for query: ForecastQuery?) throws -> JSONValue {
        let normalized = try ForecastDialect.weatherKit.normalize(document, answering: query).shaped()
        // The documents have few columns.
        #expect(normalized.drift.entries.allSatisfy { $0.kind == .missing })
        return try #require(JSONValue(parsing: normalized.body))
    }

    /// Returns the indices of the points of a block among those of the document.
    private static func indices(_ forecast: JSONValue, _ block: String, _ step: Int) -> [Int] {
        (forecast[block]?["data"]?.elements ?? []).compactMap { $0["time"]?.intValue.map { ($0 - start) / step } }
    }

    @Test("A query for now selects 49 hours from the current one or 169, eight days from today, and 61 minutes")
    func now() throws {
        let forecast = try Self.normalized(Self.document(), for: Self.query())
        #expect(forecast["currently"]?["time"]?.intValue == Self.start + 37 * 3600 + 1230)
        #expect(Self.indices(forecast, "hourly", 3600) == Array(37..<86))
        #expect(Self.indices(forecast, "daily", 86400) == Array(1..<9))
        let minutes = forecast["minutely"]?["data"]?.elements ?? []
        #expect(minutes.count == 61 && minutes.first?["time"]?.intValue == Self.start + 37 * 3600 + 1200)
        var query = Self.query()
        query.extendsHourly = true
        let extended = try Self.normalized(Self.document(), for: query)
        #expect(Self.indices(extended, "hourly", 3600) == Array(37..<206))
    }

    @Test("Without current weather, the hours begin when the data were read")
    func readTime() throws {
        let forecast = try Self.normalized(Self.document(current: false), for: Self.query())
        #expect(forecast["currently"] == nil)
        #expect(Self.indices(forecast, "hourly", 3600) == Array(37..<86))
    }

    @Test(
        "A moment selects its hour as currently, and its local day",
        arguments: [
            (.unix(1_770_332_400), 0, 0), (.unix(1_770_332_399 + 86400), 23, 0),
            (.local("2026-02-07T12:59:59"), 36, 1), (.local("2026-02-06T00:00:00"), 0, 0),
        ] as [(ForecastQuery.Moment, Int, Int)])
    func moment(moment: ForecastQuery.Moment, hour: Int, day: Int) throws {
        let forecast = try Self.normalized(Self.document(), for: Self.query(moment))
        let time = try #require(forecast["currently"]?["time"]?.intValue)
        #expect((time - Self.start) / 3600 == hour)
        #expect(Self.indices(forecast, "hourly", 3600) == Array(24 * day..<24 * day + 24))
        #expect(Self.indices(forecast, "daily", 86400) == [day])
    }

    @Test("An answer without weather of the moment is an error")
    func momentWithoutWeather() {
        #expect(throws: ContractError.self) {
            try Self.normalized(Self.document(), for: Self.query(.local("2026-07-01T12:00:00")))
        }
    }

    @Test(
        "A day on which clocks change is completed from its 23 or 25 hours",
        arguments: [("2026-03-28T23:00:00Z", 23), ("2026-10-24T22:00:00Z", 25)])
    func clockChange(midnight: String, count: Int) throws {
        let start = try #require(ISO8601Timestamp(midnight.utf8.span)?.instant?.seconds)
        let hours = (0..<count + 1).map { hour in
            #"{"forecastStart":"\#(Self.text(start + hour * 3600))","temperature":\#(hour),"#
                + #""precipitationAmount":0.1,"precipitationType":"rain"}"#
        }
        let days = [start, start + count * 3600].map { #"{"forecastStart":"\#(Self.text($0))"}"# }
        let document =
            #"{"forecastHourly":{"hours":[\#(hours.joined(separator: ","))]},"#
            + #""forecastDaily":{"days":[\#(days.joined(separator: ","))]}}"#
        let query = Self.query(.unix(Int64(start + 12 * 3600)))
        let forecast = try Self.normalized(Array(document.utf8), for: query)
        #expect(forecast["hourly"]?["data"]?.elements?.count == count)
        let day = try #require(forecast["daily"]?["data"]?[0])
        #expect(day["precipIntensity"]?.doubleValue == 0.1 && day["precipType"] == "rain")
        #expect(day["liquidAccumulation"]?.doubleValue == Double(count) / 100)
        #expect(day["temperatureMax"]?.doubleValue == Double(count - 1))
        #expect(forecast["offset"]?.intValue == (count == 23 ? 2 : 1))
    }

    @Test("The zone is the requested one; that of the longitude is marked as approximate")
    func zone() throws {
        let named = try Self.normalized(Self.document(), for: Self.query())
        #expect(named["timezone"] == "Europe/Berlin" && named["offset"]?.intValue == 1)
        #expect(named["flags"]?["timezoneIsApproximate"] == nil)
        let estimated = try Self.normalized(Self.document(), for: Self.query(zone: nil))
        #expect(estimated["timezone"] == "Etc/GMT+1" && estimated["offset"]?.intValue == -1)
        #expect(estimated["flags"]?["timezoneIsApproximate"] == true)
        let document = try Self.normalized(Self.document(), for: nil)
        #expect(document["timezone"] == "Etc/GMT-1")
    }

    @Test("The place is the answer's, or else the requested one")
    func place() throws {
        let own = try Self.normalized(Self.document(), for: Self.query())
        #expect(own["latitude"]?.doubleValue == 48.137 && own["longitude"]?.doubleValue == 11.575)
        let requested = try Self.normalized(Self.document(place: false), for: Self.query())
        #expect(requested["latitude"]?.doubleValue == 48.2 && requested["longitude"]?.doubleValue == -20)
        let unknown = try Self.normalized(Self.document(place: false), for: nil)
        #expect(unknown["latitude"] == nil && unknown["longitude"] == nil && unknown["timezone"] == "Etc/GMT")
    }

    @Test("A document that is cut off at any byte is an error")
    func truncated() throws {
        for name in ["plain", "alerts", "next-hour", "unavailable"] {
            let fixture = try #require(try Fixture.all(in: "weatherKit").first { $0.name == name })
            let read = (0..<fixture.input.count).filter { length in
                Answer(of: Array(fixture.input[..<length]), in: .weatherKit).error == nil
            }
            #expect(read == [], "\(name)")
        }
    }

    @Test("A damaged document gives a Dark Sky forecast without nulls, which normalizing leaves unchanged, or an error")
    func damaged() throws {
        let strange: [JSONValue] = [
            nil, true, -1, 1e300, -1e300, .number("1e999"), "", "2026-02-06T16:30", "9999-12-31T23:59:59Z",
            "0001-01-01T00:00:00Z", "99999999999999999999", [], [nil], [1, "2", [3]], [:], ["metadata": [:]],
        ]
        let documents = try Fixture.all(in: "weatherKit").filter { $0.expected.error == nil }
            .compactMap { JSONValue(parsing: $0.input) }
        for seed in 0..<2000 {
            var mutation = JSONMutation(seed: UInt64(seed), values: strange)
            var document = documents[seed % documents.count]
            mutation.damage(&document)
            for query in [nil, Self.query(), Self.query(.unix(1_770_379_200), zone: nil)] {
                do {
                    let once = try ForecastDialect.weatherKit.normalize(document.bytes, answering: query).shaped().body
                    let twice = try ForecastDialect.darkSky.normalize(once).shaped().body
                    #expect(once == twice, "\(seed)")
                    #expect(try Inventory(of: once).nulls == 0, "\(seed)")
                } catch let error as ContractError {
                    #expect(!error.failures.isEmpty)
                }
            }
        }
    }
}
