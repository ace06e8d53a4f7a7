import Foundation

/// Foundation's coders as one would set them up for a document.
struct FoundationCoding {
    let decoder = JSONDecoder()
    let encoder = JSONEncoder()
    /// Reads what the contestants write.
    let answerDecoder = JSONDecoder()

    /// For Twitter: snake case keys, and its dates read and written by hand, since a DateFormatter would be slower by far.
    static var twitter: FoundationCoding {
        let coding = FoundationCoding()
        coding.decoder.keyDecodingStrategy = .convertFromSnakeCase
        coding.decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            guard let seconds = TweetTime.seconds(try container.decode(String.self)) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "no date")
            }
            return Date(timeIntervalSince1970: seconds)
        }
        coding.encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(TweetTime.text(date.timeIntervalSince1970))
        }
        coding.encoder.outputFormatting = .withoutEscapingSlashes
        coding.answerDecoder.dateDecodingStrategy = .iso8601
        return coding
    }

    /// For Dark Sky: dates as the seconds they are.
    static var darkSky: FoundationCoding {
        let coding = FoundationCoding()
        coding.decoder.dateDecodingStrategy = .secondsSince1970
        coding.encoder.dateEncodingStrategy = .secondsSince1970
        coding.answerDecoder.dateDecodingStrategy = .secondsSince1970
        // Of the keys of Dark Sky that the contract spells otherwise, the model has this one.
        coding.answerDecoder.keyDecodingStrategy = .custom { path in
            let key = path[path.count - 1].stringValue
            return AnswerKey(stringValue: key == "nearestStation" ? "nearest-station" : key)
        }
        coding.encoder.outputFormatting = .withoutEscapingSlashes
        return coding
    }
}

/// Any key.
private struct AnswerKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
