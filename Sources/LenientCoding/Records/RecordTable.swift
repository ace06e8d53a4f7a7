public import JSONText

/// The table behind a `Schema`: slots in the order of the output, and a hash without collisions from input key to slot.
///
/// Sendable because nothing changes once it is made.
@usableFromInline
final class RecordTable: @unchecked Sendable {
    /// What is told of a field, and what a switch does not do.
    struct Field {
        let name: String
        let shape: FieldShape
        let rules: FieldRules
        let place: PlaceName

        init<Root: Record>(_ line: FieldLine<Root>, _ rules: FieldRules, place: PlaceName) {
            name = line.name
            shape = line.shape
            self.rules = rules
            self.place = place
        }

        /// What the field takes, as a person would say it.
        var expectation: String {
            guard let range = rules.plausible else { return shape.expectation }
            var writer = JSONWriter()
            writer.write(range.lowerBound)
            writer.write(raw: " to ")
            writer.write(range.upperBound)
            return "\(shape.expectation) from \(String(decoding: writer.bytes, as: UTF8.self))"
        }
    }

    let fields: [Field]
    /// How many fields there are: the index of a key that is known and not read.
    let count: Int
    let slots: UnsafePointer<FieldSlot>
    /// A row of all fields for each system of units.
    private let bounds: UnsafePointer<NumberBounds>
    private let accesses: UnsafePointer<Unmanaged<TabledAccess>>
    /// Where each optional number has its tag; of other fields, any place in the record.
    private let tags: UnsafePointer<Int32>
    /// The fields that have no tag, and are asked themselves whether they are there.
    private let untagged: FieldSet
    private let all: FieldSet
    let required: FieldSet
    /// Where the field lies that takes what no other field knows, and its rules.
    private let othersOffset: Int?
    private let othersRules: FieldRules?
    private let keys: KeyIndex

    init<Root: Record>(_ lines: [FieldLine<Root>]) {
        let listed = lines.filter(\.shape.isListed)
        precondition(listed.count <= FieldSet.capacity, "\(Root.self) has more than \(FieldSet.capacity) fields")
        let slots = UnsafeMutablePointer<FieldSlot>.allocate(capacity: listed.count)
        let bounds = UnsafeMutablePointer<NumberBounds>.allocate(capacity: listed.count * UnitSystem.allCases.count)
        let accesses = UnsafeMutablePointer<Unmanaged<TabledAccess>>.allocate(capacity: listed.count)
        let tags = UnsafeMutablePointer<Int32>.allocate(capacity: listed.count)
        var fields: [Field] = []
        var required = FieldSet()
        var untagged = FieldSet()
        for (index, line) in listed.enumerated() {
            let rules = FieldRules(isRequired: !line.shape.isOptional, line.rules)
            let slot = FieldSlot(
                offset: line.offset, storage: line.shape.storage, isOptional: line.shape.isOptional, rules: rules,
                key: Self.key(line.name))
            (slots + index).initialize(to: slot)
            for units in UnitSystem.allCases {
                (bounds + units.index * listed.count + index).initialize(to: NumberBounds(rules, in: units))
            }
            (accesses + index).initialize(to: .passRetained(TabledAccess(line.shape.access(rules))))
            let tag = slot.layout.isOptionalNumber ? OptionalTag.offset : nil
            (tags + index).initialize(to: Int32(line.offset + (tag ?? 0)))
            if tag == nil { untagged.insert(index) }
            let name = UnsafeBufferPointer(rebasing: slot.key.bytes.dropFirst(2).dropLast(2))
            fields.append(Field(line, rules, place: PlaceName(name)))
            if rules.isRequired { required.insert(index) }
        }
        self.fields = fields
        self.slots = UnsafePointer(slots)
        self.bounds = UnsafePointer(bounds)
        self.accesses = UnsafePointer(accesses)
        self.tags = UnsafePointer(tags)
        self.untagged = untagged
        all = FieldSet(below: listed.count) { _ in 1 }
        self.required = required
        let others = lines.first(where: \.shape.takesUnknownKeys)
        othersOffset = others?.offset
        othersRules = others.map { FieldRules(isRequired: false, $0.rules) }
        count = fields.count
        let ignored = lines.filter(\.shape.isIgnored).flatMap { FieldRules(isRequired: false, $0.rules).spellings }.map
        { ($0, fields.count) }
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

    /// `,"name":`.
    private static func key(_ name: String) -> PaddedText {
        var writer = JSONWriter()
        writer.write(byte: UInt8(ascii: ","))
        writer.write(name)
        writer.write(byte: UInt8(ascii: ":"))
        return PaddedText(copying: writer.bytes)
    }

    /// The bounds of all fields in a document of the given system.
    @inline(__always)
    func bounds(in units: UnitSystem) -> UnsafePointer<NumberBounds> { bounds + units.index * fields.count }

    /// Does something with a field that a switch does not read.
    @inline(__always)
    func withAccess<Result>(to index: Int, _ body: (TabledAccess) -> Result) -> Result {
        accesses[index]._withUnsafeGuaranteedRef(body)
    }

    /// Where a run through an object's keys begins.
    var firstKey: KeyIndex.Cursor { keys.start }

    /// The index of the slot that reads `key`, or nil; `cursor` is where the key before it was found.
    @inline(__always)
    func slot(for key: JSONNode, after cursor: inout KeyIndex.Cursor) -> Int? {
        if key.kind == .string { return keys.find(key.text, after: &cursor) }
        return slot(forEscaped: key, after: &cursor)
    }

    @inline(never)
    private func slot(forEscaped key: JSONNode, after cursor: inout KeyIndex.Cursor) -> Int? {
        var text = key.string ?? ""
        return text.withUTF8 { keys.find($0, after: &cursor) }
    }

    /// Whether `value`, which no listed field takes, means that there is none.
    func othersMeanAbsent(_ value: JSONNode) -> Bool { othersRules?.meanAbsent(value) ?? false }

    /// Whether a field takes what no other field knows.
    var takesOthers: Bool { othersOffset != nil }

    /// Puts such members where that field lies.
    func put(others members: [JSONValue.Member], into record: UnsafeMutableRawPointer) {
        guard let othersOffset else { return }
        (record + othersOffset).assumingMemoryBound(to: JSONValue.self).pointee = .object(members)
    }

    /// Whether a listed field leaves under this name.
    func writes(_ name: String) -> Bool {
        var text = name
        guard let index = text.withUTF8({ keys[$0] }), index < count else { return false }
        return NameIndex.areEqual(fields[index].name, name)
    }

    /// Writes the record that lies at `record` as an object.
    @usableFromInline
    func write(_ record: UnsafeRawPointer, to writer: inout JSONWriter, style: WritingStyle) {
        let start = writer.count
        if let selection = style.selection {
            write(selection.root, of: record, to: &writer, style: style)
        } else {
            let absent = FieldSet(below: count) { record.load(fromByteOffset: Int(tags[$0]), as: UInt8.self) & 1 }
            all.subtracting(absent.subtracting(untagged)).forEach { write($0, of: record, to: &writer, style: style) }
            if takesOthers { write(othersOf: record, to: &writer) { _ in style } }
        }
        // Each key brought its comma along: the first one makes room for the bracket.
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
        let field = slot.pointee.place(in: record)
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
            if load(String?.self) == nil { return }
            writer.write(slot.pointee.key)
            field.assumingMemoryBound(to: StringInPlace.self).pointee.write(to: &writer)
        case .string:
            writer.write(slot.pointee.key)
            field.assumingMemoryBound(to: StringInPlace.self).pointee.write(to: &writer)
        case .composite:
            let key = slot.pointee.key.bytes
            withAccess(to: index) { $0.write(field, key, &writer, style) }
        }
    }

    @inline(__always)
    private func write(
        _ value: Double, _ index: Int, to writer: inout JSONWriter, _ style: WritingStyle
    ) {
        guard let conversion = style.conversion, let dimension = slots[index].dimension,
            let step = conversion[dimension]
        else { return writer.write(value) }
        writer.write(step(value))
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
        guard let othersOffset,
            case .object(let members) = (record + othersOffset).assumingMemoryBound(to: JSONValue.self).pointee
        else { return }
        for member in members {
            guard let style = style(member.key) else { continue }
            writer.write(byte: UInt8(ascii: ","))
            writer.write(member.key)
            writer.write(byte: UInt8(ascii: ":"))
            member.value.write(to: &writer, style: style)
        }
    }
}

extension RecordTable {
    /// Writes what is selected of the record.
    @inline(never)
    private func write(
        _ part: FieldPart, of record: UnsafeRawPointer, to writer: inout JSONWriter, style: WritingStyle
    ) {
        for (index, extent) in part.fields.enumerated() {
            guard let style = style.within(extent) else { continue }
            write(index, of: record, to: &writer, style: style)
        }
        guard takesOthers else { return }
        write(othersOf: record, to: &writer) { key in
            style.within(part.extent(of: CamelCase.convert(key)).union(part.extent(of: key)))
        }
    }
}

/// A string in a record, or in an optional that is not nil, written where it lies: a copy would be counted.
private struct StringInPlace: ~Copyable {
    private let text: String

    @inline(__always)
    func write(to writer: inout JSONWriter) { writer.write(text) }
}
