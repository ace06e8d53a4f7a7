import Contracts
import LenientCoding
import Testing

@Suite("Forecast fixtures")
struct ForecastFixtureTests {
    @Test("Each case gives the expected body and drift, byte for byte", arguments: Dialect.all.map(\.name))
    func cases(dialect name: String) throws {
        let dialect = try #require(Dialect.named(name))
        try Fixture.check(all: name) { Answer(of: $0, in: dialect) }
    }

    @Test(
        "A normalized document has no null and no sentinel, and normalizing it again as Dark Sky's gives the same bytes",
        arguments: ["darkSky", "pirateWeather", "weatherKit"])
    func idempotent(dialect name: String) throws {
        let dialect = try #require(Dialect.named(name))
        for fixture in try Fixture.all(in: name) where fixture.expected.error == nil {
            let once = try dialect.normalize(fixture.input).shaped().body
            let twice = try Dialect.darkSky.normalize(once).shaped().body
            #expect(String(decoding: twice, as: UTF8.self) == String(decoding: once, as: UTF8.self), "\(fixture.name)")
            let inventory = try Inventory(of: once)
            #expect(inventory.nulls == 0 && inventory.sentinels == 0, "\(fixture.name)")
        }
    }

    @Test("A document that is cut off at any byte is an error", arguments: ["darkSky", "pirateWeather"])
    func truncated(dialect name: String) throws {
        let dialect = try #require(Dialect.named(name))
        for fixture in try Fixture.all(in: name) where fixture.expected.error == nil {
            let read = (0..<fixture.input.count).filter { length in
                Answer(of: Array(fixture.input[..<length]), in: dialect).error == nil
            }
            #expect(read == [], "\(fixture.name)")
        }
    }
}
