public import JSONText

/// An object whose keys are data and keep their spelling: `{"hrrr_0-18": "2026-02-06 19Z"}`.
///
/// Its values are scalars and lists. Sentinels are left out, and the last value of a duplicate key counts.
///
///     struct Flags: Record {
///         var sourceTimes: OpenMap?
///         static let schema = Schema<Flags> { Field(\.sourceTimes) }
///     }
public struct OpenMap: FieldValue, Hashable {
    /// The members, in the order in which the keys first appeared.
    public var members: [JSONValue.Member]

    /// A map of the given members.
    public init(_ members: [JSONValue.Member] = []) { self.members = members }

    /// The schema of an object with any keys.
    public static func schema(in components: inout SchemaComponents) -> JSONValue { .schema(ofType: "object") }

    /// Members whose keys are data.
    public static var members: FieldMembers { .anything }

    /// Reads an object; nested objects are dropped and counted.
    public static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> OpenMap? {
        guard node.kind == .object else { return reader.fail(.mistyped) }
        return OpenMap(reader.openMembers(of: node, rules))
    }

    /// Writes the members in order.
    public func write(to writer: inout JSONWriter, style: WritingStyle) {
        JSONValue.object(members).write(to: &writer, style: style)
    }
}
