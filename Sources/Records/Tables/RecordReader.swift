public import JSONText

/// Fills records from parsed JSON by their tables, and keeps account of what it had to repair.
///
///     struct Percent: FieldValue {
///         var fraction: Double
///         static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> Percent? {
///             Double.read(node, rules, &reader).map { Percent(fraction: $0 / 100) }
///         }
///         func write(to writer: inout JSONWriter, style: WritingStyle) { writer.write(fraction * 100) }
///     }
public struct RecordReader: ~Copyable {
    /// Why the last value could not be read.
    ///
    ///     if Int.read(node, rules, &reader) == nil { print(reader.reason) }  // inexact, of 12.5
    public internal(set) var reason = DriftReport.Reason.mistyped
    var failures: [ContractError.Failure] = []
    var ledger = DriftLedger()
    /// The way to the value at hand; of a scalar field only where something has to be told.
    var place = PlaceStack()

    /// Whether repairs are failures.
    let isStrict: Bool
    /// The units of the document.
    let units: Units

    @usableFromInline
    init(in units: Units, isStrict: Bool = false) {
        self.units = units
        self.isStrict = isStrict
    }

    /// What was repaired.
    @usableFromInline var report: DriftReport { ledger.report }

    @usableFromInline var hasFailures: Bool { !failures.isEmpty }

    /// Says why the value at hand cannot be read.
    ///
    /// Always nil, to be returned.
    ///
    ///     let color = node.string.flatMap { HexColor($0) } ?? reader.fail(.mistyped)
    public mutating func fail<Value>(_ reason: DriftReport.Reason) -> Value? {
        self.reason = reason
        return nil
    }

    /// Whether a field can be this number in the document's units.
    func accepts(_ number: Double, _ rules: FieldRules) -> Bool {
        rules.plausible(in: units)?.contains(number) ?? true
    }

    /// Fills `record`, which holds its blank values, from an object.
    ///
    /// False when it is no object or a required field is missing or wrong; `failures` then names those, and `reason`
    /// says which of the two.
    @inlinable
    package mutating func fill<Root: Record>(_ record: inout Root, from node: JSONNode) -> Bool {
        let table = Root.schema.table
        return withUnsafeMutablePointer(to: &record) { fill(UnsafeMutableRawPointer($0), by: table, from: node) }
    }

    /// Fills the record that lies at `record`.
    @usableFromInline
    mutating func fill(_ record: UnsafeMutableRawPointer, by table: RecordTable, from node: JSONNode) -> Bool {
        guard node.kind == .object else {
            reason = .mistyped
            return false
        }
        var seen = FieldSet()
        var valid = FieldSet()
        var reasons: [Int: DriftReport.Reason]?
        var others: OtherMembers?
        let bounds = table.bounds(in: units)
        var cursor = table.firstKey
        for (key, value) in node.members {
            guard let index = table.slot(for: key, after: &cursor) else {
                takeUnknown(key, value, into: &others, by: table)
                continue
            }
            if index == table.count { continue }
            if seen.contains(index) {
                noteDuplicate(of: table.slots[index].name)
            } else if value.isNull, table.absentInBlank.contains(index) {
                seen.insert(index)
                continue
            }
            seen.insert(index)
            if read(index, of: table, bounds, value, into: record) {
                valid.insert(index)
            } else if table.required.contains(index) {
                valid.remove(index)
                reasons = reasons ?? [:]
                reasons?[index] = value.isNull ? .null : reason
            }
        }
        if let others { table.put(others: others.list, into: record) }
        let lacking = table.required.subtracting(valid)
        if lacking.isEmpty { return true }
        recordFailures(lacking, of: table, reasons ?? [:])
        reason = .invalid
        return false
    }

    /// Reads one field.
    ///
    /// False when it is not there in a usable form; an optional field is then absent. What is as the table says goes in
    /// here, by a switch; everything else takes the long way.
    @_transparent
    private mutating func read(
        _ index: Int, of table: RecordTable, _ bounds: UnsafePointer<NumberBounds>, _ value: JSONNode,
        into record: UnsafeMutableRawPointer
    ) -> Bool {
        let slot = table.slots + index
        let field = slot.pointee.place(in: record)
        switch slot.pointee.layout {
        case .optionalDouble, .optionalSeconds:
            guard let number = Self.number(value, bounds + index) else { break }
            field.assumingMemoryBound(to: Double?.self).pointee = number
            return true
        case .double, .seconds:
            guard let number = Self.number(value, bounds + index) else { break }
            field.assumingMemoryBound(to: Double.self).pointee = number
            return true
        case .optionalInt:
            guard let number = Self.integer(value, slot, bounds + index) else { break }
            field.assumingMemoryBound(to: Int?.self).pointee = Int(truncatingIfNeeded: number)
            return true
        case .int:
            guard let number = Self.integer(value, slot, bounds + index) else { break }
            field.assumingMemoryBound(to: Int.self).pointee = Int(truncatingIfNeeded: number)
            return true
        case .optionalBool:
            guard let bool = value.bool else { break }
            field.assumingMemoryBound(to: Bool?.self).pointee = bool
            return true
        case .bool:
            guard let bool = value.bool else { break }
            field.assumingMemoryBound(to: Bool.self).pointee = bool
            return true
        case .optionalString:
            guard let string = Self.string(value, slot) else { break }
            field.assumingMemoryBound(to: String?.self).pointee = string
            return true
        case .string:
            guard let string = Self.string(value, slot) else { break }
            field.assumingMemoryBound(to: String.self).pointee = string
            return true
        case .composite:
            break
        }
        return readTheLongWay(index, of: table, value, into: field)
    }

    @inline(__always)
    private static func number(_ value: JSONNode, _ bounds: UnsafePointer<NumberBounds>) -> Double? {
        guard let number = value.double, bounds.pointee.allow(number) else { return nil }
        return number == 0 ? 0 : number
    }

    @inline(__always)
    private static func integer(
        _ value: JSONNode, _ slot: UnsafePointer<FieldSlot>, _ bounds: UnsafePointer<NumberBounds>
    ) -> Int64? {
        guard let number = value.int64, slot.pointee.takesAnyNumber || bounds.pointee.allow(Double(number)) else {
            return nil
        }
        return number
    }

    @inline(__always)
    private static func string(_ value: JSONNode, _ slot: UnsafePointer<FieldSlot>) -> String? {
        let longest = Int(slot.pointee.longestAbsentText)
        // One with escapes is not empty, whatever it is.
        guard value.kind == .string ? value.text.count > longest : longest <= 0 else { return nil }
        return value.string
    }

    /// Reads a field of another type than the switch knows, or one whose value needs a second look.
    @inline(never)
    private mutating func readTheLongWay(
        _ index: Int, of table: RecordTable, _ value: JSONNode, into field: UnsafeMutableRawPointer
    ) -> Bool {
        if value.isNull {
            table.withAccess(to: index) { $0.clear(field) }
            return false
        }
        place.enter(table.slots[index].name)
        defer { place.leave() }
        if table.slots[index].isRequired || isStrict {
            if table.withAccess(to: index, { $0.read(value, field, &self) }) { return true }
            table.withAccess(to: index) { $0.clear(field) }
            if isStrict, !table.slots[index].isRequired, reason != .invalid {
                recordFailure(expected: table.fields[index].expectation)
            }
            return false
        }
        // What is wrong inside a field that may be absent is no failure of the document.
        let start = mark()
        if table.withAccess(to: index, { $0.read(value, field, &self) }) {
            ledger.forget(start.ledger)
            return true
        }
        takeBack(to: start)
        table.withAccess(to: index) { $0.clear(field) }
        ledger.note(reason == .sentinel ? .defaulted : .dropped, reason, at: place)
        return false
    }
}
