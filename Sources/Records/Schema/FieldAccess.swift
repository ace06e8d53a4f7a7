public import JSONText

/// How one field is read, cleared and written at its place inside a record, where a switch does not do it.
///
/// Made by `FieldValue.access` where the field's type is known, so that what it does is specialised for that type.
///
///     let access: FieldAccess = UnixSeconds.access(rules)
public struct FieldAccess: Sendable {
    /// Reads into the field; false when the value cannot be read, the field then being as it was or blank.
    @usableFromInline let read: @Sendable (JSONNode, UnsafeMutableRawPointer, inout RecordReader) -> Bool
    /// Makes an optional field absent.
    @usableFromInline let clear: @Sendable (UnsafeMutableRawPointer) -> Void
    /// Writes the key it is given, and the value; nothing when the field is absent, which is told.
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
}

/// A field's access as a table keeps it: what a class holds is called without counting a reference to it.
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
    /// Access to a field of this type.
    @inlinable
    public static func access(_ rules: FieldRules) -> FieldAccess {
        FieldAccess(
            read: { node, field, reader in
                guard let value = Self.read(node, rules, &reader) else { return false }
                field.assumingMemoryBound(to: Self.self).pointee = value
                return true
            },
            clear: { _ in },
            write: { field, key, writer, style in
                writer.write(raw: key)
                field.assumingMemoryBound(to: Self.self).pointee.write(to: &writer, style: style)
                return true
            })
    }

    /// Access to a field of this type that may be absent.
    @inlinable
    public static func optionalAccess(_ rules: FieldRules) -> FieldAccess {
        FieldAccess(
            read: { node, field, reader in
                guard let value = Self.read(node, rules, &reader) else { return false }
                field.assumingMemoryBound(to: Self?.self).pointee = value
                return true
            },
            clear: { $0.assumingMemoryBound(to: Self?.self).pointee = nil },
            write: { field, key, writer, style in
                guard let value = field.assumingMemoryBound(to: Self?.self).pointee else { return false }
                writer.write(raw: key)
                value.write(to: &writer, style: style)
                return true
            })
    }
}

extension Record {
    /// Access to a record inside a record: filled and written in place.
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

    /// Access to a record inside a record that may be absent: filled and written in place.
    ///
    /// The payload of an optional lies where the optional does; `FieldLine` checks that it does when the table is built.
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
