public import JSONText

/// A record that lies elsewhere than in the record that holds it, which may so be small, or hold one of its own kind.
///
///     struct Comment: Record {
///         var text = "", answer: Indirect<Comment>?
///         static let schema = Schema<Comment> {
///             Field(\.text)
///             Field(\.answer)
///         }
///     }
public struct Indirect<Value: Record>: FieldValue {
    // Both unchecked: the record changes only until its box is given away.
    @usableFromInline
    final class Box: @unchecked Sendable {
        @exclusivity(unchecked) @usableFromInline var value: Value

        @inlinable
        init(_ value: consuming Value) { self.value = value }
    }

    @usableFromInline let box: Box

    /// Puts `value` elsewhere.
    ///
    ///     let alert = Indirect(Alert())
    @inlinable
    public init(_ value: consuming Value) { box = Box(value) }

    /// Makes a blank elsewhere, and fills it there.
    @inlinable
    package init(filling fill: (inout Value) -> Void) {
        box = Box(Value())
        fill(&box.value)
    }

    /// The record, of which what is not asked for is not copied.
    ///
    ///     Indirect(Alert()).value.title  // ""
    @inlinable public var value: Value { _read { yield box.value } }

    /// What the record takes.
    public static var expectation: String { Value.expectation }

    /// The record's fields.
    public static var members: FieldMembers { Value.members }

    /// Reads the record.
    public static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> Indirect? {
        let record = Indirect(Value())
        return reader.fill(&record.box.value, from: node) ? record : nil
    }

    /// Writes the record from where it is.
    public func write(to writer: inout JSONWriter, style: WritingStyle) {
        withUnsafePointer(to: &box.value) { Value.schema.table.write($0, to: &writer, style: style) }
    }

    /// The record's schema.
    public static func schema(in components: inout SchemaComponents) -> JSONValue { Value.schema(in: &components) }
}

extension Indirect: Codable {
    /// Reads the record.
    public init(from decoder: any Decoder) throws { self.init(try Value(from: decoder)) }

    /// Writes the record.
    public func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}
