import JSONText

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

        init<Root: Record>(_ line: FieldLine<Root>, _ rules: FieldRules) {
            name = line.name
            shape = line.shape
            self.rules = rules
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
    private let unitSystemCount: Int
    private let bounds: UnsafePointer<NumberBounds>
    private let accesses: UnsafePointer<Unmanaged<TabledAccess>>
    /// Where each optional number has its tag; of other fields, any place in the record.
    private let tags: UnsafePointer<Int32>
    /// The fields that have no tag, and are asked themselves whether they are there.
    private let untagged: FieldSet
    private let all: FieldSet
    let required: FieldSet
    /// The optional fields that a blank record has not: null leaves those as they are.
    let absentInBlank: FieldSet
    /// Where the field lies that takes what no other field knows, and its rules.
    private let othersOffset: Int?
    private let othersRules: FieldRules?
    private let keys: KeyIndex

    init<Root: Record>(_ lines: [FieldLine<Root>]) {
        let listed = lines.filter(\.shape.isListed)
        precondition(listed.count <= FieldSet.capacity, "\(Root.self) has more than \(FieldSet.capacity) fields")
        let slots = UnsafeMutablePointer<FieldSlot>.allocate(capacity: listed.count)
        let accesses = UnsafeMutablePointer<Unmanaged<TabledAccess>>.allocate(capacity: listed.count)
        let tags = UnsafeMutablePointer<Int32>.allocate(capacity: listed.count)
        let allRules = listed.map { FieldRules(isRequired: !$0.shape.isOptional, $0.rules) }
        unitSystemCount = allRules.map { $0.dimension?.units.count ?? 1 }.max() ?? 1
        let bounds = UnsafeMutablePointer<NumberBounds>.allocate(capacity: listed.count * unitSystemCount)
        var fields: [Field] = []
        var required = FieldSet()
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
            if !rules.isRequired, Self.lacks(blank, line.offset, access) { absentInBlank.insert(index) }
            let tag = slot.layout.isOptionalNumber ? OptionalTag.offset : nil
            (tags + index).initialize(to: Int32(line.offset + (tag ?? 0)))
            if tag == nil { untagged.insert(index) }
            fields.append(Field(line, rules))
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
        self.absentInBlank = absentInBlank
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

    /// Whether the field at `offset` is absent: then nothing is written of it.
    private static func lacks<Root: Record>(_ record: Root, _ offset: Int, _ access: FieldAccess) -> Bool {
        var writer = JSONWriter()
        return withUnsafeBytes(of: record) { bytes in
            guard let start = bytes.baseAddress else { return true }
            return !access.write(start + offset, UnsafeBufferPointer(start: nil, count: 0), &writer, WritingStyle())
        }
    }

    /// `,"name":`.
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
        if key.kind == .string, key.isReadable(for: KeyIndex.headLength) { return keys.find(key.text, after: &cursor) }
        return slot(forRare: key)
    }

    /// The index of the slot that reads a key with escapes or at the document's end.
    @inline(never)
    private func slot(forRare key: JSONNode) -> Int? {
        if key.kind == .string { return keys[key.text] }
        var text = key.string ?? ""
        return text.withUTF8 { keys[$0] }
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

    /// The fields that are there in a record, and those that are asked themselves whether they are.
    @inline(__always)
    func presentFields(of record: UnsafeRawPointer) -> FieldSet {
        let absent = FieldSet(below: count) { record.load(fromByteOffset: Int(tags[$0]), as: UInt8.self) & 1 }
        return all.subtracting(absent.subtracting(untagged))
    }

    /// The members of a record that no listed field took.
    func others(of record: UnsafeRawPointer) -> [JSONValue.Member] {
        guard let othersOffset,
            case .object(let members) = (record + othersOffset).assumingMemoryBound(to: JSONValue.self).pointee
        else { return [] }
        return members
    }
}
