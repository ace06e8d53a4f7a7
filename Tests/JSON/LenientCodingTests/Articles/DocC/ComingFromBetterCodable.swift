import Foundation
import LenientCoding
import Testing

/// The code of the article ComingFromBetterCodable.
enum ComingFromBetterCodable {
    enum Level: String, Codable { case member, editor, unknown }

    struct Profile: Codable {
        @Lossless var id: String
        @Lossy var tags: [String]
        @Lossy var scores: [Int: Double]
        @Lossy @Lossless var friends: [Int]
        @FallbackFalse @Lossless var isVerified: Bool
        @FallbackEmpty var links: [URL]
        @Fallback<UnknownLevel> var level: Level
        @FallbackNil var website: URL?
        @Coded<ISO8601> var createdAt: Date
        @Coded<YearMonthDay> var birthday: Date
        @Coded<Base64> var key: Data
    }

    enum UnknownLevel: DefaultValueProvider {
        static var defaultValue: Level { .unknown }
    }

    enum YearMonthDay: FixedDateStrategy {
        static let format: FixedDateFormat = "yyyy-MM-dd"
    }
}

@Suite("Coming from BetterCodable")
struct ComingFromBetterCodableTests {
    @Test("The model reads what the article says", arguments: Coder.allCases)
    func model(coder: Coder) throws {
        let profile = try coder.decode(
            ComingFromBetterCodable.Profile.self,
            """
            {"id": 12, "tags": ["a", 7], "scores": {"1": 0.5, "2": [], "x": 1}, "friends": [1, "2", "x"],
             "isVerified": "1", "links": {}, "level": "owner", "website": 7, "createdAt": "2016-03-28T14:39:13.5Z", "birthday": "1990-12-01", "key": "AQI="}
            """)
        #expect(profile.id == "12" && profile.tags == ["a"] && profile.scores == [1: 0.5])
        #expect(profile.isVerified && profile.friends == [1, 2] && profile.$friends.errors.count == 1)
        #expect(profile.links.isEmpty && profile.level == .unknown && profile.website == nil)
        #expect(profile.key == Data([1, 2]))
        let written = try coder.encode(profile)
        #expect(written.contains(#""birthday":"1990-12-01""#) && written.contains(#""id":"12""#))
        #expect(profile.$tags.errors.count == 1 && profile.$level.error != nil)
    }

    @Test("@Default… takes no value that does not decode", arguments: Coder.allCases)
    func defaults(coder: Coder) throws {
        struct Model: Codable { @DefaultFalse var isVerified: Bool }
        #expect(try !coder.decode(Model.self, #"{"isVerified":null}"#).isVerified)
        #expect(errorPath { try coder.decode(Model.self, #"{"isVerified":[]}"#) } == "isVerified")
    }
}
