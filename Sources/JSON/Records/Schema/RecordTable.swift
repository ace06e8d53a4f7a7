// Unsafe: owns the slots and bounds of a table as raw memory that is written once, in `init`, and freed in `deinit`. It
// loads fields from records that outlive the call; every offset is that of a stored property, which `FieldLine` checks.
public import JSONText

/// The table behind a `Schema`: slots in the order of the output, and an index from input keys to slots.
///
/// Unchecked Sendable: nothing changes after `init`.
@usableFromInline
final class RecordTable: @unchecked Sendable {
    /// The parts of a field that the switches do not need.
    struct Field {
        let name: String
        let property: String
        let shape: FieldShape
        let rules: FieldRules

        /// What the field takes, in words for an error.
        var expectation: String {
            shape.elementExpectation == nil ? rules.expectation(of: shape.expectation) : shape.expectation
        }
    }

    let fields: [Field]
    /// The number of fields; also the index of keys that are known and not read.
    let count: Int
    let slots: UnsafePointer<FieldSlot>
    private let unitSystemCount: Int
    /// One row of all fields for each system of units.
    private let bounds: UnsafePointer<NumberBounds>
    private let accesses: UnsafePointer<Unmanaged<TabledAccess>>
    /// The offset of the tag of each optional number; for other fields, of any byte of the record.
    private let tags: UnsafePointer<Int32>
    /// The fields without a tag, which are written unless their access finds them absent.
    private let untagged: FieldSet
    private let all: FieldSet
    let required: FieldSet
    /// The fields whose wrong values fail the record.
    let validated: FieldSet
    /// The optional fields that are nil in a blank record, so that null leaves them as they are.
    let absentInBlank: FieldSet
    /// The offset and the rules of the field that takes unknown members.
    private let othersOffset: Int?
    private let othersRules: FieldRules?
    private let keys: KeyIndex
    /// Writes a blank record.
    let blank: @Sendable () -> JSONValue?

    init<Root: Record>(_ lines: [FieldLine<Root>]) {
        let lines = FieldLine.grouped(lines)
        let listed = lines.filter(\.shape.isListed)
        precondition(listed.count <= FieldSet.capacity, "\(Root.self) has more than \(FieldSet.capacity) fields")
        let slots = UnsafeMutablePointer<FieldSlot>.allocate(capacity: listed.count)
        let accesses = UnsafeMutablePointer<Unmanaged<TabledAccess>>.allocate(capacity: listed.count)
        let tags = UnsafeMutablePointer<Int32>.allocate(capacity: listed.count)
        let allRules = listed.map { FieldRules(isRequired: !$0.shape.isOptional, $0.rules) }
        unitSystemCount = allRules.map { $0.dimension?.units.count ?? 1 }.max() ?? 1
        let bounds = UnsafeMutablePointer<NumberBounds>.allocate(capacity: listed.count * unitSystemCount)
        var fields: [Field] = []
        var required = FieldSet(), validated = FieldSet()
        var untagged = FieldSet()
        var absentInBlank = FieldSet()
        let blank = Root()
        for (index, line) in listed.enumerated() {
            let rules = allRules[index]
            let slot = FieldSlot(
                offset: line.offset, storage: line.shape.storage, isOptional: line.shape.isOptional, rules: rules,
                key: Self.key(line.name))
            (slots + index).initialize(to: slot)
            for number in 0..<unitSystemCount {
                (bounds + number * listed.count + index)
                    .initialize(to: NumberBounds(rules, in: Units(number: number)))
            }
            let access = line.shape.access(rules)
            (accesses + index).initialize(to: .passRetained(TabledAccess(access)))
            if !rules.isRequired, Self.lacks(blank, slot, access) { absentInBlank.insert(index) }
            let tag = slot.layout.isOptionalNumber ? OptionalTag.offset : nil
            (tags + index).initialize(to: Int32(line.offset + (tag ?? 0)))
            if tag == nil { untagged.insert(index) }
            fields.append(Field(name: line.name, property: line.property, shape: line.shape, rules: rules))
            if rules.isRequired { required.insert(index) }
            if rules.mustBeValid { validated.insert(index) }
        }
        self.fields = fields
        self.blank = { SchemaComponents.written(Root()) }
        self.slots = UnsafePointer(slots)
        self.bounds = UnsafePointer(bounds)
        self.accesses = UnsafePointer(accesses)
        self.tags = UnsafePointer(tags)
        self.untagged = untagged
        all = FieldSet(below: listed.count) { _ in 1 }
        (self.required, self.validated) = (required, validated)
        self.absentInBlank = absentInBlank
        let others = lines.first(where: \.shape.takesUnknownKeys)
        othersOffset = others?.offset
        othersRules = others.map { FieldRules(isRequired: false, $0.rules) }
        count = fields.count
        let ignored = lines.flatMap(\.ignoredKeys).map { ($0, fields.count) }
        keys = KeyIndex(
            fields.enumerated().flatMap { index, field in ([field.name] + field.rules.spellings).map { ($0, index) } }
                + ignored)
    }

    deinit {
        for index in fields.indices { slots[index].key.start.deallocate() }
        slots.deallocate()
        bounds.deallocate()
        for index in fields.indices { accesses[index].release() }
        accesses.deallocate()
        tags.deallocate()
    }

    /// Returns whether a field is absent, in which case its access writes nothing.
    private static func lacks<Root: Record>(_ record: Root, _ slot: FieldSlot, _ access: FieldAccess) -> Bool {
        var writer = JSONWriter()
        return withUnsafeBytes(of: record) { bytes in
            guard let start = bytes.baseAddress else { return true }
            return !access.write(slot.address(in: start), slot.key, &writer, WritingStyle())
        }
    }

    /// Returns the bytes `,"name":`.
    private static func key(_ name: String) -> PaddedText {
        var writer = JSONWriter()
        writer.write(byte: UInt8(ascii: ","))
        writer.write(name)
        writer.write(byte: UInt8(ascii: ":"))
        return PaddedText(copying: writer.bytes)
    }

    /// The bounds of all fields in a document of the given units.
    @inline(__always)
    func bounds(in units: Units) -> UnsafePointer<NumberBounds> {
        bounds + (0..<unitSystemCount ~= units.number ? units.number * fields.count : 0)
    }

    /// Calls `body` with the access of a field.
    @inline(__always)
    func withAccess<Result>(to index: Int, _ body: (TabledAccess) -> Result) -> Result {
        accesses[index]._withUnsafeGuaranteedRef(body)
    }

    /// Returns the index of the field that reads `key`, or nil.
    @inline(__always)
    func slot(for key: JSONNode) -> Int? {
        if key.kind == .string, key.isReadable(for: KeyIndex.readableLength) { return keys.find(key.text) }
        return slot(forRare: key)
    }

    /// The slow path: a key with escapes, or one so close to the document's end that `KeyIndex` cannot read past it.
    @inline(never)
    private func slot(forRare key: JSONNode) -> Int? {
        if key.kind == .string { return keys[key.text] }
        var text = key.string ?? ""
        return text.withUTF8 { keys[$0] }
    }

    /// Returns the index of the field that reads `key`; nil if there is none, or if the key is one to ignore.
    func field(_ key: String) -> Int? {
        var key = key
        return key.withUTF8 { keys[$0] }.flatMap { $0 < count ? $0 : nil }
    }

    /// The keys of all fields, each with the index of its field.
    var spellings: [(key: String, value: Int)] {
        fields.enumerated().flatMap { index, field in ([field.name] + field.rules.spellings).map { ($0, index) } }
    }

    /// Returns whether the value of an unknown member means "no value".
    func othersMeanAbsent(_ value: JSONNode) -> Bool { othersRules?.meanAbsent(value) ?? false }

    /// Whether a field takes unknown members.
    var takesOthers: Bool { othersOffset != nil }

    /// Stores unknown members in the field that takes them.
    func put(others members: [JSONValue.Member], into record: UnsafeMutableRawPointer) {
        guard let othersOffset else { return }
        (record + othersOffset).assumingMemoryBound(to: JSONValue.self).pointee = .object(members)
    }

    /// Returns whether a field is written under this name.
    func writes(_ name: String) -> Bool {
        var text = name
        guard let index = text.withUTF8({ keys[$0] }), index < count else { return false }
        return Name.areEqual(fields[index].name, name)
    }

    /// Returns the fields that a record has, and those without a tag.
    ///
    /// Inlined, it keeps the compiler from inlining other calls of the writer, which costs 2 %.
    @inline(never)
    func presentFields(of record: UnsafeRawPointer) -> FieldSet {
        let absent = FieldSet(below: count) { record.load(fromByteOffset: Int(tags[$0]), as: UInt8.self) & 1 }
        return all.subtracting(absent.subtracting(untagged))
    }

    /// Returns whether a field has a value in the record at an address; nil if the field has no tag.
    func presence(of index: Int) -> (@Sendable (UnsafeRawPointer) -> Bool)? {
        if untagged.contains(index) { return nil }
        let tag = Int(tags[index])
        return { $0.load(fromByteOffset: tag, as: UInt8.self) & 1 == 0 }
    }

    /// Returns the unknown members that a record holds.
    func others(of record: UnsafeRawPointer) -> [JSONValue.Member] {
        guard let othersOffset,
            case .object(let members) = (record + othersOffset).assumingMemoryBound(to: JSONValue.self).pointee
        else { return [] }
        return members
    }
}

// MARK: Writing

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
