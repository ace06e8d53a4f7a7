// Unsafe: reads and writes one field at its address inside a record. A table calls an access only with the address of the
// field that it was made for, and the field is initialised at every call.
public import JSONText

/// Reads, clears and writes one field at its address in a record, for types that the switches of a table do not know.
///
/// `FieldValue.access` makes it where the field's type is known, so that the closures are specialised for that type.
public struct FieldAccess: Sendable {
    /// Reads into the field.
    ///
    /// Returns false if the value cannot be read; the field then keeps its value or is blank.
    @usableFromInline let read: @Sendable (JSONNode, UnsafeMutableRawPointer, inout RecordReader) -> Bool
    /// Sets an optional field to nil.
    @usableFromInline let clear: @Sendable (UnsafeMutableRawPointer) -> Void
    /// Writes the given key and the value.
    ///
    /// Returns false, without writing anything, if the field is absent.
    @usableFromInline
    let write: @Sendable (UnsafeRawPointer, UnsafeBufferPointer<UInt8>, inout JSONWriter, WritingStyle) -> Bool

    @inlinable
    init(
        read: @escaping @Sendable (JSONNode, UnsafeMutableRawPointer, inout RecordReader) -> Bool,
        clear: @escaping @Sendable (UnsafeMutableRawPointer) -> Void,
        write:
            @escaping @Sendable (UnsafeRawPointer, UnsafeBufferPointer<UInt8>, inout JSONWriter, WritingStyle) -> Bool
    ) {
        self.read = read
        self.clear = clear
        self.write = write
    }

    /// The access to a field of type `Value` that stores what `read` returns.
    @inlinable
    @inline(__always)
    static func present<Value: FieldValue>(
        _ type: Value.Type, read: @escaping @Sendable (JSONNode, inout RecordReader) -> Value?
    ) -> FieldAccess {
        FieldAccess(
            read: { node, field, reader in
                guard let value = read(node, &reader) else { return false }
                field.assumingMemoryBound(to: Value.self).pointee = value
                return true
            },
            clear: { _ in },
            write: { field, key, writer, style in
                writer.write(raw: key)
                field.assumingMemoryBound(to: Value.self).pointee.write(to: &writer, style: style)
                return true
            })
    }

    /// The access to an optional field of type `Value` that stores what `read` returns.
    @inlinable
    @inline(__always)
    static func optional<Value: FieldValue>(
        _ type: Value.Type, read: @escaping @Sendable (JSONNode, inout RecordReader) -> Value?
    ) -> FieldAccess {
        FieldAccess(
            read: { node, field, reader in
                guard let value = read(node, &reader) else { return false }
                field.assumingMemoryBound(to: Value?.self).pointee = value
                return true
            },
            clear: { $0.assumingMemoryBound(to: Value?.self).pointee = nil },
            write: { field, key, writer, style in
                guard let value = field.assumingMemoryBound(to: Value?.self).pointee else { return false }
                writer.write(raw: key)
                value.write(to: &writer, style: style)
                return true
            })
    }
}

/// An access in a table.
///
/// Calling a closure through a class that is not retained costs no reference counting.
final class TabledAccess: Sendable {
    private let access: FieldAccess

    init(_ access: FieldAccess) { self.access = access }

    @inline(__always)
    func read(_ node: JSONNode, _ field: UnsafeMutableRawPointer, _ reader: inout RecordReader) -> Bool {
        access.read(node, field, &reader)
    }

    func clear(_ field: UnsafeMutableRawPointer) { access.clear(field) }

    @inline(__always)
    func write(
        _ field: UnsafeRawPointer, _ key: UnsafeBufferPointer<UInt8>, _ writer: inout JSONWriter, _ style: WritingStyle
    ) {
        _ = access.write(field, key, &writer, style)
    }
}

extension FieldValue {
    /// The access that stores the result of `read(_:_:_:)`.
    @inlinable
    public static func access(_ rules: FieldRules) -> FieldAccess {
        .present(Self.self) { read($0, rules, &$1) }
    }

    /// The access that stores the result of `read(_:_:_:)` in an optional.
    @inlinable
    public static func optionalAccess(_ rules: FieldRules) -> FieldAccess {
        .optional(Self.self) { read($0, rules, &$1) }
    }
}

extension Record {
    /// The access to a nested record, which is filled and written in place.
    @inlinable
    public static func access(_ rules: FieldRules) -> FieldAccess {
        FieldAccess(
            read: { node, field, reader in
                field.assumingMemoryBound(to: Self.self).pointee = Self()
                return reader.fill(field, by: Self.schema.table, from: node)
            },
            clear: { _ in },
            write: { field, key, writer, style in
                writer.write(raw: key)
                Self.schema.table.write(field, to: &writer, style: style)
                return true
            })
    }

    /// The access to an optional nested record, which is filled and written in place.
    ///
    /// Swift stores the payload of an optional at the optional's own address.
    @inlinable
    public static func optionalAccess(_ rules: FieldRules) -> FieldAccess {
        FieldAccess(
            read: { node, field, reader in
                field.assumingMemoryBound(to: Self?.self).pointee = .some(Self())
                if reader.fill(field, by: Self.schema.table, from: node) { return true }
                field.assumingMemoryBound(to: Self?.self).pointee = nil
                return false
            },
            clear: { $0.assumingMemoryBound(to: Self?.self).pointee = nil },
            write: { field, key, writer, style in
                if field.assumingMemoryBound(to: Self?.self).pointee == nil { return false }
                writer.write(raw: key)
                Self.schema.table.write(field, to: &writer, style: style)
                return true
            })
    }
}
