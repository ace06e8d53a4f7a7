import API
import ContractsSupport
import Contracts
import Records
import TestSupport
import Testing

/// Forecasts that are normalized once and shaped several times.
@Suite("Forecast documents")
struct ForecastDocumentTests {
    private static let forecastForms: [Shaping] = {
        var excluding = Shaping(units: .us)
        excluding.excluded = [.hourly, .flags]
        var darkSky = Shaping(units: nil, dates: .iso8601)
        (darkSky.units, darkSky.darkSky) = (.automatic, .documented)
        return [Shaping(), Shaping(units: .uk2, dates: .iso8601), excluding, darkSky, Shaping()]
    }()

    @Test(
        "A forecast gives in each form the bytes of one that is normalized for it alone", arguments: ForecastDialect.all
    )
    func forecasts(dialect: ForecastDialect) async throws {
        let fixtures = try Fixture.all(in: dialect.name).map { ($0.name, $0.input) }
        #expect(!fixtures.isEmpty)
        let faults = await RecordedForecasts.queue.run {
            (fixtures + RecordedForecasts.all.map { ($0.name, $0.bytes) }).filter { _, bytes in
                guard let document = try? dialect.normalize(bytes) else { return false }
                return Self.forecastForms.contains { form in
                    let (shaped, alone) = (document.shaped(form), try? dialect.normalize(bytes).shaped(form))
                    return shaped.body != alone?.body || shaped.drift.json != alone?.drift.json
                }
            }.map(\.0)
        }
        #expect(faults == [])
    }
}
