import Foundation
import LenientCoding

/// Our coders set up as Foundation's are, with the same closures for the dates.
struct LenientCoders {
    var decoder = LenientDecoder()
    var encoder = CompactEncoder()

    /// For Twitter.
    static var twitter: LenientCoders {
        var coders = LenientCoders()
        coders.decoder.keyDecodingStrategy = .convertFromSnakeCase
        coders.decoder.dateDecodingStrategy = .custom(TweetTime.date)
        coders.encoder.keyEncodingStrategy = .convertToSnakeCase
        coders.encoder.dateEncodingStrategy = .custom(TweetTime.encode)
        return coders
    }

    /// For Dark Sky.
    static var darkSky: LenientCoders {
        var coders = LenientCoders()
        coders.decoder.dateDecodingStrategy = .secondsSince1970
        coders.encoder.dateEncodingStrategy = .secondsSince1970
        return coders
    }
}
