import Foundation
import LenientCoding
import Testing

/// The code of the article ComingFromCodability.
enum ComingFromCodability {
    struct Game: Codable {
        var scores: [Int]
        var names: [String: String]
        var rounds: Int?
        var details: [String: Any]

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: RawCodingKey.self)
            scores = try container.decodeElements([Int].self, forKey: "scores", invalidElementStrategy: .fallback(0))
            names = try container.decodeValues("names", invalidElementStrategy: .remove)
            rounds = try container.decodeIfPresent("rounds")
            details = try container.decodeUntyped("details")
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: RawCodingKey.self)
            try container.encode(scores, forKey: "scores")
            try container.encode(names, forKey: "names")
            try container.encodeIfPresent(rounds, forKey: "rounds")
            try container.encodeUntyped(details, forKey: "details")
        }
    }

    struct ShortGame: Codable {
        @Lossy var names: [String: String]
        var rounds: Int?
        var details: [String: AnyCodable]
    }
}

@Suite("Coming from Codability")
struct ComingFromCodabilityTests {
    private let document = """
        {"details":{"level":53,"tags":["a",null]},"names":{"a":"Ann","b":7},"rounds":null,"scores":[1,"x",3]}
        """

    @Test("The hand-written model reads and writes as the article says", arguments: Coder.allCases)
    func handWritten(coder: Coder) throws {
        let game = try coder.decode(ComingFromCodability.Game.self, document)
        #expect(game.scores == [1, 0, 3] && game.names == ["a": "Ann"] && game.rounds == nil)
        #expect(game.details["level"] as? Int == 53 && game.details["level"] as? Double == 53)
        let again = try coder.decode(JSONValue.self, coder.encode(game))
        #expect(again["details"]?["tags"] == ["a", nil])
    }

    @Test("The short model reads the same without code", arguments: Coder.allCases)
    func short(coder: Coder) throws {
        let game = try coder.decode(ComingFromCodability.ShortGame.self, document)
        #expect(game.names == ["a": "Ann"] && game.details["level"] == 53)
        #expect(game.$names.errors.count == 1)
    }
}
