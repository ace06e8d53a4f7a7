import Foundation

extension TweetTime {
    /// Reads a Twitter date, for any decoder's custom strategy.
    @Sendable
    static func date(_ decoder: any Decoder) throws -> Date {
        let container = try decoder.singleValueContainer()
        guard let seconds = seconds(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no date")
        }
        return Date(timeIntervalSince1970: seconds)
    }

    /// Writes ISO 8601, for any encoder's custom strategy.
    @Sendable
    static func encode(_ date: Date, _ encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text(date.timeIntervalSince1970))
    }
}
