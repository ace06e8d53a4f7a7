import Contracts
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

    /// White space alone is no address.
    static let address = FieldRule.absent("", " ", "  ", "\t", "\n")
}
