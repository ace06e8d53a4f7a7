import Foundation
import LenientCoding
import TestSupport
import Testing

/// The articles' models as written there read their own documents, and recorded ones, equally with default settings.
@Suite("The articles' models and documents with both decoders")
struct SeedDocumentTests {
    @Test("A forecast from a dictionary, with nested containers, and in a struct for each level")
    func forecasts() throws {
        for text in [SeedForecasts.document, SeedHours.document] + recorded("darksky") {
            expectSame(SeedForecasts.Flat.self, text)
            expectSame(SeedForecasts.Nested.self, text)
            let (ours, foundations) = try objects(text)
            let models = [ours, foundations].map { SeedForecasts.FromDictionary($0 as? [String: Any] ?? [:]) }
            #expect(models[0] == models[1], "\(text.prefix(80))")
            #expect(SeedHours.Forecast(json: ours) == SeedHours.Forecast(json: foundations), "\(text.prefix(80))")
        }
        let flat = try SuiteCoder.lenient.decode(SeedForecasts.Flat.self, SeedForecasts.document)
        #expect(flat.temperature == 53.72 && flat.precipProbability == 0 && flat.summaryDescription == "Mostly Cloudy")
        let hours = try #require(SeedHours.Forecast(json: objects(SeedHours.document).ours))
        #expect(hours.hourData.map(\.windSpeed) == [5, 6])
    }

    @Test("A tweet and the tweet that it quotes, with dates, colours and both kinds of keys")
    func tweets() throws {
        for text in [SeedTweets.document] + recorded("twitter-v1.1") {
            expectSame(SeedTweets.SnakeTweet.self, text) { $0.dates(.twitter) }
            expectSame(SeedTweets.Tweet.self, text) { $0.dates(.twitter).snakeCase }
            expectSame([SeedTweets.Tweet].self, text) { $0.dates(.twitter).snakeCase }
            expectSame(SeedTweets.Tweet.self, text) { $0.snakeCase }
        }
        let coder = SuiteCoder.lenient.dates(.twitter).snakeCase
        let tweet = try coder.decode(SeedTweets.Tweet.self, SeedTweets.document)
        #expect(tweet.createdAt.timeIntervalSince1970 == 1_459_175_953)
        #expect(tweet.user.profileBackgroundColor.green == 222.0 / 255)
        let foundations = SuiteCoder.foundation.dates(.twitter).snakeCase
        #expect(try coder.encode(tweet) == foundations.encode(tweet))
        #expect(try foundations.encode(coder.roundTrip(tweet)) == foundations.encode(tweet))
    }

    @Test("Collections with invalid elements, values of any type, and raw keys")
    func helpers() throws {
        for text in [SeedHelpers.collections, SeedHelpers.anything, SeedHelpers.rawKeys] {
            expectSame(SeedHelpers.Collections.self, text)
            expectSame(SeedHelpers.RawKeys.self, text)
            expectSame(SeedHelpers.InferredTypes.self, text)
        }
        let ours = SuiteCoder.lenient, foundations = SuiteCoder.foundation
        let properties = try ours.decode(SeedHelpers.AnyProperties.self, SeedHelpers.anything)
        #expect(try properties == foundations.decode(SeedHelpers.AnyProperties.self, SeedHelpers.anything))
        let calls = try ours.decode(SeedHelpers.AnyCalls.self, SeedHelpers.anything)
        #expect(
            NSDictionary(dictionary: calls.dictionary)
                == NSDictionary(dictionary: properties.dictionary.mapValues(\.value)))
        #expect(try ours.encode(properties) == foundations.encode(properties))
        #expect(try ours.encode(calls) == foundations.encode(properties))
        let collections = try ours.decode(SeedHelpers.Collections.self, SeedHelpers.collections)
        #expect(collections.array == [1, 0, 3] && collections.dictionary.map(\.key) == ["one", "three"])
    }

    @Test("Another library's JSON, and its models inside of Codable models and around them")
    func bridges() throws {
        for text in [SeedBridges.document, SeedHelpers.anything, SeedHelpers.collections] + recorded("darksky") {
            let ours = try SuiteCoder.lenient.decode(SeedBridges.JSON.self, text)
            #expect(try ours == SuiteCoder.foundation.decode(SeedBridges.JSON.self, text), "\(text.prefix(80))")
        }
        let lists = try [SuiteCoder.lenient, .foundation].map { coder in
            try SeedBridges.$coder.withValue(coder) {
                try coder.decode(SeedBridges.UserList.self, SeedBridges.document)
            }
        }
        #expect(lists[0] == lists[1])
        #expect(lists[0].users.map(\.code) == ["42", "0"] && lists[0].users.map(\.yes) == ["true", "false"])
    }

    /// Returns the texts of the recorded documents in a folder; empty without a corpus.
    private func recorded(_ folder: String) -> [String] {
        Checkout.sharedFiles("corpus/\(folder)").map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    /// Returns the objects that AnyCodable and JSONSerialization make from a document; nil from one that is not JSON.
    private func objects(_ text: String) throws -> (ours: Any, foundations: Any) {
        let ours = try? SuiteCoder.lenient.decode(AnyCodable.self, text).value
        let foundations = try? JSONSerialization.jsonObject(with: Data(text.utf8))
        #expect((ours == nil) == (foundations == nil), "\(text.prefix(80))")
        return (ours ?? 0, foundations ?? 0)
    }

    /// Expects equal values, or equal errors at equal paths.
    private func expectSame<Value: Decodable>(
        _ type: Value.Type, _ text: String, _ configure: (SuiteCoder) -> SuiteCoder = { $0 }
    ) {
        let results = [SuiteCoder.lenient, .foundation].map { coder in
            do {
                return "\(try configure(coder).decode(type, text))"
            } catch let error as DecodingError {
                return description(of: error)
            } catch {
                return "\(error)"
            }
        }
        // Foundation's errors for numbers that do not fit have no path.
        let isCorrupt = results.allSatisfy { $0.hasPrefix("dataCorrupted") }
        #expect(results[0] == results[1] || isCorrupt, "\(type): \(text.prefix(80))")
    }
}
