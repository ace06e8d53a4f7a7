import API
import Contracts
import JSONText
import Records
import Testing

@Suite("Rows of Open-Meteo that a query selects")
struct OpenMeteoSelectionTests {
    /// 2026-02-06T00:00:00+01:00.
    private static let start = 1_770_332_400

    /// An answer of nine days whose hours have their index as `cape`; its current time is 13:20 on the second day.
    private static func document(current: Bool = true, daily: Bool = true) -> [UInt8] {
        func list(_ count: Int, _ step: Int) -> String {
            (0..<count).map { String(start + $0 * step) }.joined(separator: ",")
        }
        let indices = (0..<216).map(String.init).joined(separator: ",")
        var text = #"{"latitude":48.1,"longitude":11.5,"timezone":"Europe/Berlin","utc_offset_seconds":3600"#
        if current { text += #","current":{"time":\#(start + 37 * 3600 + 1200),"cape":3}"# }
        text += #","hourly":{"time":[\#(list(216, 3600))],"cape":[\#(indices)]}"#
        if daily { text += #","daily":{"time":[\#(list(9, 86400))]}"# }
        return Array((text + "}").utf8)
    }

    private struct Rows {
        let now: JSONValue?
        let hours: [Int]
        let days: [Int]

        /// Normalizes a document; hours and days are identified by their indices in it.
        init(_ document: [UInt8], for query: ForecastQuery?) throws {
            var parser = JSONParser()
            let normalized = try ForecastDialect.openMeteo.normalize(document, answering: query).shaped()
            // The documents have few columns.
            #expect(normalized.drift.entries.allSatisfy { $0.kind == .missing })
            let root = try parser.withDocument(normalized.body) { JSONValue($0) }
            now = root["currently"]
            func numbers(_ block: String, _ step: Int) -> [Int] {
                (root[block]?["data"]?.elements ?? []).compactMap { $0["time"]?.intValue.map { ($0 - start) / step } }
            }
            hours = numbers("hourly", 3600)
            days = numbers("daily", 86400)
        }
    }

    private static func query(_ time: ForecastQuery.Moment?, extendsHourly: Bool = false) -> ForecastQuery {
        var query = ForecastQuery(latitude: 48.1, longitude: 11.5)
        query.time = time
        query.extendsHourly = extendsHourly
        return query
    }

    @Test("Without a query all rows are selected")
    func all() throws {
        let rows = try Rows(Self.document(), for: nil)
        #expect(rows.now?["cape"] == 3)
        #expect(rows.hours == Array(0..<216) && rows.days == Array(0..<9))
    }

    @Test("A query for now selects 49 hours from the current one, or 169, and eight days from today")
    func queryForNow() throws {
        let rows = try Rows(Self.document(), for: Self.query(nil))
        #expect(rows.now?["time"]?.intValue == Self.start + 37 * 3600 + 1200)
        #expect(rows.hours == Array(37..<86) && rows.days == Array(1..<9))
        let extended = try Rows(Self.document(), for: Self.query(nil, extendsHourly: true))
        #expect(extended.hours == Array(37..<206))
    }

    @Test("Without a current block the first rows are selected")
    func withoutCurrentTime() throws {
        let rows = try Rows(Self.document(current: false), for: Self.query(nil))
        #expect(rows.now == nil)
        #expect(rows.hours == Array(0..<49) && rows.days == Array(0..<8))
    }

    @Test(
        "A moment selects its hour as currently, and the hours of its local day",
        arguments: [
            (.unix(1_770_332_400), 0, 0), (.unix(1_770_332_399 + 86400), 23, 0), (.unix(1_770_332_400 + 86400), 24, 1),
            (.local("2026-02-07T12:59:59"), 36, 1), (.local("2026-02-06T00:00:00"), 0, 0),
        ] as [(ForecastQuery.Moment, Int, Int)], [true, false])
    func moment(_ expected: (moment: ForecastQuery.Moment, hour: Int, day: Int), daily: Bool) throws {
        let rows = try Rows(Self.document(current: false, daily: daily), for: Self.query(expected.moment))
        #expect(rows.now?["cape"]?.intValue == expected.hour)
        let time = try #require(rows.now?["time"]?.intValue)
        if case .unix(let seconds) = expected.moment { #expect(time == Int(seconds)) }
        #expect((time - Self.start) / 3600 == expected.hour)
        #expect(rows.hours == Array(expected.day * 24..<expected.day * 24 + 24))
        #expect(rows.days == (daily ? [expected.day] : []))
    }

    @Test(
        "A moment outside of the answer is an error",
        arguments: [.unix(0), .unix(.max), .unix(.min), .local("later")] as [ForecastQuery.Moment])
    func momentOutsideAnswer(moment: ForecastQuery.Moment) throws {
        #expect(throws: ContractError.self) { try Rows(Self.document(), for: Self.query(moment)) }
    }

    @Test("Highs and lows cover whole days even if only half of the hours are selected")
    func wholeDays() throws {
        let hours = (0..<48).map { String(Self.start + $0 * 3600) }.joined(separator: ",")
        let temperatures = (0..<48).map { String($0 % 24 == 9 ? 20 : $0 % 24) }.joined(separator: ",")
        let text = """
            {"latitude":48.1,"longitude":11.5,"timezone":"Europe/Berlin","utc_offset_seconds":3600,
            "current":{"time":\(Self.start + 15 * 3600)},
            "hourly":{"time":[\(hours)],"temperature_2m":[\(temperatures)]},"daily":{"time":[\(Self.start)]}}
            """
        let body = try ForecastDialect.openMeteo.normalize(Array(text.utf8), answering: Self.query(nil)).shaped().body
        var parser = JSONParser()
        let root = try parser.withDocument(body) { JSONValue($0) }
        let day = root["daily"]?["data"]?[0]
        #expect(root["hourly"]?["data"]?[0]?["time"]?.intValue == Self.start + 15 * 3600)
        #expect(day?["temperatureHigh"]?.intValue == 20)
        #expect(day?["temperatureHighTime"]?.intValue == Self.start + 9 * 3600)
        #expect(day?["temperatureLow"]?.intValue == 0)
        #expect(day?["temperatureLowTime"]?.intValue == Self.start + 24 * 3600)
    }
}
