import LenientCoding

extension TwitterRecords {
    /// What stands in a tweet's text.
    struct Entities: Record {
        var hashtags: [Hashtag] = []
        var symbols: [Hashtag] = []
        var urls: [Link] = []
        var userMentions: [Mention] = []
        var media: [Media]?

        static let schema = Schema<Entities> {
            Field(\.hashtags)
            Field(\.symbols)
            Field(\.urls)
            Field(\.userMentions, .or("user_mentions"))
            Field(\.media)
        }
    }

    /// A word after a hash.
    struct Hashtag: Record {
        var text = ""
        var indices: [Int] = []

        static let schema = Schema<Hashtag> {
            Field(\.text)
            Field(\.indices)
        }
    }

    /// A link in a text.
    struct Link: Record {
        var url = ""
        var expandedUrl = ""
        var displayUrl = ""
        var indices: [Int] = []

        static let schema = Schema<Link> {
            Field(\.url)
            Field(\.expandedUrl, .or("expanded_url"))
            Field(\.displayUrl, .or("display_url"))
            Field(\.indices)
        }
    }

    /// A user in a text.
    struct Mention: Record {
        var screenName = ""
        var name = ""
        var id = 0
        var idStr = ""
        var indices: [Int] = []

        static let schema = Schema<Mention> {
            Field(\.screenName, .or("screen_name"))
            Field(\.name)
            Field(\.id)
            Field(\.idStr, .or("id_str"))
            Field(\.indices)
        }
    }

    /// A picture in a tweet.
    struct Media: Record {
        var id = 0
        var idStr = ""
        var indices: [Int] = []
        var mediaUrl = ""
        var mediaUrlHttps = ""
        var url = ""
        var displayUrl = ""
        var expandedUrl = ""
        var type = ""
        var sizes = Sizes()
        var sourceStatusId: Int?
        var sourceStatusIdStr: String?

        static let schema = Schema<Media> {
            Field(\.id)
            Field(\.idStr, .or("id_str"))
            Field(\.indices)
            Field(\.mediaUrl, .or("media_url"))
            Field(\.mediaUrlHttps, .or("media_url_https"))
            Field(\.url)
            Field(\.displayUrl, .or("display_url"))
            Field(\.expandedUrl, .or("expanded_url"))
            Field(\.type)
            Field(\.sizes)
            Field(\.sourceStatusId, .or("source_status_id"))
            Field(\.sourceStatusIdStr, .or("source_status_id_str"))
        }
    }

    /// The sizes in which a picture can be had.
    struct Sizes: Record {
        var medium = Size()
        var small = Size()
        var thumb = Size()
        var large = Size()

        static let schema = Schema<Sizes> {
            Field(\.medium)
            Field(\.small)
            Field(\.thumb)
            Field(\.large)
        }
    }

    /// One size of a picture.
    struct Size: Record {
        var w = 0
        var h = 0
        var resize = ""

        static let schema = Schema<Size> {
            Field(\.w)
            Field(\.h)
            Field(\.resize)
        }
    }
}
