import Foundation

/// Foundation's coders as one would set them up for a document.
struct FoundationCoders {
    let decoder = JSONDecoder()
    let encoder = JSONEncoder()
    /// Reads what the contestants write.
    let answerDecoder = JSONDecoder()

    /// For Twitter: snake case keys there and back, and its dates read and written by hand, since a DateFormatter would be slower by far.
    static var twitter: FoundationCoders {
        let coders = FoundationCoders()
        coders.decoder.keyDecodingStrategy = .convertFromSnakeCase
        coders.encoder.keyEncodingStrategy = .convertToSnakeCase
        coders.decoder.dateDecodingStrategy = .custom(TweetTime.date)
        coders.encoder.dateEncodingStrategy = .custom(TweetTime.encode)
        coders.encoder.outputFormatting = .withoutEscapingSlashes
        // It leaves camelCase, in which records answer, as it is.
        coders.answerDecoder.keyDecodingStrategy = .convertFromSnakeCase
        coders.answerDecoder.dateDecodingStrategy = .iso8601
        return coders
    }

    /// For Dark Sky there and back.
    static var darkSkyBothWays: FoundationCoders {
        let coders = darkSky
        coders.answerDecoder.keyDecodingStrategy = .useDefaultKeys
        return coders
    }

    /// For Dark Sky: dates as the seconds they are.
    static var darkSky: FoundationCoders {
        let coders = FoundationCoders()
        coders.decoder.dateDecodingStrategy = .secondsSince1970
        coders.encoder.dateEncodingStrategy = .secondsSince1970
        coders.answerDecoder.dateDecodingStrategy = .secondsSince1970
        // Of the keys of Dark Sky that the contract spells otherwise, the model has this one.
        coders.answerDecoder.keyDecodingStrategy = .custom { path in
            let key = path[path.count - 1].stringValue
            return AnswerKey(stringValue: key == "nearestStation" ? "nearest-station" : key)
        }
        coders.encoder.outputFormatting = .withoutEscapingSlashes
        return coders
    }
}

/// Any key.
private struct AnswerKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
