// Unsafe: fills elements in the uninitialised storage of the array that receives them. Each element is initialised to a
// blank before it is filled, and deinitialised if it is dropped, so `count` elements are initialised at every point.
public import JSONText

extension RecordReader {
    /// The progress of reading an array.
    @usableFromInline
    struct ElementScan {
        let node: JSONNode
        let count: Int
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
        collectElements(of: node, rules, expected: expected()) { element, slot, reader in
            guard let value = read(element, &reader) else { return false }
            slot.initialize(to: value)
            return true
        }
    }

    /// Reads the elements of an array, each in its place: `fill` fills a blank and returns whether it succeeded.
    ///
    /// Returns nil if the value is not an array, or if an element cannot be read and the rules do not drop it.
    @inlinable
    package mutating func fillElements<Element>(
        of node: JSONNode, _ rules: FieldRules, expected: @autoclosure () -> String, blank: () -> Element,
        _ fill: (JSONNode, inout Element, inout RecordReader) -> Bool
    ) -> [Element]? {
        collectElements(of: node, rules, expected: expected()) { element, slot, reader in
            slot.initialize(to: blank())
            if fill(element, &slot.pointee, &reader) { return true }
            slot.deinitialize(count: 1)
            return false
        }
    }

    /// Collects the elements of an array; `read` returns whether it has initialised the slot.
    @inlinable @inline(__always)
    mutating func collectElements<Element>(
        of node: JSONNode, _ rules: FieldRules, expected: @autoclosure () -> String,
        _ read: (JSONNode, UnsafeMutablePointer<Element>, inout RecordReader) -> Bool
    ) -> [Element]? {
        guard node.kind == .array else { return fail(.mistyped) }
        if node.count == 0 { return [] }
        var scan = beginElements(of: node, rules)
        let capacity = Swift.min(node.count, rules.maximumElements)
        let elements = [Element](unsafeUninitializedCapacity: capacity) { storage, count in
            guard let first = storage.baseAddress else { return }
            for element in node.elements {
                guard begin(&scan) else { break }
                let isRead = read(element, first + count, &self)
                if isRead { count += 1 }
                end(&scan, isRead: isRead, expected: expected())
            }
        }
        return endElements(scan) ? elements : fail(.invalid)
    }

    @usableFromInline
    mutating func beginElements(of node: JSONNode, _ rules: FieldRules) -> ElementScan {
        account.location.enterElements()
        return ElementScan(
            node: node, count: node.count, maximum: rules.maximumElements, dropsInvalid: rules.dropsInvalid)
    }

    /// Moves to the next element; returns false if no more are read, because reading must stop or the limit is reached.
    ///
    /// The limit is one of elements that were read, and one of elements that could not be: millions of those would take a
    /// microsecond each. The elements above it are counted.
    @usableFromInline
    mutating func begin(_ scan: inout ElementScan) -> Bool {
        if account.hasStopped { return false }
        scan.index += 1
        account.location.move(toElement: scan.index)
        if scan.taken == scan.maximum || scan.index - scan.taken == scan.maximum {
            account.reason = .tooMany
            noteDroppedElements(scan.count - scan.index, expected: "at most \(scan.maximum) elements")
            return false
        }
        if scan.dropsInvalid { scan.mark = account.mark(discardingFailures: !account.isStrict) }
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
            noteDroppedElements(1, expected: expected())
            // A document can have millions of them; `begin` looks at the outcome.
            _ = account.mustStop(at: scan.node)
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
    private mutating func noteDroppedElements(_ count: Int, expected: @autoclosure () -> String) {
        if account.isStrict { return recordElementFailure(expected: expected()) }
        account.noteRepair(.dropped, reason, count: count)
    }

    /// Records that the current element fails its array, unless a failure inside it was recorded.
    private mutating func recordElementFailure(expected: String) {
        if reason != .invalid { account.recordFailure(expected: expected) }
    }
}

extension RecordReader {
    /// Reads the first `count` elements of the current array as numbers by the rules of a field, into `values` from `start`
    /// on.
    ///
    /// Nulls are left out; so are elements that cannot be read and those from `count` on, which is noted.
    package mutating func readNumbers(
        of array: JSONNode, first count: Int, as field: SchemaField<Double>, converted step: Conversion.Step?,
        into values: inout [Double], at start: Int
    ) {
        enterElements()
        defer { leave() }
        let bounds = NumberBounds(field.rules, in: .base)
        for (index, element) in array.elements.enumerated() {
            if account.mustStop(at: array) { return }
            if index < count, let number = element.double, number != bounds.absent {
                let value = step.map { $0(number) } ?? number
                if value >= bounds.lowest, value <= bounds.highest {
                    // Drops the sign of -0.
                    values[start + index] = value == 0 ? 0 : value
                    continue
                }
            }
            if element.isNull { continue }
            move(toElement: index)
            if index >= count {
                note(.dropped, .tooMany)
            } else if let value = self.number(element, as: field, converted: step) {
                values[start + index] = value
            }
        }
    }

    /// Returns the elements of an array if each one is a number that the field accepts as it is, or null, which is NaN.
    ///
    /// Returns nil for any other array, and for one of more than `maximum` elements. Notes nothing.
    package func plainNumbers(
        of array: JSONNode, as field: SchemaField<Double>, atMost maximum: Int
    ) -> [Double]? {
        guard array.kind == .array, array.count <= maximum else { return nil }
        let bounds = NumberBounds(field.rules, in: .base)
        var numbers: [Double] = []
        numbers.reserveCapacity(array.count)
        for element in array.elements {
            if let number = element.double, bounds.allow(number) {
                numbers.append(number)
            } else if element.isNull {
                numbers.append(.nan)
            } else {
                return nil
            }
        }
        return numbers
    }
}

// Elements of dialects whose documents have another shape than the record.
extension RecordReader {
    /// Enters each element of the current array in turn.
    package mutating func atElements(of array: JSONNode, _ body: (Int, JSONNode, inout RecordReader) -> Void) {
        enterElements()
        defer { leave() }
        for (index, element) in array.elements.enumerated() {
            if account.mustStop(at: array) { return }
            move(toElement: index)
            body(index, element, &self)
        }
    }

    /// Enters one element of the current array while `body` runs.
    package mutating func at<Result>(element index: Int, _ body: (inout RecordReader) -> Result) -> Result {
        enterElements()
        defer { leave() }
        move(toElement: index)
        return body(&self)
    }

    /// Transforms the elements of the current array; leaves out those for which `transform` returns nil.
    @inlinable
    package mutating func mapElements<Element, Value>(
        _ elements: [Element], _ transform: (Element, inout RecordReader) -> Value?
    ) -> [Value] {
        var elements = elements
        return mapElements(&elements) { transform($0, &$1) }
    }

    /// Transforms the elements of the current array, which may change; leaves out those for which `transform` returns nil.
    @inlinable
    package mutating func mapElements<Element, Value>(
        _ elements: inout [Element], _ transform: (inout Element, inout RecordReader) -> Value?
    ) -> [Value] {
        if elements.isEmpty { return [] }
        enterElements()
        defer { leave() }
        var values: [Value] = []
        values.reserveCapacity(elements.count)
        for index in elements.indices {
            move(toElement: index)
            if let value = transform(&elements[index], &self) { values.append(value) }
        }
        return values
    }

    @usableFromInline
    mutating func enterElements() { account.location.enterElements() }

    @usableFromInline
    mutating func move(toElement index: Int) { account.location.move(toElement: index) }
}
