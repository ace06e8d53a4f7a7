import JSONText

/// One field as the reader and the writer use it.
final class RecordSlot: Sendable {
    let name: String
    /// `,"name":`, so that writing a key is one copy; without the comma for the first field.
    let key: [UInt8]
    let offset: Int
    let storage: FieldStorage
    let isOptional: Bool
    let isRequired: Bool
    let coding: FieldCoding
    let rules: FieldRules

    /// What the field takes, as a person would say it.
    var expectation: String {
        guard let range = rules.plausible else { return coding.expectation }
        var writer = JSONWriter()
        writer.write(range.lowerBound)
        writer.write(raw: " to ")
        writer.write(range.upperBound)
        return "\(coding.expectation) from \(String(decoding: writer.bytes, as: UTF8.self))"
    }

    init<Root: Record>(_ line: FieldLine<Root>, common: [FieldRule]) {
        var rules = FieldRules()
        rules.isRequired = !line.coding.isOptional
        for rule in common + line.rules { rule.apply(&rules) }
        name = line.name
        key = Array(",\"\(line.name)\":".utf8)
        offset = line.offset
        storage = line.coding.storage
        isOptional = line.coding.isOptional
        isRequired = rules.isRequired
        coding = line.coding
        self.rules = rules
    }
}

/// A set of fields of one table.
struct FieldSet {
    static let capacity = 128
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    var isEmpty: Bool { low | high == 0 }

    func contains(_ index: Int) -> Bool { (index < 64 ? low >> index : high >> (index - 64)) & 1 == 1 }

    mutating func insert(_ index: Int) {
        if index < 64 { low |= 1 << index } else { high |= 1 << (index - 64) }
    }

    mutating func remove(_ index: Int) {
        if index < 64 { low &= ~(1 << index) } else { high &= ~(1 << (index - 64)) }
    }

    func subtracting(_ other: FieldSet) -> FieldSet {
        var rest = self
        rest.low &= ~other.low
        rest.high &= ~other.high
        return rest
    }
}

/// The table behind a `Schema`: slots in the order of the output, and a hash without collisions from input key to slot.
final class RecordTable: Sendable {
    let slots: [RecordSlot]
    let required: FieldSet
    /// The slot that takes what no other slot knows.
    let others: RecordSlot?
    private let keys: KeyIndex

    init<Root: Record>(_ lines: [FieldLine<Root>], common: [FieldRule]) {
        slots = lines.filter { !$0.takesUnknownKeys }.map { RecordSlot($0, common: common) }
        others = lines.first { $0.takesUnknownKeys }.map { RecordSlot($0, common: common) }
        precondition(slots.count <= FieldSet.capacity, "\(Root.self) has more than \(FieldSet.capacity) fields")
        var required = FieldSet()
        for (index, slot) in slots.enumerated() where slot.isRequired { required.insert(index) }
        self.required = required
        let spellings = slots.enumerated().flatMap { index, slot in
            ([slot.name] + slot.rules.spellings).map { ($0, index) }
        }
        keys = KeyIndex(spellings)
    }

    /// The index of the slot that reads `key`, or nil.
    @inline(__always)
    func slot(for key: JSONNode) -> Int? {
        if key.kind == .string { return keys[key.text] }
        var text = key.string ?? ""
        return text.withUTF8 { keys[$0] }
    }

    /// Writes a record as an object.
    func write<Root: Record>(_ record: Root, to writer: inout JSONWriter) {
        withUnsafePointer(to: record) { write(UnsafeRawPointer($0), to: &writer) }
    }

    private func write(_ record: UnsafeRawPointer, to writer: inout JSONWriter) {
        writer.write(byte: UInt8(ascii: "{"))
        let start = writer.count
        for slot in slots {
            let field = record + slot.offset
            switch slot.storage {
            case .double where slot.isOptional, .unixSeconds where slot.isOptional:
                guard let value = field.assumingMemoryBound(to: Double?.self).pointee else { continue }
                write(key: slot, isFirst: writer.count == start, to: &writer)
                writer.write(value)
            default:
                guard slot.coding.isPresent(field) else { continue }
                write(key: slot, isFirst: writer.count == start, to: &writer)
                slot.coding.write(field, &writer)
            }
        }
        if let others { write(members: others, of: record, isFirst: writer.count == start, to: &writer) }
        writer.write(byte: UInt8(ascii: "}"))
    }

    @inline(__always)
    private func write(key slot: RecordSlot, isFirst: Bool, to writer: inout JSONWriter) {
        slot.key.withUnsafeBufferPointer {
            writer.write(raw: isFirst ? UnsafeBufferPointer(rebasing: $0.dropFirst()) : $0)
        }
    }

    private func write(
        members slot: RecordSlot, of record: UnsafeRawPointer, isFirst: Bool, to writer: inout JSONWriter
    ) {
        let value = (record + slot.offset).assumingMemoryBound(to: JSONValue.self).pointee
        guard case .object(let members) = value else { return }
        for (index, member) in members.enumerated() {
            if index > 0 || !isFirst { writer.write(byte: UInt8(ascii: ",")) }
            writer.write(member.key)
            writer.write(byte: UInt8(ascii: ":"))
            member.value.write(to: &writer)
        }
    }
}
