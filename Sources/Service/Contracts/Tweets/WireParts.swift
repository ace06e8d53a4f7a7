import API
import JSONText
import Records

/// A list whose elements are converted as soon as they are read, each in its place in the array.
struct ConvertedList<Wire: WireRecord>: WireValue {
    let models: [Wire.Model]

    static var expectation: String { [Wire].expectation }

    static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> ConvertedList? {
        reader.fillElements(of: node, rules, expected: Wire.expectation, blank: Wire.Model.init) {
            Wire.read($0, into: &$1, &$2)
        }.map { ConvertedList(models: $0) }
    }
}

/// A list of which at least one element must be usable, if it has any: the whole answer of an upstream.
struct UsableList<Wire: WireRecord>: WireValue {
    let models: [Wire.Model]

    static var expectation: String { [Wire].expectation }

    static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> UsableList? {
        usable(of: node, rules, &reader) { ConvertedList<Wire>.read(node, $0, &$1)?.models }.map {
            UsableList(models: $0)
        }
    }
}

/// Returns the elements of a list that `read` finds usable; nil, with the failures recorded, if the list has elements and
/// none is usable.
func usable<Element>(
    of list: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader,
    _ read: (FieldRules, inout RecordReader) -> [Element]?
) -> [Element]? {
    guard let elements = read(rules, &reader) else { return nil }
    if !elements.isEmpty || list.count == 0 { return elements }
    // Read once more, the list fails with the reasons for which its elements were dropped.
    return read(.none, &reader)
}

/// A GeoJSON point, or `geo` of Twitter v1.1, which has the latitude first.
struct WirePoint: Record {
    var coordinates: [Double] = []

    static let schema = Schema<WirePoint> {
        Field("coordinates", \.coordinates, .atMost(2))
        Ignored("type")
    }

    /// Returns the point; nil, and reported, if it is not on the Earth.
    func model(latitudeAt index: Int, _ reader: inout RecordReader) -> Coordinates? {
        guard coordinates.count == 2, (-90...90).contains(coordinates[index]),
            (-180...180).contains(coordinates[1 - index])
        else {
            reader.note(.dropped, .implausible)
            return nil
        }
        var point = Coordinates()
        point.latitude = coordinates[index]
        point.longitude = coordinates[1 - index]
        return point
    }
}

/// A poll: v1.1 has no id, Mastodon has other names.
struct WirePoll: WirePart {
    private var poll = Poll(), options: [Option]?, endTime: WireDate?
    var id: WireID?

    static let schema = Schema<WirePoll> {
        Field("id", \.id)
        Field("options", \.options, .dropInvalid)
        Field("end_datetime", \.endTime, .or("expires_at"))
        Field("duration_minutes", \.poll.durationMinutes)
        Ignored(
            "emojis", "expired", "multiple", "non_anonymous", "own_votes", "pleroma", "voted", "voters_count",
            "votes_count", "voting_status")
    }

    var model: Poll {
        var poll = poll
        poll.options = options?.map(\.option)
        poll.endTime = endTime?.time
        return poll
    }

    /// v2 has `label` for the text, v1.1 sometimes `count` for the votes.
    private struct Option: Record {
        var option = PollOption()

        static let schema = Schema<Option> {
            Field("position", \.option.position)
            Field("text", \.option.text, .or("label", "title"))
            Field("votes", \.option.votes, .or("count", "votes_count"))
        }
    }
}

/// A place, of which Pixelfed sends the name and the country alone.
struct WirePlace: WirePart {
    private var place = Place()
    private(set) var id: WireID?

    static let schema = Schema<WirePlace> {
        Field("id", \.id)
        Field("name", \.place.name)
        Field("full_name", \.place.fullName)
        Field("place_type", \.place.placeType)
        Field("country", \.place.country)
        Field("country_code", \.place.countryCode)
        Field("bounding_box", \.place.boundingBox, .or("geo"))
        Ignored(
            "attributes", "contained_within", "centroid", "coordinates", "geometry", "lat", "long", "place_id",
            "polylines", "slug", "url", "vendor_info")
    }

    var model: Place {
        var place = place
        place.id = id?.text
        place.boundingBox = place.boundingBox?.cleaned
        return place
    }
}

/// A part of a tweet that can have an id.
protocol WirePart: Record {
    var id: WireID? { get }
}

/// A part to which tweets refer, which must have an id.
struct Identified<Part: WirePart>: WireValue {
    let id: String, part: Part

    static var expectation: String { Part.expectation }

    static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> Identified? {
        guard let part = Part.read(node, rules, &reader) else { return nil }
        return part.id.map { Identified(id: $0.text, part: part) } ?? reader.fail(.invalid)
    }
}

/// A file of a video; `bit_rate` is that of v2.
struct WireVariant: Record {
    var variant = MediaVariant()

    static let schema = Schema<WireVariant> {
        Field("bitrate", \.variant.bitrate, .or("bit_rate"))
        Field("content_type", \.variant.contentType)
        Field("url", \.variant.url, .address)
    }
}

/// A photo, a video or a sound of Twitter v2 or Mastodon, which have its file at `url`.
struct WireFile: WirePart {
    private var media = Media(), type: String?, remoteURL: String?, preview: String?
    private var seconds: Double?, variants: [WireVariant]?
    private var number: WireID?, key: String?

    var id: WireID? { number ?? key.map(WireID.text) }

    static let schema = Schema<WireFile> {
        // Two keys of a property, and no spellings of one: each has its own path in reports.
        Field("id", \.number)
        Field("media_key", \.key, .id)
        Field("type", \.type)
        Field("url", \.media.url, .address)
        Field("remote_url", \.remoteURL, .address)
        Field("preview_url", \.preview, .address)
        Field("preview_image_url", \.preview, .address)
        Field("description", \.media.altText)
        Field("alt_text", \.media.altText)
        Field("width", \.media.width)
        Field("height", \.media.height)
        Field("duration_ms", \.media.durationMillis)
        Field("variants", \.variants, .dropInvalid)
        Field("meta.original.width", \.media.width)
        Field("meta.original.height", \.media.height)
        Field("meta.original.duration", \.seconds)
        Ignored("aspect", "bitrate", "focus_rects", "frame_rate", "size", in: "meta.original")
        Ignored(
            "aspect", "audio_bitrate", "audio_channels", "audio_encode", "colors", "duration", "focus", "fps", "height",
            "length", "size", "small", "width", in: "meta")
        Ignored(
            "blurhash", "filter_class", "filter_name", "is_nsfw", "license", "mime", "non_public_metrics",
            "optimized_url", "organic_metrics", "orientation", "pleroma", "preview_remote_url", "promoted_metrics",
            "public_metrics", "text_url")
    }

    /// Returns the contract's media; nil, and reported, without an id.
    func model(_ reader: inout RecordReader) -> Media? {
        guard let id = reader.identified(id) else { return nil }
        var media = media
        media.id = id
        media.setType(type, &reader)
        media.url = media.url ?? remoteURL ?? preview
        media.url?.useSecureScheme()
        if media.type == .known(.audio) { media.previewUrl = preview }
        media.previewUrl?.useSecureScheme()
        if let seconds, (0...1e9).contains(seconds) { media.durationMillis = Int((seconds * 1000).rounded()) }
        media.variants = variants?.map(\.variant)
        return media
    }
}

extension RecordReader {
    /// Returns the id of the current object; nil, and reported, without one.
    mutating func identified(_ id: WireID?) -> String? {
        if id == nil { note(.dropped, .invalid) }
        return id?.text
    }
}

extension FieldRule {
    /// The limit of a tweet's entities and media: more than a text of 280 characters can have.
    static let entityLimit = FieldRule.atMost(500)

    /// White space alone is no address.
    static let address = FieldRule.absent("", " ", "  ", "\t", "\n")
}
