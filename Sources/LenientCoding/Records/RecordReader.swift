import JSONText

/// Fills records from parsed JSON by their tables, and keeps account of what it had to repair.
public struct RecordReader {
    /// Why the last value could not be read.
    public private(set) var reason = DriftReport.Reason.mistyped
    private(set) var failures: [ContractError.Failure] = []
    /// The scalar field being read, which is not worth a step.
    private var slot: RecordSlot?
    private var ledger = DriftLedger()

    /// Whether repairs are failures.
    private let isStrict: Bool

    init(isStrict: Bool = false) { self.isStrict = isStrict }

    /// What was repaired.
    var report: DriftReport { ledger.report }

    /// Says why the value at hand cannot be read.
    ///
    /// Always nil, to be returned.
    public mutating func fail<Value>(_ reason: DriftReport.Reason) -> Value? {
        self.reason = reason
        return nil
    }

    /// Says that the value at hand was converted without loss, to what was `expected`.
    public mutating func noteCoercion(_ reason: DriftReport.Reason, expected: String) {
        note(.coerced, reason, expected)
    }

    /// Says that the value at hand is none that the contract lists, though it is the `expected` kind.
    public mutating func noteUnrecognized(expected: String) { note(.unrecognized, .unknownValue, expected) }

    /// Fills `record`, which holds its blank values, from an object.
    ///
    /// False when it is no object or a required field is missing or wrong; `failures` then names those, and `reason`
    /// says which of the two.
    mutating func fill<Root: Record>(_ record: inout Root, from node: JSONNode) -> Bool {
        let table = Root.schema.table
        return withUnsafeMutablePointer(to: &record) { fill(UnsafeMutableRawPointer($0), by: table, from: node) }
    }

    private mutating func fill(_ record: UnsafeMutableRawPointer, by table: RecordTable, from node: JSONNode) -> Bool {
        guard node.kind == .object else {
            reason = .mistyped
            return false
        }
        var seen = FieldSet()
        var valid = FieldSet()
        var reasons: [Int: DriftReport.Reason] = [:]
        var others = OtherMembers()
        for (key, value) in node.members {
            guard let index = table.slot(for: key) else {
                takeUnknown(key, value, into: &others, by: table)
                continue
            }
            let slot = table.slots[index]
            if seen.contains(index) { noteDuplicate(of: slot.name) }
            seen.insert(index)
            if read(slot, value, into: record + slot.offset) {
                valid.insert(index)
            } else if slot.isRequired {
                valid.remove(index)
                reasons[index] = value.isNull ? .null : reason
            }
        }
        slot = nil
        if let slot = table.others, !others.isEmpty {
            (record + slot.offset).assumingMemoryBound(to: JSONValue.self).pointee = others.value
        }
        let lacking = table.required.subtracting(valid)
        if lacking.isEmpty { return true }
        recordFailures(lacking, of: table, reasons)
        reason = .invalid
        return false
    }

    /// Reads one field.
    ///
    /// False when it is not there in a usable form; an optional field is then absent.
    @inline(__always)
    private mutating func read(_ slot: RecordSlot, _ value: JSONNode, into field: UnsafeMutableRawPointer) -> Bool {
        if !value.isNull {
            self.slot = slot
            switch slot.storage {
            case .double where slot.isOptional, .unixSeconds where slot.isOptional:
                if let number = Double.read(value, slot.rules, &self) {
                    field.assumingMemoryBound(to: Double?.self).pointee = number
                    return true
                }
            case .composite:
                if readComposite(slot, value, into: field) { return true }
            default:
                if slot.coding.read(value, slot.rules, field, &self) { return true }
            }
        }
        return leaveOut(slot, isNull: value.isNull, field)
    }

    private mutating func readComposite(
        _ slot: RecordSlot, _ value: JSONNode, into field: UnsafeMutableRawPointer
    ) -> Bool {
        ledger.enter(slot.name)
        self.slot = nil
        let mark = self.mark
        let isRead = slot.coding.read(value, slot.rules, field, &self)
        ledger.leave()
        self.slot = slot
        // What was wrong inside a field that may be absent is no failure of the document.
        if !isRead, !slot.isRequired, !isStrict { takeBack(to: mark) }
        return isRead
    }

    @inline(never)
    private mutating func leaveOut(_ slot: RecordSlot, isNull: Bool, _ field: UnsafeMutableRawPointer) -> Bool {
        slot.coding.clear(field)
        if isNull || slot.isRequired { return false }
        if isStrict {
            if reason != .invalid { recordFailure(slot.expectation) }
            return false
        }
        ledger.note(reason == .sentinel ? .defaulted : .dropped, reason, field: slot.name)
        return false
    }

    @inline(never)
    private mutating func takeUnknown(
        _ key: JSONNode, _ value: JSONNode, into others: inout OtherMembers, by table: RecordTable
    ) {
        let name = key.string ?? ""
        guard let slot = table.others, value.kind != .object, !others.isFull else {
            return noteUnexpected(name, table)
        }
        if slot.rules.meanAbsent(value) { return ledger.note(.defaulted, .sentinel, field: name) }
        let isFirst = others.take(name, JSONValue(value).withPlainNumbers) { name in
            table.slots.contains { $0.name == name }
        }
        if !isFirst { noteDuplicate(of: name) }
    }
}

extension RecordReader {
    /// Where the account stands, to return to when an element turns out to be none.
    struct Mark {
        fileprivate let ledger: Int
        fileprivate let failures: Int
    }

    private var mark: Mark { Mark(ledger: ledger.mark, failures: failures.count) }

    private mutating func takeBack(to mark: Mark) {
        ledger.rollBack(to: mark.ledger)
        failures.removeSubrange(mark.failures...)
    }

    mutating func enterElement(_ index: Int) -> Mark {
        ledger.enterElement(index)
        slot = nil
        return mark
    }

    mutating func leaveElement() {
        ledger.leave()
    }

    /// Takes back what was noted inside the element at hand and notes that it was dropped.
    ///
    /// A strict reader drops nothing: it keeps what is wrong inside.
    mutating func dropElement(since mark: Mark, _ reason: DriftReport.Reason? = nil, expected: String) {
        slot = nil
        self.reason = reason ?? self.reason
        if isStrict { return recordElementFailure(expected) }
        takeBack(to: mark)
        ledger.note(.dropped, self.reason, field: nil)
    }

    /// Notes a repair of the value at hand.
    private mutating func note(_ kind: DriftReport.Kind, _ reason: DriftReport.Reason, _ expected: String) {
        guard isStrict else { return ledger.note(kind, reason, field: slot?.name) }
        self.reason = reason
        recordFailure(slot?.expectation ?? expected)
    }

    private mutating func noteDuplicate(of name: String) {
        guard isStrict else { return ledger.note(.duplicateKey, .duplicate, field: name) }
        recordFailure(at: name, .duplicate, "it once")
    }

    private mutating func noteUnexpected(_ name: String, _ table: RecordTable) {
        guard isStrict else { return ledger.note(.unexpectedKey, .unknownKey, field: name) }
        let names = table.slots.map(\.name)
        let nearest = NearestName.find(name, among: names)
        recordFailure(at: name, .unknownKey, nearest.map { "\"\($0)\"" } ?? "one of " + names.joined(separator: ", "))
    }

    private mutating func recordFailure(at field: String, _ reason: DriftReport.Reason, _ expected: String) {
        guard failures.count < ContractError.maximumFailures else { return }
        failures.append(ContractError.Failure(path: ledger.place(field: field), reason: reason, expected: expected))
    }

    /// Notes that the element at hand fails its array, unless what is wrong inside it has been noted.
    mutating func recordElementFailure(_ expected: String) {
        if reason != .invalid { recordFailure(expected) }
    }

    /// Notes that the value at hand is missing or wrong where it must not be.
    mutating func recordFailure(_ expected: String) {
        guard failures.count < ContractError.maximumFailures else { return }
        failures.append(failure(expected))
    }

    func failure(_ expected: String) -> ContractError.Failure {
        ContractError.Failure(path: ledger.place(field: slot?.name), reason: reason, expected: expected)
    }

    private mutating func recordFailures(
        _ lacking: FieldSet, of table: RecordTable, _ reasons: [Int: DriftReport.Reason]
    ) {
        for (index, slot) in table.slots.enumerated() where lacking.contains(index) {
            // A nested failure has been recorded where it happened.
            if reasons[index] == .invalid { continue }
            reason = reasons[index] ?? .missing
            self.slot = slot
            recordFailure(slot.expectation)
        }
        self.slot = nil
    }
}
