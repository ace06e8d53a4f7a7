// Unsafe: loads fields at the offsets that `RecordTable` checked when it was built, from a record that outlives the call.
public import JSONText

extension RecordTable {
    /// Writes the record at the given address as an object.
    @usableFromInline
    func write(_ record: UnsafeRawPointer, to writer: inout JSONWriter, style: WritingStyle) {
        let start = writer.count
        if let selection = style.selection {
            write(selection.root, of: record, to: &writer, style: style)
        } else {
            presentFields(of: record).forEach { write($0, of: record, to: &writer, style: style) }
            if takesOthers { write(othersOf: record, to: &writer) { _ in style } }
        }
        // Every key starts with a comma; the bracket replaces the first one.
        if writer.count == start {
            writer.write(raw: "{}")
        } else {
            writer.overwrite(at: start, with: UInt8(ascii: "{"))
            writer.write(byte: UInt8(ascii: "}"))
        }
    }

    @inline(__always)
    private func write(
        _ index: Int, of record: UnsafeRawPointer, to writer: inout JSONWriter, style: WritingStyle
    ) {
        let slot = slots + index
        let field = slot.pointee.address(in: record)
        @inline(__always) func load<Value>(_ type: Value.Type) -> Value {
            field.assumingMemoryBound(to: type).pointee
        }
        switch slot.pointee.layout {
        case .optionalDouble:
            guard let value = load(Double?.self) else { return }
            writer.write(slot.pointee.key)
            write(value, index, to: &writer, style)
        case .double:
            writer.write(slot.pointee.key)
            write(load(Double.self), index, to: &writer, style)
        case .optionalSeconds:
            guard let seconds = load(Double?.self) else { return }
            writer.write(slot.pointee.key)
            Self.write(seconds: seconds, to: &writer, style)
        case .seconds:
            writer.write(slot.pointee.key)
            Self.write(seconds: load(Double.self), to: &writer, style)
        case .optionalInt:
            guard let value = load(Int?.self) else { return }
            writer.write(slot.pointee.key)
            writer.write(Int64(value))
        case .int:
            writer.write(slot.pointee.key)
            writer.write(Int64(load(Int.self)))
        case .optionalBool:
            guard let value = load(Bool?.self) else { return }
            writer.write(slot.pointee.key)
            writer.write(value)
        case .bool:
            writer.write(slot.pointee.key)
            writer.write(load(Bool.self))
        case .optionalString:
            if field.assumingMemoryBound(to: String?.self).pointee == nil { return }
            writer.write(slot.pointee.key)
            // The payload of an optional is at the optional's address; `if let` would retain a copy of the string.
            writer.write(field.assumingMemoryBound(to: String.self).pointee)
        case .string:
            writer.write(slot.pointee.key)
            writer.write(field.assumingMemoryBound(to: String.self).pointee)
        case .composite:
            let key = slot.pointee.key
            withAccess(to: index) { $0.write(field, key, &writer, style) }
        }
    }

    @inline(__always)
    private func write(
        _ value: Double, _ index: Int, to writer: inout JSONWriter, _ style: WritingStyle
    ) {
        guard let conversion = style.conversion, let step = conversion[slots[index].dimension]
        else { return writer.write(value) }
        step.write(value, to: &writer)
    }

    @inline(__always)
    private static func write(seconds: Double, to writer: inout JSONWriter, _ style: WritingStyle) {
        if style.dates == .unix {
            if let whole = Int64(exactly: seconds) { return writer.write(whole) }
            return writer.write(seconds)
        }
        UnixSeconds(seconds).write(to: &writer, style: style)
    }

    private func write(
        othersOf record: UnsafeRawPointer, to writer: inout JSONWriter,
        style: (_ key: String) -> WritingStyle?
    ) {
        for member in others(of: record) {
            guard let style = style(member.key) else { continue }
            writer.write(byte: UInt8(ascii: ","))
            writer.write(member.key)
            writer.write(byte: UInt8(ascii: ":"))
            member.value.write(to: &writer, style: style)
        }
    }

    /// Writes the selected part of the record.
    @inline(never)
    private func write(
        _ part: FieldPart, of record: UnsafeRawPointer, to writer: inout JSONWriter, style: WritingStyle
    ) {
        presentFields(of: record).forEach { index in
            guard let style = style.within(part.fields[index]) else { return }
            write(index, of: record, to: &writer, style: style)
        }
        guard takesOthers else { return }
        write(othersOf: record, to: &writer) { key in
            style.within(part.extent(of: CamelCase.convert(key)).union(part.extent(of: key)))
        }
    }
}
