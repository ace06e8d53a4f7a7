import API
import ContractsSupport
import Contracts
import JSONText
import Records
import TestSupport
import Testing

@Suite("Blocks that an answer to a request lacks")
struct MissingBlockTests {
    private static func sample(_ dialect: String) throws -> JSONValue {
        try #require(JSONValue(parsing: try Checkout.read("\(Checkout.root)/Config/samples/\(dialect)/forecast.json")))
    }

    /// The blocks and fields that are missing, each with its place in the document.
    private static func missing(
        _ document: JSONValue, _ name: String, _ time: ForecastQuery.Moment? = nil, isAnswer: Bool = true
    ) throws -> Set<String> {
        var query = ForecastQuery(latitude: 37.8267, longitude: -122.4233)
        query.time = time
        let dialect = try #require(ForecastDialect.named(name))
        let drift = try dialect.normalize(document.bytes, answering: isAnswer ? query : nil).drift
        return Set(drift.entries.filter { $0.kind == .missing }.map { "\($0.path) \($0.from ?? "-")" })
    }

    /// Returns a document with another value of a member, or without the member.
    private static func with(_ value: JSONValue?, at key: String, _ document: JSONValue) -> JSONValue {
        .object(
            (document.members ?? []).compactMap { member in
                member.key == key ? value.map { JSONValue.Member(key, $0) } : member
            })
    }

    private static let blocks: [(dialect: String, member: String, missing: [String])] = [
        ("darkSky", "currently", ["currently -"]), ("darkSky", "hourly", ["hourly -"]),
        ("darkSky", "daily", ["daily -"]), ("darkSky", "minutely", []), ("darkSky", "alerts", []),
        ("pirateWeather", "currently", ["currently -"]), ("pirateWeather", "hourly", ["hourly -"]),
        ("pirateWeather", "daily", ["daily -"]), ("pirateWeather", "day_night", []),
        ("openMeteo", "current", ["currently current"]), ("openMeteo", "minutely_15", ["minutely minutely_15"]),
        ("openMeteo", "hourly", ["hourly -"]), ("openMeteo", "daily", ["daily -"]),
        ("weatherKit", "currentWeather", ["currently currentWeather"]),
        ("weatherKit", "forecastHourly", ["hourly forecastHourly"]),
        ("weatherKit", "forecastDaily", ["daily forecastDaily"]), ("weatherKit", "forecastNextHour", []),
        ("weatherKit", "weatherAlerts", []),
    ]

    @Test("A block that every good answer has is missing where it is absent, null or empty", arguments: blocks.indices)
    func vanished(_ index: Int) throws {
        let (dialect, member, expected) = Self.blocks[index]
        let document = try Self.sample(dialect), before = try Self.missing(document, dialect)
        for value in [nil, .null] as [JSONValue?] {
            let missing = try Self.missing(Self.with(value, at: member, document), dialect)
            #expect(missing.subtracting(before) == Set(expected), "\(dialect) \(member)")
        }
        // Nobody asked for the blocks of a document from a file.
        #expect(try Self.missing(Self.with(nil, at: member, document), dialect, isAnswer: false).isEmpty)
    }

    @Test("The samples have all blocks, and an answer for another time needs neither its weather of now nor minutes")
    func good() throws {
        func lost(_ document: JSONValue, _ dialect: String, _ time: ForecastQuery.Moment? = nil) throws -> Set<String> {
            let names = try Self.missing(document, dialect, time).compactMap { $0.split(separator: " ").first }
            return Set(names.map(String.init)).intersection(["currently", "minutely", "hourly", "daily"])
        }
        for dialect in ForecastDialect.all.map(\.name) {
            #expect(try lost(Self.sample(dialect), dialect).isEmpty, "\(dialect)")
        }
        for (dialect, members) in [
            ("openMeteo", ["current", "minutely_15"]), ("weatherKit", ["currentWeather", "forecastNextHour"]),
        ] {
            let past = try members.reduce(Self.sample(dialect)) { Self.with(nil, at: $1, $0) }
            #expect(try lost(past, dialect, .unix(1_767_297_600)).isEmpty, "\(dialect)")
        }
    }

    @Test("A block without points is missing, and one that cannot be read is dropped alone")
    func empty() throws {
        let document = try Self.sample("darkSky")
        for value: JSONValue in [["data": []], [:], ["points": [["time": 1]]]] {
            let missing = try Self.missing(Self.with(value, at: "daily", document), "darkSky")
            #expect(missing.contains("daily -"), "\(value)")
        }
        #expect(try !Self.missing(Self.with("none today", at: "daily", document), "darkSky").contains("daily -"))
    }

    /// Returns the value with every time of the sample of Open-Meteo in milliseconds, as numbers or as texts.
    private static func inMilliseconds(_ value: JSONValue, asText: Bool) -> JSONValue {
        switch value {
        case .array(let elements): .array(elements.map { inMilliseconds($0, asText: asText) })
        case .object(let members):
            .object(members.map { JSONValue.Member($0.key, inMilliseconds($0.value, asText: asText)) })
        default:
            if let time = value.intValue, time > 1_000_000_000 {
                asText ? .string("\(time * 1000)") : .number("\(time * 1000)")
            } else {
                value
            }
        }
    }

    @Test("Times of Open-Meteo in milliseconds lose no value, and are reported", arguments: [false, true])
    func milliseconds(asText: Bool) throws {
        let document = try Self.sample("openMeteo"), dialect = ForecastDialect.openMeteo
        let query = ForecastQuery(latitude: 37.8267, longitude: -122.4233)
        let right = try dialect.normalize(document.bytes, answering: query)
        let wrong = try dialect.normalize(Self.inMilliseconds(document, asText: asText).bytes, answering: query)
        #expect(wrong.shaped().body == right.shaped().body)
        let coerced = wrong.drift.entries.filter { $0.reason == .milliseconds }
        #expect(coerced.allSatisfy { $0.kind == .coerced })
        #expect(
            Set(coerced.map(\.path)) == [
                "currently.time", "minutely.data[].time", "hourly.data[].time", "daily.data[].time",
                "daily.data[].sunriseTime", "daily.data[].sunsetTime",
            ])
    }

    @Test(
        "Dates whose order of day and month nothing tells are named, in the report and in the error",
        arguments: ["29/11/2026 18:00", "29.11.2026", "1-2-26", "29/11"])
    func ambiguousDates(_ date: String) throws {
        let query = ForecastQuery(latitude: 1, longitude: 2)
        func openMeteo(_ block: String) -> [UInt8] {
            let columns = #""temperature_2m":[1],"temperature_2m_max":[1]"#
            return Array(#"{"timezone":"GMT","\#(block)":{"time":["\#(date)"],\#(columns)}}"#.utf8)
        }
        for block in ["hourly", "daily"] {
            let entries = try ForecastDialect.openMeteo.normalize(openMeteo(block)).drift.entries
            let drift = entries.map { "\($0.kind) \($0.path) \($0.reason)" }
            #expect(drift.contains("dropped \(block).data[].time ambiguousDate"))
            let error = #expect(throws: ContractError.self) {
                try ForecastDialect.openMeteo.normalize(openMeteo(block), answering: query)
            }
            let text = "the document: ambiguousDate, expected times in unix seconds or ISO 8601"
            #expect(error.map { "\($0)".hasPrefix(text) && "\($0)".hasSuffix(" at \(block).time[0]") } == true)
        }
        let now = #"{"timezone":"GMT","current":{"time":"\#(date)","temperature_2m":1}}"#
        let cases: [(ForecastDialect, String, end: String)] = [
            (.openMeteo, now, " at current"), (.darkSky, Self.hour(date), " at hourly.data[0]"),
        ]
        for (dialect, text, end) in cases {
            let error = #expect(throws: ContractError.self) {
                try dialect.normalize(Array(text.utf8), answering: query)
            }
            #expect(error.map { "\($0)".hasSuffix(end) } == true, "\(String(describing: error))")
        }
    }

    private static func hour(_ date: String) -> String {
        #"{"latitude":1,"longitude":2,"timezone":"GMT","hourly":{"data":[{"time":"\#(date)","temperature":1}]}}"#
    }
}
