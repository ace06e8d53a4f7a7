import CivilDates
import JSONText
import LenientCoding

/// A value in an upstream's form, which is read and never written.
protocol WireValue: FieldValue {}

extension WireValue {
    /// Writes `null`; only the protocol requires this.
    func write(to writer: inout JSONWriter, style: WritingStyle) { writer.writeNull() }
}

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
        guard let list = ConvertedList<Wire>.read(node, rules, &reader) else { return nil }
        if !list.models.isEmpty || node.count == 0 { return UsableList(models: list.models) }
        // Read once more, it fails with the reasons for which its elements were dropped.
        return ConvertedList<Wire>.read(node, .none, &reader).map { UsableList(models: $0.models) }
    }
}

/// A date of Mastodon, compatible servers or Twitter v2: ISO 8601 with any fraction or zone, a day alone, or unix seconds
/// in a number or a string.
struct ISODate: WireValue {
    let time: UnixSeconds

    /// The years 0001 to 9999, which ISO 8601 can write.
    private static let writable = -62_135_596_800.0..<253_402_300_800

    static func readPlain(_ node: JSONNode, _ rules: FieldRules) -> ISODate? {
        guard let seconds = seconds(of: node), writable.contains(seconds) else { return nil }
        return ISODate(time: UnixSeconds(seconds))
    }

    static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> ISODate? {
        readPlain(node, rules) ?? reader.fail(seconds(of: node) == nil ? .mistyped : .implausible)
    }

    private static func seconds(of node: JSONNode) -> Double? {
        // Without a string, normalizing a search of Twitter v2 takes 2 % fewer instructions.
        let timestamp =
            node.kind == .string
            ? ISO8601Timestamp(node.text.span) : node.string.flatMap { ISO8601Timestamp($0.utf8.span) }
        if let instant = timestamp?.instant { return Double(instant.seconds) + instant.fraction }
        return node.double ?? node.numericStringAsDouble
    }
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

/// An option of Twitter's polls: v2 has `label` for the text, v1.1 sometimes `count` for the votes.
struct WirePollOption: Record {
    var option = PollOption()

    static let schema = Schema<WirePollOption> {
        Field("position", \.option.position)
        Field("text", \.option.text, .or("label"))
        Field("votes", \.option.votes, .or("count"))
    }
}

extension FieldRule {
    /// The limit of a tweet's entities and media: more than a text of 280 characters can have.
    static let entityLimit = FieldRule.atMost(500)
}

extension Media {
    /// Twitter's names of types that the contract calls otherwise.
    static let twitterNames = ["animated_gif": "animatedGif"]

    /// Sets the type from the upstream's name for it; other types than the contract's stay, and are reported.
    mutating func setType(
        _ name: String?, renaming names: [String: String] = Self.twitterNames, _ reader: inout RecordReader
    ) {
        type = name.map { OpenEnum(names[$0] ?? $0) }
        if case .unknown = type { reader.at("type") { $0.note(.unrecognized, .unknownValue) } }
    }
}

extension String {
    /// Replaces http with https in a URL; upstreams serve their images under both.
    mutating func useSecureScheme() {
        let plain: StaticString = "http://"
        guard utf8.span.holds(plain, at: 0) else { return }
        self = "https://" + self[utf8.index(startIndex, offsetBy: plain.utf8CodeUnitCount)...]
    }
}

extension JSONValue {
    /// The value in the form of answers: numbers as records write them, and no null members.
    var cleaned: JSONValue { isClean ? self : makeClean() }

    private var isClean: Bool {
        switch self {
        case .array(let elements): elements.allSatisfy(\.isClean)
        case .object(let members): members.allSatisfy { !$0.value.isNull && $0.value.isClean }
        default: !isFractional
        }
    }

    private func makeClean() -> JSONValue {
        switch self {
        case .array(let elements): .array(elements.map { $0.makeClean() })
        case .object(let members):
            .object(members.filter { !$0.value.isNull }.map { Member($0.key, $0.value.makeClean()) })
        default: withPlainNumbers
        }
    }
}
