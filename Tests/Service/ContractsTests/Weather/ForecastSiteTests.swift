import CivilDates
import API
import Contracts
import Foundation
import Records
import Testing

/// 2026-11-22T20:00:00Z.
private let now: Int64 = 1_795_377_600

/// Returns a time some days and seconds from now.
private func time(_ days: Int64, _ seconds: Int64 = 0) -> Int64 { now + days * 86_400 + seconds }

/// Which address of an upstream answers a request, and what it is asked.
@Suite("Addresses by time")
struct ForecastSiteTests {
    private static func query(_ time: ForecastQuery.Moment?) -> ForecastQuery {
        var query = ForecastQuery(latitude: 52.5, longitude: 13.4)
        query.time = time
        return query
    }

    private static func parameters(of target: String) throws -> (path: String, values: [String: String]) {
        let components = try #require(URLComponents(string: target))
        let items = (components.queryItems ?? []).map { ($0.name, $0.value ?? "") }
        return (components.path, Dictionary(uniqueKeysWithValues: items))
    }

    /// The dates that Open-Meteo is asked for; nil for those around now.
    @Test(
        arguments: [
            (nil, .current, nil), (time(0, -3600), .current, nil), (time(0, -3601), .current, "2026-11-20 2026-11-24"),
            (time(-1), .current, "2026-11-19 2026-11-23"), (time(-90), .current, "2026-08-22 2026-08-26"),
            (time(-92), .current, "2026-08-22 2026-08-24"), (time(-100), .history, "2026-08-12 2026-08-16"),
            (1_530_446_400, .history, "2018-06-29 2018-07-03"), (1_367_841_600, .archive, "2013-05-04 2013-05-08"),
            (-631_152_000, .archive, "1949-12-30 1950-01-03"), (time(1), .current, "2026-11-21 2026-11-25"),
            (time(15), .current, "2026-12-05 2026-12-07"), (time(16), nil, nil), (time(365), nil, nil),
            (-1_000_000_000, nil, nil),
        ] as [(Int64?, ForecastSite?, String?)])
    func openMeteo(time: Int64?, expected: ForecastSite?, dates: String?) throws {
        let query = Self.query(time.map(ForecastQuery.Moment.unix))
        let site = ForecastDialect.openMeteo.site(for: query, among: [.current, .history, .archive], now: now)
        #expect(site == expected)
        guard let site else { return }
        let (path, values) = try Self.parameters(of: ForecastDialect.openMeteo.target(for: query, at: site, now: now))
        #expect(path == (site == .archive ? "/v1/archive" : "/v1/forecast"))
        #expect(values["latitude"] == "52.5" && values["longitude"] == "13.4" && values["timezone"] == "auto")
        #expect(values["timeformat"] == "unixtime" && values["wind_speed_unit"] == "ms")
        // A time within an hour of now has minutes, and no range of dates.
        let days = time == nil ? "9" : dates == nil ? "4" : nil
        #expect(values["forecast_days"] == days && (values["current"] != nil) == (time == nil))
        #expect((values["minutely_15"] != nil) == (dates == nil) && (values["past_days"] != nil) == (days == "4"))
        #expect((values["start_date"].map { $0 + " " + (values["end_date"] ?? "") }) == dates)
        let hourly = try #require(values["hourly"]).split(separator: ",")
        let missing = ["precipitation_probability", "visibility", "uv_index", "cape"]
        #expect(missing.allSatisfy { hourly.contains($0[...]) == (site != .archive) })
        #expect(hourly.contains("temperature_2m") && values["daily"] == "sunrise,sunset")
    }

    @Test(
        arguments: [
            (nil, .current), (time(0, -3600), .current), (time(-1), .current), (time(-1, -1), .history),
            (time(-90), .history), (time(-100), .history), (1_530_446_400, .history),
            (-631_152_000, .history), (0, .history), (time(0, 3600), .current), (time(0, 3601), nil), (time(1), nil),
            (time(15), nil), (time(365), nil), (-1_000_000_000, nil),
        ] as [(Int64?, ForecastSite?)])
    func pirateWeather(time: Int64?, expected: ForecastSite?) throws {
        let query = Self.query(time.map(ForecastQuery.Moment.unix))
        let site = ForecastDialect.pirateWeather.site(for: query, among: [.current, .history], now: now)
        #expect(site == expected)
        guard let site else { return }
        let (path, values) = try Self.parameters(
            of: ForecastDialect.pirateWeather.target(for: query, at: site, now: now))
        let text = time.map { $0 == 0 ? ",1970-01-01T00:00:00Z" : ",\($0)" } ?? ""
        #expect(path == "/forecast/apikey/52.5,13.4\(text)")
        let isNear = time.map { abs($0 - now) <= 3600 } ?? false
        #expect(values["tmextra"] == (site == .history || isNear ? "1" : nil) && values["version"] == "2")
    }

    @Test("A local time is that of the longitude, and a site that covers it for sure is better")
    func localTime() {
        let sites: [ForecastSite] = [.current, .history]
        func site(_ text: String) -> ForecastSite? {
            ForecastDialect.pirateWeather.site(for: Self.query(.local(text)), among: sites, now: now)
        }
        #expect(site("2026-11-22T12:00:00") == .current)
        // 24 hours ago, or up to four more.
        #expect(site("2026-11-21T21:00:00") == .history)
        // Now, or later than the upstream knows.
        #expect(site("2026-11-22T21:00:00") == .current)
        #expect(site("2026-11-23T12:00:00") == nil)
    }

    /// Places whose clocks show another date than the sun: east of 180° with the date of Asia, west of it with America's.
    private static let datelinePlaces: [(zone: String, latitude: Double, longitude: Double)] = [
        ("Pacific/Apia", -13.83, -171.76), ("Pacific/Kiritimati", 1.87, -157.4), ("Pacific/Chatham", -43.95, -176.55),
        ("Pacific/Tongatapu", -21.13, -175.2), ("Pacific/Pago_Pago", -14.28, -170.7),
        ("Pacific/Auckland", -36.85, 174.76),
        ("Asia/Anadyr", 64.73, 177.5), ("Asia/Anadyr", 66.17, -169.8), ("America/Adak", 52.9, 172.9),
        ("Pacific/Honolulu", 21.3, -157.86), ("Pacific/Fiji", -18.2, -178.8),
    ]

    @Test("Near the date line, a local time is asked of a site that covers it", arguments: datelinePlaces)
    func localTimeAtDateline(zone: String, latitude: Double, longitude: Double) throws {
        let rules = try #require(ZoneRules.named(zone))
        let sites: [ForecastSite] = [.current, .history, .archive]
        for dialect in [ForecastDialect.pirateWeather, .openMeteo] {
            let boundaries = sites.flatMap { site in
                let times = dialect.coverage(of: [site], now: now)
                return [times?.lowerBound ?? 0, times?.upperBound ?? 0]
            }
            for hours in -30...30 {
                for boundary in boundaries {
                    let moment = boundary + Int64(hours) * 3600 + 1800
                    var query = ForecastQuery(latitude: latitude, longitude: longitude)
                    query.time = .unix(moment)
                    guard dialect.site(for: query, among: sites, now: now) != nil else { continue }
                    let local = Double(moment) + rules.offset(at: Double(moment))
                    let text = try #require(ISO8601Timestamp.format(secondsSinceEpoch: local)).prefix(19)
                    query.time = .local(String(text))
                    let site = try #require(dialect.site(for: query, among: sites, now: now), "\(text)")
                    let times = try #require(dialect.coverage(of: [site], now: now))
                    #expect(times.contains(moment), "\(dialect.name) \(text) \(site)")
                }
            }
        }
    }

    @Test("Without the other addresses, older times are not covered")
    func currentOnly() {
        let query = Self.query(.unix(time(-100)))
        #expect(ForecastDialect.openMeteo.site(for: query, among: [.current], now: now) == nil)
        #expect(ForecastDialect.openMeteo.site(for: query, among: [.own], now: now) == .own)
        let range = ForecastDialect.openMeteo.coverage(of: [.current], now: now)
        #expect(range == 1_787_356_800...1_796_687_999)
    }

    @Test("Dark Sky's servers are asked about any time", arguments: [Int64.min, 0, Int64.max])
    func darkSky(time: Int64) {
        #expect(ForecastDialect.darkSky.site(for: Self.query(.unix(time)), among: [.own], now: now) == .own)
    }
}
