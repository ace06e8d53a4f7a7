package import JSONText

/// Reading for upstream dialects whose documents have another shape than the record, such as a column for each field.
///
/// The dialect moves to each value and names the field whose rules apply; paths are those of the upstream's document.
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

    /// Enters the member of `key` while `body` runs.
    package mutating func at<Result>(_ key: JSONNode, _ body: (inout RecordReader) -> Result) -> Result {
        var name = key.string ?? ""
        return name.withUTF8 { name in
            account.location.enter(name)
            defer { leave() }
            return body(&self)
        }
    }

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

    /// Transforms the elements of the current array; leaves out those for which `transform` returns nil.
    @inlinable
    package mutating func mapElements<Element, Value>(
        _ elements: [Element], _ transform: (Element, inout RecordReader) -> Value?
    ) -> [Value] {
        if elements.isEmpty { return [] }
        enterElements()
        defer { leave() }
        var values: [Value] = []
        values.reserveCapacity(elements.count)
        for index in elements.indices {
            move(toElement: index)
            if let value = transform(elements[index], &self) { values.append(value) }
        }
        return values
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
    mutating func enter(_ name: StaticString) {
        account.location.enter(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    }

    @usableFromInline
    mutating func leave() { account.location.leave() }

    @usableFromInline
    mutating func enterElements() { account.location.enterElements() }

    @usableFromInline
    mutating func move(toElement index: Int) { account.location.move(toElement: index) }
}

// Reading values.
extension RecordReader {
    /// Returns whether the current value is an object; if not, the document fails.
    package mutating func requireObject(_ node: JSONNode) -> Bool {
        if node.kind == .object { return true }
        account.reason = node.isNull ? .null : .mistyped
        account.recordFailure(expected: "an object")
        return false
    }

    /// Reads the current value by the rules of a field; if it is missing or wrong, the document fails.
    package mutating func require<Value>(_ node: JSONNode?, as field: SchemaField<Value>) -> Value? {
        guard let node, !node.isNull else {
            account.reason = node == nil ? .missing : .null
            account.recordFailure(expected: field.expectation)
            return nil
        }
        let value = Value.read(node, field.rules, &self)
        if value == nil { account.recordFailure(expected: field.expectation) }
        return value
    }

    /// Reads the current value by the rules of a field.
    ///
    /// Returns nil if it is null, or if it is wrong, which is noted.
    package mutating func read<Value>(_ node: JSONNode, as field: SchemaField<Value>) -> Value? {
        read(node) { Value.read($0, field.rules, &$1) }
    }

    /// Reads the current number by the rules of a field and converts it.
    ///
    /// Sentinels are recognised before the conversion, the plausible range applies after it.
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

    /// Reads the current value with `attempt`.
    ///
    /// Returns nil if it is null, or if it is wrong, which is noted.
    package mutating func read<Value>(
        _ node: JSONNode, _ attempt: (JSONNode, inout RecordReader) -> Value?
    ) -> Value? {
        if node.isNull { return nil }
        let mark = account.mark()
        if let value = attempt(node, &self) {
            account.keep(mark)
            return value
        }
        account.rollBack(to: mark)
        note(reason == .sentinel ? .defaulted : .dropped, reason)
        return nil
    }
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

extension FieldRules {
    /// No rules.
    package static var none: FieldRules { FieldRules(isRequired: true, []) }

    /// Elements that cannot be read are dropped and counted.
    package static var droppingInvalid: FieldRules { FieldRules(isRequired: true, [.dropInvalid]) }
}
