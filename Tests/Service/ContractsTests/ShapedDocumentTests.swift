import Contracts
import LenientCoding
import TestSupport
import Testing

/// Documents that are normalized once and shaped several times.
@Suite("Shaped documents")
struct ShapedDocumentTests {
    private static let forecastForms: [Shaping] = {
        var excluding = Shaping(units: .us)
        excluding.excluded = [.hourly, .flags]
        var darkSky = Shaping(units: nil, dates: .iso8601)
        (darkSky.units, darkSky.darkSky) = (.automatic, .documented)
        return [Shaping(), Shaping(units: .uk2, dates: .iso8601), excluding, darkSky, Shaping()]
    }()

    @Test("A forecast gives in each form the bytes of one that is normalized for it alone", arguments: Dialect.all)
    func forecasts(dialect: Dialect) async throws {
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

    @Test("Tweets give in each form the bytes of those that are normalized for it alone", arguments: TweetDialect.all)
    func tweets(dialect: TweetDialect) async throws {
        let fixtures = try Fixture.all(in: dialect.name).map { ($0.name, $0.input) }
        #expect(!fixtures.isEmpty)
        var unix = TweetShaping(), texts = TweetShaping()
        unix.dates = .unix
        texts.fields = try FieldSelection(of: Tweet.self, paths: ["id", "fullText"])
        let forms = [TweetShaping(), unix, texts, TweetShaping()]
        let faults = await RecordedTweets.queue.run {
            (fixtures + RecordedTweets.all.map { ($0.name, $0.bytes) }).filter { _, bytes in
                guard let document = try? dialect.normalize(bytes) else { return false }
                return forms.contains { form in
                    let (shaped, alone) = (document.shaped(form), try? dialect.normalize(bytes).shaped(form))
                    return shaped.body != alone?.body || shaped.nextMaxId != alone?.nextMaxId
                }
            }.map(\.0)
        }
        #expect(faults == [])
    }
}
