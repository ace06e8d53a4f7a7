public import JSONText

/// An object whose keys are data, and stay as they are: `{"hrrr_0-18": "2026-02-06 19Z"}`.
///
/// Its values are scalars and lists. Absent ones are left out, and of a key that comes twice the last one counts.
///
///     struct Flags: Record {
///         var sourceTimes: OpenMap?
///         static let schema = Schema<Flags> { Field(\.sourceTimes) }
///     }
public struct OpenMap: FieldValue, Hashable {
    /// The keys and values in the order in which the keys were first met.
    public var members: [JSONValue.Member]

    /// A map of these members.
    ///
    ///     OpenMap([JSONValue.Member("hrrr_0-18", "2026-02-06 19Z")])
    public init(_ members: [JSONValue.Member] = []) { self.members = members }

    /// An object of any keys.
    public static func schema(in components: inout SchemaComponents) -> JSONValue { .schema(ofType: "object") }

    /// Reads an object; nested objects in it are dropped and counted.
    public static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> OpenMap? {
        guard node.kind == .object else { return reader.fail(.mistyped) }
        return OpenMap(reader.openMembers(of: node, rules))
    }

    /// Writes the members in their order.
    public func write(to writer: inout JSONWriter, style: WritingStyle) {
        JSONValue.object(members).write(to: &writer, style: style)
    }
}
