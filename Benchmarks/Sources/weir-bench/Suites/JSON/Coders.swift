import Foundation
import LenientCoding

/// Foundation's coders, configured as an application would for each document.
struct FoundationCoders {
    let decoder = JSONDecoder()
    let encoder = JSONEncoder()
    /// Reads the output of the contestants.
    let answerDecoder = JSONDecoder()

    /// Coders for Twitter: snake case keys, and hand-written date functions, because a DateFormatter is much slower.
    static var twitter: FoundationCoders {
        let coders = FoundationCoders()
        coders.decoder.keyDecodingStrategy = .convertFromSnakeCase
        coders.encoder.keyEncodingStrategy = .convertToSnakeCase
        coders.decoder.dateDecodingStrategy = .custom(TweetTime.date)
        coders.encoder.dateEncodingStrategy = .custom(TweetTime.encode)
        coders.encoder.outputFormatting = .withoutEscapingSlashes
        // This strategy also reads the camelCase keys that records write.
        coders.answerDecoder.keyDecodingStrategy = .convertFromSnakeCase
        coders.answerDecoder.dateDecodingStrategy = .iso8601
        return coders
    }

    /// Coders for Dark Sky that read what they write.
    static var darkSkyBothWays: FoundationCoders {
        let coders = darkSky
        coders.answerDecoder.keyDecodingStrategy = .useDefaultKeys
        return coders
    }

    /// Coders for Dark Sky: dates are seconds since 1970.
    static var darkSky: FoundationCoders {
        let coders = FoundationCoders()
        coders.decoder.dateDecodingStrategy = .secondsSince1970
        coders.encoder.dateEncodingStrategy = .secondsSince1970
        coders.answerDecoder.dateDecodingStrategy = .secondsSince1970
        // The contract spells this key of the model in camelCase.
        coders.answerDecoder.keyDecodingStrategy = .custom { path in
            let key = path[path.count - 1].stringValue
            return AnswerKey(stringValue: key == "nearestStation" ? "nearest-station" : key)
        }
        coders.encoder.outputFormatting = .withoutEscapingSlashes
        return coders
    }
}

/// A coding key with any text.
private struct AnswerKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

/// Our coders with the configuration of `FoundationCoders`.
struct LenientCoders {
    var decoder = LenientDecoder()
    var encoder = CompactEncoder()

    /// Coders for Twitter.
    static var twitter: LenientCoders {
        var coders = LenientCoders()
        coders.decoder.keyDecodingStrategy = .convertFromSnakeCase
        coders.decoder.dateDecodingStrategy = .custom(TweetTime.date)
        coders.encoder.keyEncodingStrategy = .convertToSnakeCase
        coders.encoder.dateEncodingStrategy = .custom(TweetTime.encode)
        return coders
    }

    /// Coders for Dark Sky.
    static var darkSky: LenientCoders {
        var coders = LenientCoders()
        coders.decoder.dateDecodingStrategy = .secondsSince1970
        coders.encoder.dateEncodingStrategy = .secondsSince1970
        return coders
    }
}
