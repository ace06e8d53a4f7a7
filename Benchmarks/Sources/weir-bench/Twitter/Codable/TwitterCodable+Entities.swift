extension TwitterCodable {
    /// What stands in a tweet's text.
    struct Entities: Codable {
        var hashtags: [Hashtag]
        var symbols: [Hashtag]
        var urls: [Link]
        var userMentions: [Mention]
        var media: [Media]?
    }

    /// A word after a hash.
    struct Hashtag: Codable {
        var text: String
        var indices: [Int]
    }

    /// A link in a text.
    struct Link: Codable {
        var url: String
        var expandedUrl: String
        var displayUrl: String
        var indices: [Int]
    }

    /// A user in a text.
    struct Mention: Codable {
        var screenName: String
        var name: String
        var id: Int
        var idStr: String
        var indices: [Int]
    }

    /// A picture in a tweet.
    struct Media: Codable {
        var id: Int
        var idStr: String
        var indices: [Int]
        var mediaUrl: String
        var mediaUrlHttps: String
        var url: String
        var displayUrl: String
        var expandedUrl: String
        var type: String
        var sizes: Sizes
        var sourceStatusId: Int?
        var sourceStatusIdStr: String?
    }

    /// The sizes in which a picture can be had.
    struct Sizes: Codable {
        var medium: Size
        var small: Size
        var thumb: Size
        var large: Size
    }

    /// One size of a picture.
    struct Size: Codable {
        var w: Int
        var h: Int
        var resize: String
    }
}
