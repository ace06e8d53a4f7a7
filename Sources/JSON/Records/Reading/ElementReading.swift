// Unsafe: fills elements in the uninitialised storage of the array that receives them. Each element is initialised to a
// blank before it is filled, and deinitialised if it is dropped, so `count` elements are initialised at every point.
public import JSONText

extension RecordReader {
    /// The progress of reading an array.
    @usableFromInline
    struct ElementScan {
        let maximum: Int
        let dropsInvalid: Bool
        var index = -1
        var taken = 0
        var isValid = true
        /// The state of the account before the current element.
        var mark = ReadingAccount.Mark.start
    }

    /// Reads the elements of an array in order with `read`.
    ///
    /// Returns nil if the value is not an array, or if an element cannot be read and the rules do not drop it.
    @inlinable
    package mutating func readElements<Element>(
        of node: JSONNode, _ rules: FieldRules, expected: @autoclosure () -> String,
        _ read: (JSONNode, inout RecordReader) -> Element?
    ) -> [Element]? {
        guard node.kind == .array else { return fail(.mistyped) }
        if node.count == 0 { return [] }
        var elements: [Element] = []
        elements.reserveCapacity(Swift.min(node.count, rules.maximumElements, 1024))
        var scan = beginElements(rules)
        for element in node.elements {
            guard begin(&scan) else { continue }
            let value = read(element, &self)
            end(&scan, isRead: value != nil, expected: expected())
            if let value { elements.append(value) }
        }
        return endElements(scan) ? elements : fail(.invalid)
    }

    /// Reads the elements of an array, each in its place: `fill` fills a blank and returns whether it succeeded.
    ///
    /// Returns nil if the value is not an array, or if an element cannot be read and the rules do not drop it.
    @inlinable
    package mutating func fillElements<Element>(
        of node: JSONNode, _ rules: FieldRules, expected: @autoclosure () -> String, blank: () -> Element,
        _ fill: (JSONNode, inout Element, inout RecordReader) -> Bool
    ) -> [Element]? {
        guard node.kind == .array else { return fail(.mistyped) }
        if node.count == 0 { return [] }
        var scan = beginElements(rules)
        let capacity = Swift.min(node.count, rules.maximumElements)
        let elements = [Element](unsafeUninitializedCapacity: capacity) { storage, count in
            guard let first = storage.baseAddress else { return }
            for element in node.elements {
                guard begin(&scan) else { continue }
                let slot = first + count
                slot.initialize(to: blank())
                let isRead = fill(element, &slot.pointee, &self)
                if isRead { count += 1 } else { slot.deinitialize(count: 1) }
                end(&scan, isRead: isRead, expected: expected())
            }
        }
        return endElements(scan) ? elements : fail(.invalid)
    }

    @usableFromInline
    mutating func beginElements(_ rules: FieldRules) -> ElementScan {
        account.location.enterElements()
        return ElementScan(maximum: rules.maximumElements, dropsInvalid: rules.dropsInvalid)
    }

    /// Moves to the next element; returns false for one above the limit, which is counted, and if reading must stop.
    @usableFromInline
    mutating func begin(_ scan: inout ElementScan) -> Bool {
        if account.hasStopped { return false }
        scan.index += 1
        account.location.move(toElement: scan.index)
        if scan.taken == scan.maximum {
            account.reason = .tooMany
            noteDroppedElement(expected: "at most \(scan.maximum) elements")
            return false
        }
        if scan.dropsInvalid { scan.mark = account.mark() }
        return true
    }

    /// Accounts for the current element.
    ///
    /// An element that could not be read is dropped, with what was noted inside it, if the rules say so; otherwise it
    /// fails its array.
    @usableFromInline
    mutating func end(_ scan: inout ElementScan, isRead: Bool, expected: @autoclosure () -> String) {
        if isRead {
            scan.taken += 1
            if scan.dropsInvalid { account.keep(scan.mark) }
        } else if scan.dropsInvalid {
            if account.isStrict { account.keep(scan.mark) } else { account.rollBack(to: scan.mark) }
            noteDroppedElement(expected: expected())
        } else {
            recordElementFailure(expected: expected())
            scan.isValid = false
        }
    }

    /// Leaves the array; returns whether all its elements were read or dropped.
    @usableFromInline
    mutating func endElements(_ scan: ElementScan) -> Bool {
        account.location.leave()
        return scan.isValid
    }

    /// Strict reading drops nothing: a dropped element is a failure.
    private mutating func noteDroppedElement(expected: String) {
        if account.isStrict { return recordElementFailure(expected: expected) }
        account.noteRepair(.dropped, reason)
    }

    /// Records that the current element fails its array, unless a failure inside it was recorded.
    private mutating func recordElementFailure(expected: String) {
        if reason != .invalid { account.recordFailure(expected: expected) }
    }
}
