import Foundation
import LenientCoding
import Testing

/// The code of the first page of the documentation.
enum Overview {
    struct Hashtag: Codable, Equatable { var text: String }
    struct Coordinates: Codable { var latitude: Double, longitude: Double }

    struct Tweet: Codable {
        var id: UInt64
        var text: String
        @Coded<TwitterDate> var createdAt: Date
        @Lossy var hashtags: [Hashtag]
        @DefaultFalse var isQuote: Bool
        @FallbackNil var coordinates: Coordinates?
    }

    enum TwitterDate: FixedDateStrategy {
        static let format: FixedDateFormat = "EEE MMM dd HH:mm:ss Z yyyy"
    }
}

@Suite("The first page of the documentation")
struct OverviewTests {
    @Test("The model reads an untidy tweet", arguments: Coder.allCases)
    func tweet(coder: Coder) throws {
        let tweet = try coder.decode(
            Overview.Tweet.self,
            """
            {"id": 1, "text": "a", "createdAt": "Mon Mar 28 14:39:13 +0000 2016", "hashtags": [{"text": "b"}, 7],
             "coordinates": "none"}
            """)
        #expect(tweet.hashtags == [.init(text: "b")] && !tweet.isQuote && tweet.coordinates == nil)
    }
}
