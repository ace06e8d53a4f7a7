import JSONText

/// What a `RecordReader` keeps account of: the location it has reached, repairs, and failures.
@usableFromInline
struct ReadingAccount: ~Copyable {
    /// A state to which the account can be rolled back when an element or a field is left out.
    @usableFromInline
    struct Mark: Sendable {
        fileprivate let ledger: Int
        fileprivate let failures: Int
        fileprivate let discardedFailures: Bool

        static let start = Mark(ledger: 0, failures: 0, discardedFailures: false)
    }

    /// Why the last value could not be read.
    var reason = DriftReport.Reason.mistyped
    /// The location of the value being read.
    ///
    /// Scalar fields enter it only when something is reported.
    var location = LocationStack()
    /// Whether a repair is a failure.
    let isStrict: Bool
    /// Whether a wrong value of an optional field fails its record.
    let refusesMistyped: Bool
    /// Whether a string with a lone surrogate cannot be read.
    private let refusesLoneSurrogates: Bool
    /// The names that were converted so far.
    var convertedKeys = ConvertedKeys()
    /// The objects and unknown members to read before the next question whether reading must stop; negative if it must.
    private var readsBeforeCheck = 0
    private var failures: [ContractError.Failure] = []
    /// Whether failures will be rolled back, whatever they are; rendering their paths takes most of the time of an element
    /// that is dropped.
    private var discardsFailures = false
    /// The number of failures beyond the maximum.
    private var otherFailures = 0
    private var ledger = DriftLedger()

    init(isStrict: Bool, refusesMistyped: Bool = false, refusesLoneSurrogates: Bool = false) {
        self.isStrict = isStrict
        self.refusesMistyped = refusesMistyped
        self.refusesLoneSurrogates = refusesLoneSurrogates
    }

    /// Whether the reason is one for which a rule of the field, and not the decoder, leaves the value out.
    var isRepairOfTheField: Bool { reason == .sentinel || reason == .implausible }

    /// Returns whether a value that could not be read fails its record although the field is optional.
    func refuses(_ value: JSONNode) -> Bool { refusesMistyped && !value.isNull && !isRepairOfTheField }

    var hasFailures: Bool { !failures.isEmpty }
    var report: DriftReport { ledger.report }

    /// The error of a document that cannot be read: all failures, or the document itself as the only one.
    func error(expected: String) -> ContractError {
        ContractError(failures: failures.isEmpty ? [failure(expected: expected)] : failures, others: otherFailures)
    }

    private func failure(expected: String) -> ContractError.Failure {
        ContractError.Failure(
            path: location.path(indexed: true), reason: reason, expected: expected, keys: location.keys)
    }
}

// Deadlines.
extension ReadingAccount {
    private static let readsBetweenChecks = 1024

    /// Whether reading had to stop.
    var hasStopped: Bool { readsBeforeCheck < 0 }

    /// Returns whether reading must stop, which is looked up once for many calls; then the value at hand is not read.
    @inline(__always)
    mutating func mustStop(at node: JSONNode) -> Bool {
        readsBeforeCheck &-= 1
        return readsBeforeCheck < 0 && isExpired(at: node)
    }

    @inline(never)
    private mutating func isExpired(at node: JSONNode) -> Bool {
        if node.isExpired { return true }
        readsBeforeCheck = Self.readsBetweenChecks
        return false
    }
}

// Marks.
extension ReadingAccount {
    /// Returns a mark that must be passed to `keep` or `rollBack`.
    ///
    /// With `discardingFailures`, failures are not recorded until then or until another mark: each means a roll-back.
    mutating func mark(discardingFailures: Bool = false) -> Mark {
        defer { discardsFailures = discardingFailures }
        return Mark(ledger: ledger.mark(), failures: failures.count, discardedFailures: discardsFailures)
    }

    /// Keeps what was noted since `mark`.
    mutating func keep(_ mark: Mark) {
        discardsFailures = mark.discardedFailures
        ledger.forget(mark.ledger)
    }

    /// The path of the first failure since `mark`.
    func firstFailure(since mark: Mark) -> String? { failures.dropFirst(mark.failures).first?.path }

    /// Removes what was noted since `mark`.
    mutating func rollBack(to mark: Mark) {
        discardsFailures = mark.discardedFailures
        ledger.rollBack(to: mark.ledger)
        failures.removeSubrange(mark.failures...)
    }
}

// Repairs and failures, all at the current location.
extension ReadingAccount {
    /// Notes a repair; in strict reading it is a failure, which names what was `expected`.
    mutating func note(_ kind: DriftReport.Kind, _ reason: DriftReport.Reason, expected: String) {
        guard isStrict else { return noteRepair(kind, reason) }
        self.reason = reason
        recordFailure(expected: expected)
    }

    /// Notes a repair that strict reading allows too.
    mutating func noteRepair(
        _ kind: DriftReport.Kind, _ reason: DriftReport.Reason, count: Int = 1, example: String? = nil
    ) {
        guard let example else { return ledger.note(kind, reason, count: count, at: &location) }
        let hash = location.hash()
        ledger.note(kind, reason, hash: hash, from: location.origin) { [path = location.path(indexed: false)] in
            $0 ? example : path
        }
    }

    /// Notes that U+FFFD replaces a lone surrogate in the current value; returns false, with the reason, if it must not.
    mutating func takesLoneSurrogate() -> Bool {
        if refusesLoneSurrogates {
            reason = .loneSurrogate
            return false
        }
        note(.coerced, .loneSurrogate, expected: "text without half a surrogate pair")
        return true
    }

    /// Notes that a key appears twice.
    mutating func noteDuplicate() { note(.duplicateKey, .duplicate, expected: "it once") }

    /// Notes that the key of a field appears twice.
    @inline(never)
    mutating func noteDuplicate(of index: Int, _ key: JSONNode, in table: RecordTable) {
        location.enter(table.slots[index].name, key: key.plainText)
        noteDuplicate()
        location.leave()
    }

    /// Records that the current value is missing or wrong where it must not be.
    mutating func recordFailure(expected: String) {
        if discardsFailures { return }
        guard failures.count < ContractError.maximumFailures else {
            otherFailures += 1
            return
        }
        failures.append(failure(expected: expected))
    }

    /// Records a failure for each required field that is `missing`, with its reason where it was present but wrong.
    mutating func recordFailures(_ missing: FieldSet, of table: RecordTable, _ reasons: [Int: DriftReport.Reason]) {
        if discardsFailures { return }
        for (index, field) in table.fields.enumerated() where missing.contains(index) {
            // A failure inside a nested record was recorded there.
            if reasons[index] == .invalid { continue }
            reason = reasons[index] ?? .missing
            location.enter(table.slots[index].name)
            recordFailure(expected: field.expectation)
            location.leave()
        }
    }

    /// Records that a required member was not usable, with the reason for which it was left out, if it was.
    mutating func recordLoss() {
        if discardsFailures { return }
        reason = ledger.reasonOfLoss(at: &location) ?? .missing
        recordFailure(expected: "a value")
    }
}

extension JSONNode {
    /// The bytes of a key in the document; nil if the key has escapes.
    var plainText: UnsafeBufferPointer<UInt8>? { kind == .string ? text : nil }
}
