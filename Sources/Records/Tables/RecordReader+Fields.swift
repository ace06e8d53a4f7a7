package import JSONText

/// Reading for upstreams that spell a record's fields in another shape, such as a column for each field.
///
/// The upstream's reader goes to each value and names the field by whose rules it is read; paths name the places of the
/// upstream.
extension RecordReader {
    /// A reader of documents in `si` that repairs what it can.
    package init() { self.init(in: .base) }

    /// What was repaired so far.
    package var drift: DriftReport { ledger.report }

    /// Throws what `require` found missing or wrong.
    /// - Throws: `ContractError` with all of it.
    package func check() throws(ContractError) {
        if hasFailures { throw error(expected: "") }
    }

    /// Goes to the member called `name` for the time of `body`.
    @inlinable
    package mutating func at<Result>(_ name: StaticString, _ body: (inout RecordReader) -> Result) -> Result {
        enter(name)
        defer { leave() }
        return body(&self)
    }

    @usableFromInline
    mutating func enter(_ name: StaticString) {
        place.enter(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    }

    @usableFromInline
    mutating func leave() { place.leave() }

    /// Goes to the member of `key` for the time of `body`.
    package mutating func at<Result>(_ key: JSONNode, _ body: (inout RecordReader) -> Result) -> Result {
        var name = key.string ?? ""
        return name.withUTF8 { name in
            place.enter(name)
            defer { place.leave() }
            return body(&self)
        }
    }

    /// Goes to each element of the array at hand in turn.
    package mutating func atElements(of array: JSONNode, _ body: (Int, JSONNode, inout RecordReader) -> Void) {
        place.enterElements()
        defer { place.leave() }
        for (index, element) in array.elements.enumerated() {
            place.go(toElement: index)
            body(index, element, &self)
        }
    }

    /// Notes what became of the value at hand.
    package mutating func note(_ kind: DriftReport.Kind, _ reason: DriftReport.Reason) {
        ledger.note(kind, reason, at: place)
    }

    /// Whether the value at hand is an object; a failure of the document when it is not.
    package mutating func requireObject(_ node: JSONNode) -> Bool {
        if node.kind == .object { return true }
        reason = node.isNull ? .null : .mistyped
        recordFailure(expected: "an object")
        return false
    }

    /// Reads the value at hand, by the rules of a field; a failure of the document when it is missing or wrong.
    package mutating func require<Value>(_ node: JSONNode?, as field: SchemaField<Value>) -> Value? {
        guard let node, !node.isNull else {
            reason = node == nil ? .missing : .null
            recordFailure(expected: field.expectation)
            return nil
        }
        let value = Value.read(node, field.rules, &self)
        if value == nil { recordFailure(expected: field.expectation) }
        return value
    }

    /// Reads the value at hand, by the rules of a field; absent when it is null, and when it is wrong, which is noted.
    package mutating func read<Value>(_ node: JSONNode, as field: SchemaField<Value>) -> Value? {
        read(node) { Value.read($0, field.rules, &$1) }
    }

    /// Reads the number at hand and converts it, by the rules of a field.
    ///
    /// What means "no value" does so in any unit; the range is that of the converted number.
    package mutating func number(
        _ node: JSONNode, as field: SchemaField<Double>, converted step: Conversion.Step?
    ) -> Double? {
        guard let step else { return read(node, as: field) }
        return read(node) { node, reader in
            guard let number = Double.read(node, field.rulesBeforeConversion, &reader) else { return nil }
            let value = step(number)
            return field.accepts(value) ? value : reader.fail(.implausible)
        }
    }

    /// Reads the value at hand by `attempt`; absent when it is null, and when it is wrong, which is noted.
    package mutating func read<Value>(
        _ node: JSONNode, _ attempt: (JSONNode, inout RecordReader) -> Value?
    ) -> Value? {
        if node.isNull { return nil }
        let start = mark()
        if let value = attempt(node, &self) {
            ledger.forget(start.ledger)
            return value
        }
        takeBack(to: start)
        note(reason == .sentinel ? .defaulted : .dropped, reason)
        return nil
    }
}
