import API
import ContractsSupport
import Contracts
import Records
import Testing

@Suite("Forecast fixtures")
struct ForecastFixtureTests {
    @Test("Each case gives the expected body and drift, byte for byte", arguments: ForecastDialect.all.map(\.name))
    func cases(dialect name: String) throws {
        let dialect = try #require(ForecastDialect.named(name))
        #expect(try Fixture.faults(in: name) { Answer(of: $0, in: dialect) } == [])
    }

    @Test(
        "A normalized document has no null and no sentinel, and normalizing it again as Dark Sky's gives the same bytes",
        arguments: ["darkSky", "pirateWeather", "weatherKit"])
    func idempotent(dialect name: String) throws {
        let dialect = try #require(ForecastDialect.named(name))
        for fixture in try Fixture.all(in: name) where fixture.expected.error == nil {
            let once = try dialect.normalize(fixture.input).shaped().body
            let twice = try ForecastDialect.darkSky.normalize(once).shaped().body
            #expect(String(decoding: twice, as: UTF8.self) == String(decoding: once, as: UTF8.self), "\(fixture.name)")
            let inventory = try Inventory(of: once)
            #expect(inventory.nulls == 0 && inventory.sentinels == 0, "\(fixture.name)")
        }
    }

    @Test("A document that is cut off at any byte is an error", arguments: ["darkSky", "pirateWeather"])
    func truncated(dialect name: String) throws {
        let dialect = try #require(ForecastDialect.named(name))
        for fixture in try Fixture.all(in: name) where fixture.expected.error == nil {
            let read = (0..<fixture.input.count).filter { length in
                Answer(of: Array(fixture.input[..<length]), in: dialect).error == nil
            }
            #expect(read == [], "\(fixture.name)")
        }
    }

    private static func repeated(_ text: String) -> String {
        Array(repeating: text, count: 20_000).joined(separator: ",")
    }

    private static let long: [(dialect: String, text: String)] = [
        ("darkSky", #"{"latitude":1,"longitude":2,"timezone":"x","hourly":{"data":[\#(repeated("{}"))]}}"#),
        ("darkSky", #"{"latitude":1,"longitude":2,"timezone":"x","hourly":{"data":[\#(repeated(#"{"time":1}"#))]}}"#),
        ("darkSky", #"{"latitude":1,"longitude":2,"timezone":"x","currently":{"time":1,\#(repeated(#""a":{}"#))}}"#),
        (
            "openMeteo",
            #"{"latitude":1,"longitude":2,"timezone":"x","hourly":{"time":[\#(repeated("1"))],"temperature_2m":[\#(repeated("1"))]}}"#
        ),
        ("weatherKit", #"{"forecastHourly":{"hours":[{\#(repeated(#""a":{}"#))}]}}"#),
    ]

    @Test("A document is normalized completely or not at all, whenever the time passes", arguments: long.indices)
    func expired(_ index: Int) throws {
        let (name, text) = Self.long[index]
        let dialect = try #require(ForecastDialect.named(name))
        let bytes = Array(text.utf8)
        #expect(Expiry.faults { try dialect.normalize(bytes, options: $0).shaped() } == [])
    }
}

extension Answer {
    /// Normalizes `document` as a forecast.
    init(of document: [UInt8], in dialect: ForecastDialect) { self.init { try dialect.normalize(document).shaped() } }
}
