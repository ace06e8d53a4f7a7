import JSONText

extension RecordReader {
    /// Where the account stands, to return to when what was read turns out to be left out.
    @usableFromInline
    struct Mark {
        let ledger: Int
        let failures: Int
    }

    mutating func mark() -> Mark { Mark(ledger: ledger.mark(), failures: failures.count) }

    mutating func takeBack(to mark: Mark) {
        ledger.rollBack(to: mark.ledger)
        failures.removeSubrange(mark.failures...)
    }

    /// Says that the value at hand was converted without loss, to what was `expected`.
    ///
    ///     reader.noteCoercion(.numericString, expected: "a number")
    public mutating func noteCoercion(_ reason: DriftReport.Reason, expected: String) {
        note(.coerced, reason, expected: expected)
    }

    /// Says that the value at hand is none that the contract lists, though it is the `expected` kind.
    ///
    ///     reader.noteUnrecognized(expected: "a severity")
    public mutating func noteUnrecognized(expected: String) { note(.unrecognized, .unknownValue, expected: expected) }

    /// Notes a repair of the value at hand.
    private mutating func note(_ kind: DriftReport.Kind, _ reason: DriftReport.Reason, expected: String) {
        guard isStrict else { return ledger.note(kind, reason, at: place) }
        self.reason = reason
        recordFailure(expected: expected)
    }

    mutating func noteDuplicate(of name: UnsafeBufferPointer<UInt8>) {
        place.enter(name)
        note(.duplicateKey, .duplicate, expected: "it once")
        place.leave()
    }

    /// Takes a member that no field of the table reads: keeps it where the table has a field for such, or counts it.
    @inline(never)
    mutating func takeUnknown(
        _ key: JSONNode, _ value: JSONNode, into others: inout OtherMembers?, by table: RecordTable
    ) {
        at(key) { $0.takeUnknown(value, from: key, into: &others, by: table) }
    }

    /// Does something where the member with this key is.
    private mutating func at(_ key: JSONNode, _ work: (inout RecordReader) -> Void) {
        if key.kind == .string {
            place.enter(key.text)
            work(&self)
        } else {
            var name = key.string ?? ""
            name.withUTF8 { name in
                place.enter(name)
                work(&self)
            }
        }
        place.leave()
    }

    private mutating func takeUnknown(
        _ value: JSONNode, from key: JSONNode, into others: inout OtherMembers?, by table: RecordTable
    ) {
        guard table.takesOthers, value.kind != .object, others?.isFull != true else {
            return noteUnexpected(key, table)
        }
        if table.othersMeanAbsent(value) { return ledger.note(.defaulted, .sentinel, at: place) }
        var members = others.take() ?? OtherMembers()
        let taking = members.take(key.string ?? "", JSONValue(value).withPlainNumbers) { table.writes($0) }
        others = consume members
        switch taking {
        case .alone: break
        case .again: note(.duplicateKey, .duplicate, expected: "it once")
        case .collided: note(.collision, .collision, expected: "another key")
        }
    }

    /// The members of an object whose keys are data; those that are objects or too many are dropped and counted.
    mutating func openMembers(of node: JSONNode, _ rules: FieldRules) -> [JSONValue.Member] {
        var members = OtherMembers(keepsKeys: true)
        for (key, value) in node.members {
            at(key) { $0.takeOpen(value, from: key, into: &members, rules) }
        }
        return members.list
    }

    private mutating func takeOpen(
        _ value: JSONNode, from key: JSONNode, into members: inout OtherMembers, _ rules: FieldRules
    ) {
        if value.kind == .object || members.isFull {
            return note(.dropped, members.isFull ? .tooMany : .mistyped, expected: "a scalar or a list")
        }
        if rules.meanAbsent(value) { return note(.defaulted, .sentinel, expected: "a value") }
        let value = JSONValue(value).withPlainNumbers
        guard members.take(key.string ?? "", value, isReserved: { _ in false }) == .again else { return }
        note(.duplicateKey, .duplicate, expected: "it once")
    }

    private mutating func noteUnexpected(_ key: JSONNode, _ table: RecordTable) {
        guard isStrict else { return ledger.note(.unexpectedKey, .unknownKey, at: place) }
        let names = table.fields.map(\.name)
        let nearest = NearestName.find(key.string ?? "", among: names)
        reason = .unknownKey
        recordFailure(expected: nearest.map { "\"\($0)\"" } ?? "one of " + names.joined(separator: ", "))
    }

    /// Notes that the value at hand is missing or wrong where it must not be.
    mutating func recordFailure(expected: String) {
        guard failures.count < ContractError.maximumFailures else { return }
        failures.append(failure(expected: expected))
    }

    private func failure(expected: String) -> ContractError.Failure {
        ContractError.Failure(path: place.path(indexed: true), reason: reason, expected: expected)
    }

    mutating func recordFailures(
        _ lacking: FieldSet, of table: RecordTable, _ reasons: [Int: DriftReport.Reason]
    ) {
        for (index, field) in table.fields.enumerated() where lacking.contains(index) {
            // A nested failure has been recorded where it happened.
            if reasons[index] == .invalid { continue }
            reason = reasons[index] ?? .missing
            place.enter(table.slots[index].name)
            recordFailure(expected: field.expectation)
            place.leave()
        }
    }

    /// What to throw for a document that cannot be read.
    @usableFromInline
    func error(expected: String) -> ContractError {
        ContractError(failures: failures.isEmpty ? [failure(expected: expected)] : failures)
    }
}
