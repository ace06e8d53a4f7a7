public import JSONText

extension RecordReader {
    /// How far the reading of an array has come.
    @usableFromInline
    struct ElementScan {
        let maximum: Int
        let dropsInvalid: Bool
        var index = -1
        var taken = 0
        var isWhole = true
        /// Where the account stood before the element at hand.
        var start = Mark(ledger: 0, failures: 0)
    }

    /// Reads the elements of an array by `read`, in order; nil when it is none, or one of them cannot be read and is not
    /// to be removed.
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
            // The element's last use is that it goes in: it is not copied.
            if let value = read(element, &self) {
                elements.append(value)
                end(&scan, isRead: true, expected: expected())
            } else {
                end(&scan, isRead: false, expected: expected())
            }
        }
        return endElements(scan) ? elements : fail(.invalid)
    }

    /// Reads the elements of an array each at its place: `fill` makes of a blank what an element is, or says that it is none.
    ///
    /// Nil when it is no array, or one of them cannot be read and is not to be removed.
    @inlinable
    package mutating func fillElements<Element>(
        of node: JSONNode, _ rules: FieldRules, expected: @autoclosure () -> String, blank: () -> Element,
        _ fill: (JSONNode, inout Element, inout RecordReader) -> Bool
    ) -> [Element]? {
        guard node.kind == .array else { return fail(.mistyped) }
        if node.count == 0 { return [] }
        var scan = beginElements(rules)
        let capacity = Swift.min(node.count, rules.maximumElements)
        let elements = [Element](unsafeUninitializedCapacity: capacity) { places, count in
            guard let first = places.baseAddress else { return }
            for element in node.elements {
                guard begin(&scan) else { continue }
                let place = first + count
                place.initialize(to: blank())
                let isRead = fill(element, &place.pointee, &self)
                if isRead { count += 1 } else { place.deinitialize(count: 1) }
                end(&scan, isRead: isRead, expected: expected())
            }
        }
        return endElements(scan) ? elements : fail(.invalid)
    }

    /// Goes to the elements of the array at hand; `endElements` returns from them.
    @usableFromInline
    mutating func beginElements(_ rules: FieldRules) -> ElementScan {
        place.enterElements()
        return ElementScan(maximum: rules.maximumElements, dropsInvalid: rules.dropsInvalid)
    }

    /// Goes to the next element; false when it is one too many, which is counted.
    @usableFromInline
    mutating func begin(_ scan: inout ElementScan) -> Bool {
        scan.index += 1
        place.go(toElement: scan.index)
        if scan.taken == scan.maximum {
            reason = .tooMany
            noteDroppedElement(expected: "at most \(scan.maximum) elements")
            return false
        }
        if scan.dropsInvalid { scan.start = mark() }
        return true
    }

    /// Accounts for the element at hand.
    ///
    /// One that could not be read is removed where the field says so, and what was noted inside it is taken back; else
    /// it fails its array.
    @usableFromInline
    mutating func end(_ scan: inout ElementScan, isRead: Bool, expected: @autoclosure () -> String) {
        if isRead {
            scan.taken += 1
            if scan.dropsInvalid { ledger.forget(scan.start.ledger) }
        } else if scan.dropsInvalid {
            if isStrict { ledger.forget(scan.start.ledger) } else { takeBack(to: scan.start) }
            noteDroppedElement(expected: expected())
        } else {
            recordElementFailure(expected: expected())
            scan.isWhole = false
        }
    }

    /// Returns to the array; whether it can stand.
    @usableFromInline
    mutating func endElements(_ scan: ElementScan) -> Bool {
        place.leave()
        return scan.isWhole
    }

    /// A strict reader drops nothing: what is wrong is a failure.
    private mutating func noteDroppedElement(expected: String) {
        if isStrict { return recordElementFailure(expected: expected) }
        ledger.note(.dropped, reason, at: place)
    }

    /// Notes that the element at hand fails its array, unless what is wrong inside it has been noted.
    private mutating func recordElementFailure(expected: String) {
        if reason != .invalid { recordFailure(expected: expected) }
    }
}
