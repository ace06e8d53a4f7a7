// Unsafe: passes the address of the boxed record to its table for the duration of a call.
public import JSONText

/// A record on the heap.
///
/// It keeps the record that holds it small, and allows a record to hold one of its own type.
///
///     struct Comment: Record {
///         var text = "", answer: Indirect<Comment>?
///         static let schema = Schema<Comment> {
///             Field(\.text)
///             Field(\.answer)
///         }
///     }
public struct Indirect<Value: Record>: FieldValue {
    // Unchecked, both: the value changes only before the box is shared.
    @usableFromInline
    final class Box: @unchecked Sendable {
        @exclusivity(unchecked) @usableFromInline var value: Value

        @inlinable
        init(_ value: consuming Value) { self.value = value }
    }

    @usableFromInline let box: Box

    /// Moves `value` to the heap.
    @inlinable
    public init(_ value: consuming Value) { box = Box(value) }

    /// Makes a blank on the heap and fills it there.
    @inlinable
    package init(filling fill: (inout Value) -> Void) {
        box = Box(Value())
        fill(&box.value)
    }

    /// Changes the record in its place, before it is shared.
    @inlinable
    package func change<Result>(_ body: (inout Value) -> Result) -> Result { body(&box.value) }

    /// The record, read without copying it.
    @inlinable public var value: Value { _read { yield box.value } }

    /// The record's expectation.
    public static var expectation: String { Value.expectation }

    /// The record's fields.
    public static var members: FieldMembers { Value.members }

    /// Reads the record.
    public static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> Indirect? {
        let record = blank()
        return reader.fill(&record.box.value, from: node) ? record : nil
    }

    /// A blank on the heap.
    ///
    /// Not inlined, so that the blank on its way to the heap takes no stack while the records inside it are read.
    @inline(never)
    private static func blank() -> Indirect { Indirect(Value()) }

    /// Writes the record without copying it.
    public func write(to writer: inout JSONWriter, style: WritingStyle) {
        withUnsafePointer(to: &box.value) { Value.schema.table.write($0, to: &writer, style: style) }
    }

    /// The record's schema.
    public static func schema(in components: inout SchemaComponents) -> JSONValue { Value.schema(in: &components) }
}

extension Indirect: Codable {
    /// Decodes the record.
    public init(from decoder: any Decoder) throws { self.init(try Value(from: decoder)) }

    /// Encodes the record.
    public func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}
