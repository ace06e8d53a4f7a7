import Contracts
import Foundation
import Testing

@Suite("Targets of WeatherKit")
struct WeatherKitTargetTests {
    /// 2026-02-07T15:15:00Z.
    private static let now: Int64 = 1_770_477_300

    private static func query(
        _ time: ForecastQuery.Moment? = nil, longitude: Double = 11.5755, zone: String? = nil
    ) -> ForecastQuery {
        var query = ForecastQuery(latitude: -48.1374, longitude: longitude)
        (query.time, query.timeZone) = (time, zone)
        return query
    }

    private static func parameters(_ query: ForecastQuery) throws -> [String: String] {
        let target = ForecastDialect.weatherKit.target(for: query, at: .current, now: now)
        let items = try #require(URLComponents(string: target)?.queryItems)
        return Dictionary(uniqueKeysWithValues: items.map { ($0.name, $0.value ?? "") })
    }

    @Test("A query for now requests the hours of nine local days, eight days, and no alerts without a country")
    func queryForNow() throws {
        let target = ForecastDialect.weatherKit.target(for: Self.query(zone: "Europe/Berlin"), now: Self.now)
        #expect(
            target
                == "/api/v1/weather/en/-48.1374/11.5755?dataSets=currentWeather,forecastHourly,forecastDaily,forecastNextHour"
                + "&timezone=Europe%2FBerlin&hourlyStart=2026-02-06T23:00:00Z&hourlyEnd=2026-02-15T05:00:00Z"
                + "&dailyStart=2026-02-06T23:00:00Z&dailyEnd=2026-02-14T23:00:00Z")
    }

    @Test("With a country, alerts are requested; not for another time, which has minutes within an hour of now")
    func country() throws {
        var query = Self.query()
        query.countryCode = "DE"
        let values = try Self.parameters(query)
        #expect(values["countryCode"] == "DE" && values["dataSets"]?.hasSuffix(",weatherAlerts") == true)
        query.time = .unix(Self.now - 3600)
        #expect(try Self.parameters(query)["dataSets"] == "forecastHourly,forecastDaily,forecastNextHour")
        query.time = .unix(Self.now - 3601)
        #expect(try Self.parameters(query)["countryCode"] == nil)
        #expect(try Self.parameters(query)["dataSets"] == "forecastHourly,forecastDaily")
    }

    @Test(
        "Without a zone, that of the longitude is requested, whose plus is escaped",
        arguments: [
            (0.0, "Etc/GMT", "2026-02-07T00:00:00Z"), (7.4, "Etc/GMT", "2026-02-07T00:00:00Z"),
            (7.6, "Etc/GMT-1", "2026-02-06T23:00:00Z"), (-122.4, "Etc/GMT+8", "2026-02-07T08:00:00Z"),
            (180, "Etc/GMT-12", "2026-02-07T12:00:00Z"), (-180, "Etc/GMT+12", "2026-02-07T12:00:00Z"),
            (.nan, "Etc/GMT", "2026-02-07T00:00:00Z"), (1e300, "Etc/GMT-12", "2026-02-07T12:00:00Z"),
        ])
    func longitude(longitude: Double, name: String, start: String) throws {
        let query = Self.query(longitude: longitude)
        let values = try Self.parameters(query)
        #expect(values["timezone"] == name && values["dailyStart"] == start && values["hourlyStart"] == start)
        let target = ForecastDialect.weatherKit.target(for: query, now: Self.now)
        #expect(!target.contains("+") && !target.contains("e+"))
    }

    @Test(
        "A moment requests its local day, and the night after it",
        arguments: [
            (.unix(1_770_477_300), "2026-02-06T23:00:00Z", "2026-02-07T23:00:00Z", "2026-02-08T05:00:00Z"),
            (.unix(1_770_505_200), "2026-02-07T23:00:00Z", "2026-02-08T23:00:00Z", "2026-02-09T05:00:00Z"),
            (.local("2026-02-07T23:59:59"), "2026-02-06T23:00:00Z", "2026-02-07T23:00:00Z", "2026-02-08T05:00:00Z"),
            // The day on which clocks go forward has 23 hours, the other one 25.
            (.local("2026-03-29T12:00:00"), "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z", "2026-03-30T04:00:00Z"),
            (.local("2026-10-25T12:00:00"), "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z", "2026-10-26T05:00:00Z"),
        ] as [(ForecastQuery.Moment, String, String, String)])
    func moment(moment: ForecastQuery.Moment, start: String, end: String, morning: String) throws {
        let values = try Self.parameters(Self.query(moment, zone: "Europe/Berlin"))
        #expect(values["hourlyStart"] == start && values["dailyStart"] == start)
        #expect(values["dailyEnd"] == end && values["hourlyEnd"] == morning)
    }

    @Test(
        "A moment far away gives a date",
        arguments: [.unix(.min), .unix(.max), .local(""), .local("9999-12-31T23:59:59")] as [ForecastQuery.Moment])
    func extremes(moment: ForecastQuery.Moment) throws {
        let values = try Self.parameters(Self.query(moment, zone: "America/New_York"))
        for name in ["hourlyStart", "hourlyEnd", "dailyStart", "dailyEnd"] { #expect(values[name]?.count == 20) }
    }

    @Test(
        "The language is a tag of BCP 47",
        arguments: [
            (nil, "en"), ("de", "de"), ("no", "nb"), ("zh-tw", "zh-TW"), ("x-pig-latin", "en"), ("a/b", "a%2Fb"),
        ])
    func language(code: String?, tag: String) {
        var query = Self.query()
        query.language = code
        let target = ForecastDialect.weatherKit.target(for: query, now: Self.now)
        #expect(target.hasPrefix("/api/v1/weather/\(tag)/-48.1374/11.5755?"))
    }

    @Test(
        "Apple's host is asked about August 2021 to ten days ahead",
        arguments: [
            (1_627_775_999, nil), (1_627_776_000, .current), (1_770_477_300, .current),
            (1_770_477_300 + 864_000, .current), (1_770_477_300 + 864_001, nil),
        ] as [(Int64, ForecastSite?)])
    func coverage(time: Int64, site: ForecastSite?) {
        let query = Self.query(.unix(time))
        #expect(ForecastDialect.weatherKit.site(for: query, among: [.current], now: Self.now) == site)
        #expect(ForecastDialect.weatherKit.site(for: query, among: [.own], now: Self.now) == .own)
    }
}
