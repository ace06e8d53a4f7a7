// Unsafe: reads and writes one field at its address inside a record. A table calls an access only with the address of the
// field that it was made for, and the field is initialised at every call.
public import JSONText

/// Reads, clears and writes one field at its address in a record, for types that the switches of a table do not know.
///
/// `FieldValue.access` makes it where the field's type is known, so that the closures are specialised for that type.
public struct FieldAccess: Sendable {
    /// Reads a value that needs no notes into the field; returns false, and leaves the field as it is, for any other.
    @usableFromInline let readPlain: @Sendable (JSONNode, UnsafeMutableRawPointer) -> Bool
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
    let write: @Sendable (UnsafeRawPointer, PaddedText, inout JSONWriter, WritingStyle) -> Bool

    @inlinable
    init(
        readPlain: @escaping @Sendable (JSONNode, UnsafeMutableRawPointer) -> Bool = { _, _ in false },
        read: @escaping @Sendable (JSONNode, UnsafeMutableRawPointer, inout RecordReader) -> Bool,
        clear: @escaping @Sendable (UnsafeMutableRawPointer) -> Void,
        write: @escaping @Sendable (UnsafeRawPointer, PaddedText, inout JSONWriter, WritingStyle) -> Bool
    ) {
        self.readPlain = readPlain
        self.read = read
        self.clear = clear
        self.write = write
    }
}

/// An access in a table.
///
/// Calling a closure through a class that is not retained costs no reference counting.
final class TabledAccess: Sendable {
    private let access: FieldAccess

    init(_ access: FieldAccess) { self.access = access }

    @inline(__always)
    func readPlain(_ node: JSONNode, _ field: UnsafeMutableRawPointer) -> Bool { access.readPlain(node, field) }

    @inline(__always)
    func read(_ node: JSONNode, _ field: UnsafeMutableRawPointer, _ reader: inout RecordReader) -> Bool {
        access.read(node, field, &reader)
    }

    func clear(_ field: UnsafeMutableRawPointer) { access.clear(field) }

    @inline(__always)
    func write(
        _ field: UnsafeRawPointer, _ key: PaddedText, _ writer: inout JSONWriter, _ style: WritingStyle
    ) {
        _ = access.write(field, key, &writer, style)
    }
}

extension FieldValue {
    /// The access that stores the result of `read(_:_:_:)`.
    @inlinable
    public static func access(_ rules: FieldRules, isOptional: Bool) -> FieldAccess {
        FieldAccess(
            readPlain: { node, field in store(readPlain(node, rules), at: field, isOptional) },
            read: { node, field, reader in store(read(node, rules, &reader), at: field, isOptional) },
            clear: { clear($0, isOptional) },
            write: { field, key, writer, style in write(at: field, isOptional, key, to: &writer, style) })
    }

    /// Stores a value that could be read in a field of this type; returns whether there is one.
    @inlinable @inline(__always)
    static func store(_ value: Self?, at field: UnsafeMutableRawPointer, _ isOptional: Bool) -> Bool {
        guard let value else { return false }
        if isOptional {
            field.assumingMemoryBound(to: Self?.self).pointee = value
        } else {
            field.assumingMemoryBound(to: Self.self).pointee = value
        }
        return true
    }

    /// Sets an optional field of this type to nil.
    @inlinable @inline(__always)
    static func clear(_ field: UnsafeMutableRawPointer, _ isOptional: Bool) {
        if isOptional { field.assumingMemoryBound(to: Self?.self).pointee = nil }
    }

    /// Writes a field of this type with its key; returns false if it is nil.
    ///
    /// Swift stores the payload of an optional at the optional's own address. There it is written without a copy.
    @inlinable @inline(__always)
    static func write(
        at field: UnsafeRawPointer, _ isOptional: Bool, _ key: PaddedText, to writer: inout JSONWriter,
        _ style: WritingStyle
    ) -> Bool {
        if isOptional, field.assumingMemoryBound(to: Self?.self).pointee == nil { return false }
        writer.write(key)
        field.assumingMemoryBound(to: Self.self).pointee.write(to: &writer, style: style)
        return true
    }
}

extension Record {
    /// The access to a nested record, which is filled and written in place.
    @inlinable
    public static func access(_ rules: FieldRules, isOptional: Bool) -> FieldAccess {
        inPlace(isOptional) { node, field, reader in reader.fill(field, by: schema.table, from: node) }
    }

    /// The access to a field that `fill` fills in place, after it was set to a blank.
    ///
    /// Swift stores the payload of an optional at the optional's own address.
    @inlinable
    static func inPlace(
        _ isOptional: Bool,
        _ fill: @escaping @Sendable (JSONNode, UnsafeMutableRawPointer, inout RecordReader) -> Bool
    ) -> FieldAccess {
        FieldAccess(
            read: { node, field, reader in
                if isOptional {
                    field.assumingMemoryBound(to: Self?.self).pointee = .some(Self())
                } else {
                    field.assumingMemoryBound(to: Self.self).pointee = Self()
                }
                if fill(node, field, &reader) { return true }
                clear(field, isOptional)
                return false
            },
            clear: { clear($0, isOptional) },
            write: { field, key, writer, style in
                if isOptional, field.assumingMemoryBound(to: Self?.self).pointee == nil { return false }
                writer.write(key)
                schema.table.write(field, to: &writer, style: style)
                return true
            })
    }
}
