import JSONText

/// How one field is read, cleared and written at its place inside a record.
///
/// This file, `RecordReader` and `RecordTable` are the ones of this module that touch memory directly.
struct FieldCoding: Sendable {
    let storage: FieldStorage
    let isOptional: Bool
    let expectation: String
    /// Reads into the field; false when the value cannot be read, the field then being as it was.
    let read: @Sendable (JSONNode, FieldRules, UnsafeMutableRawPointer, inout RecordReader) -> Bool
    /// Makes an optional field absent.
    let clear: @Sendable (UnsafeMutableRawPointer) -> Void
    /// Whether there is something to write.
    let isPresent: @Sendable (UnsafeRawPointer) -> Bool
    let write: @Sendable (UnsafeRawPointer, inout JSONWriter) -> Void

    init<Value: FieldValue>(_ type: Value.Type, isOptional: Bool) {
        storage = type.storage
        self.isOptional = isOptional
        expectation = type.expectation
        if isOptional {
            read = { node, rules, field, reader in
                guard let value = Value.read(node, rules, &reader) else { return false }
                field.assumingMemoryBound(to: Value?.self).pointee = value
                return true
            }
            clear = { $0.assumingMemoryBound(to: Value?.self).pointee = nil }
            isPresent = { $0.assumingMemoryBound(to: Value?.self).pointee != nil }
            write = { field, writer in field.assumingMemoryBound(to: Value?.self).pointee?.write(to: &writer) }
        } else {
            read = { node, rules, field, reader in
                guard let value = Value.read(node, rules, &reader) else { return false }
                field.assumingMemoryBound(to: Value.self).pointee = value
                return true
            }
            clear = { _ in }
            isPresent = { _ in true }
            write = { field, writer in field.assumingMemoryBound(to: Value.self).pointee.write(to: &writer) }
        }
    }
}
