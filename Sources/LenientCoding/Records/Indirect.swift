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
public struct Indirect<Value: Record>: FieldValue, @unchecked Sendable {
    /// The place of a record.
    // Sendable unchecked: the record changes only until the place is given away.
    @usableFromInline
    final class Box: ManagedBuffer<Void, Value> {
        @usableFromInline
        static func make(_ value: consuming Value) -> Box {
            let box = unsafeDowncast(create(minimumCapacity: 1) { _ in }, to: Box.self)
            box.place.initialize(to: value)
            return box
        }

        @usableFromInline var place: UnsafeMutablePointer<Value> { withUnsafeMutablePointerToElements { $0 } }

        deinit { place.deinitialize(count: 1) }
    }

    @usableFromInline let box: Box

    /// Puts `value` elsewhere.
    ///
    ///     let alert = Indirect(Alert())
    @inlinable
    public init(_ value: consuming Value) { box = .make(value) }

    /// Makes a blank elsewhere, and fills it there.
    @inlinable
    package init(filling fill: (inout Value) -> Void) {
        box = .make(Value())
        fill(&box.place.pointee)
    }

    /// The record, of which what is not asked for is not copied.
    ///
    ///     Indirect(Alert()).value.title  // ""
    @inlinable public var value: Value { _read { yield box.place.pointee } }

    /// What the record takes.
    public static var expectation: String { Value.expectation }

    /// The record's fields.
    public static var members: FieldMembers { Value.members }

    /// Reads the record.
    public static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> Indirect? {
        let record = Indirect(Value())
        return reader.fill(&record.box.place.pointee, from: node) ? record : nil
    }

    /// Writes the record from where it is.
    public func write(to writer: inout JSONWriter, style: WritingStyle) {
        Value.schema.table.write(box.place, to: &writer, style: style)
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
