// Unsafe: fills records in place at the offsets that `RecordTable` checked when it was built. The record outlives every
// call, holds a blank that is initialised before it is filled, and each field is stored with the type of its slot.
public import JSONText

/// Fills records from parsed JSON by their tables, and keeps account of repairs and failures.
///
///     struct Percent: FieldValue {
///         var fraction: Double
///         static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> Percent? {
///             Double.read(node, rules, &reader).map { Percent(fraction: $0 / 100) }
///         }
///         func write(to writer: inout JSONWriter, style: WritingStyle) { writer.write(fraction * 100) }
///     }
public struct RecordReader: ~Copyable {
    var account: ReadingAccount
    /// The units of the document.
    private let units: Units
    /// The rules of the decoder; nil if the record is read without one, which allows all repairs.
    package let rules: DecoderRules?

    /// Why the last value could not be read.
    public var reason: DriftReport.Reason { account.reason }

    init(in units: Units, isStrict: Bool = false, _ rules: DecoderRules? = nil) {
        self.units = units
        self.rules = rules
        account = ReadingAccount(
            isStrict: isStrict, refusesMistyped: rules?.toleratesMistyped == false,
            refusesLoneSurrogates: rules?.readsLoneSurrogates == false)
    }

    /// Sets the reason why the current value cannot be read.
    ///
    /// Always returns nil.
    ///
    ///     let count = node.int64 ?? reader.fail(.mistyped)
    public mutating func fail<Value>(_ reason: DriftReport.Reason) -> Value? {
        account.reason = reason
        return nil
    }

    /// Notes that the current value was converted without loss to what was `expected`.
    public mutating func noteCoercion(_ reason: DriftReport.Reason, expected: String) {
        account.note(.coerced, reason, expected: expected)
    }

    /// Notes that the current value, although of the `expected` kind, is not one that the contract lists.
    public mutating func noteUnrecognized(expected: String) {
        account.note(.unrecognized, .unknownValue, expected: expected)
    }

    /// Whether a field with the given rules converts scalars of another type: unless it is exact, or the decoder forbids it.
    ///
    ///     let text = reader.coerces(rules) ? node.string : nil
    public func coerces(_ rules: FieldRules) -> Bool { rules.coerces && self.rules?.coerces != false }

    /// Returns the text of a string; nil, with a reason, for other values.
    ///
    /// U+FFFD replaces an escaped half of a surrogate pair, which is noted, unless the decoder refuses it.
    ///
    ///     let color = reader.string(of: node).flatMap { HexColor($0) } ?? reader.fail(.mistyped)
    public mutating func string(of node: JSONNode) -> String? {
        if let text = node.wellFormedString { return text }
        guard node.isString else { return fail(.mistyped) }
        return account.takesLoneSurrogate() ? node.string : nil
    }

    /// Returns the number unless the rules say that it means "no value" or is implausible in the document's units; then
    /// returns nil and sets the reason.
    mutating func accept<Number>(_ number: Number, as value: Double, _ rules: FieldRules) -> Number? {
        if rules.absentNumbers.contains(value) { return fail(.sentinel) }
        return isPlausible(value, rules) ? number : fail(.implausible)
    }

    /// Returns whether the number is in the rules' range, taken in the document's units.
    func isPlausible(_ number: Double, _ rules: FieldRules) -> Bool {
        rules.plausible(in: units)?.contains(number) ?? true
    }
}

// Records.
extension RecordReader {
    /// Fills `record`, which holds its blank values, from an object.
    ///
    /// Returns false if the value is not an object, or if a required field is missing or wrong; `reason` tells which.
    @inlinable
    package mutating func fill<Root: Record>(_ record: inout Root, from node: JSONNode) -> Bool {
        let table = Root.schema.table
        return withUnsafeMutablePointer(to: &record) { fill(UnsafeMutableRawPointer($0), by: table, from: node) }
    }

    /// Fills the record at the given address.
    @usableFromInline
    mutating func fill(_ record: UnsafeMutableRawPointer, by table: RecordTable, from node: JSONNode) -> Bool {
        guard node.kind == .object, !account.mustStop(at: node) else {
            account.reason = .mistyped
            return false
        }
        var seen = FieldSet()
        var failures: [Int: DriftReport.Reason]?
        var others: OtherMembers?
        let bounds = table.bounds(in: units)
        for (key, value) in node.members {
            guard
                let index =
                    table.slot(for: key) ?? (rules == nil ? nil : convertedSlot(for: key, in: table))
            else {
                takeUnknown(key, value, into: &others, by: table)
                continue
            }
            // The table lists the key as one to ignore.
            if index == table.count { continue }
            if !seen.insert(index) {
                account.noteDuplicate(of: index, key, in: table)
                failures?[index] = nil
            } else if value.isNull, table.absentInBlank.contains(index) {
                continue
            }
            if read(index, of: table, bounds, key, value, into: record) { continue }
            let isWrong = table.validated.contains(index) && !value.isNull && reason != .sentinel
            if isWrong || table.required.contains(index) || account.refuses(value) {
                note(value.isNull ? .null : reason, of: index, in: &failures)
            }
        }
        if let others { table.put(others: others.list, into: record) }
        var missing = table.required.subtracting(seen)
        if missing.isEmpty, failures == nil { return true }
        failures?.keys.forEach { missing.insert($0) }
        if missing.isEmpty { return true }
        account.recordFailures(missing, of: table, failures ?? [:])
        account.reason = .invalid
        return false
    }

    @inline(never)
    private func note(
        _ reason: DriftReport.Reason, of index: Int, in failures: inout [Int: DriftReport.Reason]?
    ) {
        failures = failures ?? [:]
        failures?[index] = reason
    }

    /// Reads one field; returns false if its value is not usable, and an optional field is then absent.
    ///
    /// The switch stores values that are as the table expects; everything else goes through `readSlowly`.
    @_transparent
    private mutating func read(
        _ index: Int, of table: RecordTable, _ bounds: UnsafePointer<NumberBounds>, _ key: JSONNode, _ value: JSONNode,
        into record: UnsafeMutableRawPointer
    ) -> Bool {
        let slot = table.slots + index
        let field = slot.pointee.address(in: record)
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
            guard table.withAccess(to: index, { $0.readPlain(value, field) }) else { break }
            return true
        }
        return readSlowly(index, of: table, key, value, into: field)
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
        // A string with escapes is not empty; a longer sentinel needs the slow path.
        guard value.kind == .string ? value.text.count > longest : longest <= 0 else { return nil }
        return value.wellFormedString
    }

    /// Reads a field whose type the switch does not know, or whose value needs a closer look.
    @inline(never)
    private mutating func readSlowly(
        _ index: Int, of table: RecordTable, _ key: JSONNode, _ value: JSONNode, into field: UnsafeMutableRawPointer
    ) -> Bool {
        if value.isNull {
            table.withAccess(to: index) { $0.clear(field) }
            return false
        }
        account.location.enter(table.slots[index].name, key: key.plainText)
        defer { account.location.leave() }
        if table.slots[index].isRequired || account.isStrict || account.refusesMistyped {
            if table.withAccess(to: index, { $0.read(value, field, &self) }) { return true }
            table.withAccess(to: index) { $0.clear(field) }
            if account.isStrict, !table.slots[index].isRequired, reason != .invalid {
                account.recordFailure(expected: table.fields[index].expectation)
            } else if account.refusesMistyped, !table.slots[index].isRequired, account.isRepairOfTheField {
                noteLoss(nil)
            }
            return false
        }
        // Failures inside an optional field do not fail the document.
        let mark = account.mark()
        if table.withAccess(to: index, { $0.read(value, field, &self) }) {
            account.keep(mark)
            return true
        }
        // Inside a record that fails, the first failure is the example.
        let example = reason == .invalid ? account.firstFailure(since: mark) : nil
        account.rollBack(to: mark)
        table.withAccess(to: index) { $0.clear(field) }
        noteLoss(example)
        return false
    }

    private mutating func noteLoss(_ example: String?) {
        account.noteRepair(reason == .sentinel ? .defaulted : .dropped, reason, example: example)
    }

    /// Returns the members of an object whose keys are data; objects among them, and those above the limit, are dropped
    /// and counted.
    mutating func openMembers(of node: JSONNode, _ rules: FieldRules) -> [JSONValue.Member] {
        var members = OtherMembers(keepsKeys: true)
        for (key, value) in node.members {
            at(key, isData: true) { $0.takeOpen(value, from: key, into: &members, rules) }
        }
        return members.list
    }
}

// Reading for upstream dialects whose documents have another shape than the record, such as a column for each field: the
// dialect moves to each value and names the field whose rules apply. Paths are those of the upstream's document.
extension RecordReader {
    /// A reader of documents in the base units that repairs what it can.
    package init() { self.init(in: .base) }

    /// The repairs so far.
    package var drift: DriftReport { account.report }

    /// Whether the document cannot be read.
    package var hasFailures: Bool { account.hasFailures }

    /// Throws the failures so far, if there are any.
    package func check() throws(ContractError) {
        if account.hasFailures { throw account.error(expected: "") }
    }

    /// Returns the error for a document that gave no value: all failures, or the document itself as the only one.
    package func failure(expected: String) -> ContractError { account.error(expected: expected) }

    /// Fails the document at the current value.
    package mutating func failDocument(_ reason: DriftReport.Reason, expected: String) {
        account.reason = reason
        account.recordFailure(expected: expected)
    }

    /// Notes that the current object has no member called `name`.
    package mutating func noteMissing(_ name: String) {
        var name = name
        name.withUTF8 {
            account.location.enter($0)
            account.noteRepair(.missing, .missing)
            account.location.leave()
        }
    }

    /// Notes a repair of the current value.
    package mutating func note(_ kind: DriftReport.Kind, _ reason: DriftReport.Reason) {
        account.noteRepair(kind, reason)
    }
}

// Moving through the document.
extension RecordReader {
    /// Enters the member called `name` while `body` runs.
    @inlinable
    package mutating func at<Result>(_ name: StaticString, _ body: (inout RecordReader) -> Result) -> Result {
        enter(name)
        defer { leave() }
        return body(&self)
    }

    /// Enters the member of `key` while `body` runs; `isData` says that it is the key of a map.
    ///
    /// Strict reading names such a key: its reader has written the document.
    package mutating func at<Result>(
        _ key: JSONNode, isData: Bool = false, _ body: (inout RecordReader) -> Result
    ) -> Result {
        func enter(_ name: UnsafeBufferPointer<UInt8>) -> Result {
            account.location.enter(name, isData: isData && !account.isStrict)
            defer { leave() }
            return body(&self)
        }
        if key.kind == .string { return enter(key.text) }
        var name = key.string ?? ""
        return name.withUTF8 { enter($0) }
    }

    @usableFromInline
    mutating func enter(_ name: StaticString) {
        account.location.enter(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    }

    @usableFromInline
    mutating func leave() { account.location.leave() }
}

// Building parts.
extension RecordReader {
    /// Enters the member called `name` and builds a value there; see ``part(_:)``.
    @inlinable
    package mutating func part<Value>(_ name: StaticString, _ body: (inout RecordReader) -> Value?) -> Value? {
        at(name) { $0.part(body) }
    }

    /// Builds a value at the current location.
    ///
    /// If `body` returns nil, the part is noted as dropped.
    @inlinable
    package mutating func part<Value>(_ body: (inout RecordReader) -> Value?) -> Value? {
        let mark = beginPart()
        let value = body(&self)
        endPart(mark, isUsable: value != nil)
        return value
    }

    @usableFromInline
    mutating func beginPart() -> ReadingAccount.Mark { account.mark() }

    @usableFromInline
    mutating func endPart(_ mark: ReadingAccount.Mark, isUsable: Bool) {
        if isUsable { return account.keep(mark) }
        account.rollBack(to: mark)
        note(.dropped, .invalid)
    }

    /// Returns a value that the part needs; if it is nil, the member called `name` is recorded as a failure.
    @inlinable
    package mutating func demand<Value>(_ value: Value?, _ name: StaticString) -> Value? {
        if value == nil { recordLoss(of: name) }
        return value
    }

    @usableFromInline
    mutating func recordLoss(of name: StaticString) {
        at(name) { $0.account.recordLoss() }
    }
}
