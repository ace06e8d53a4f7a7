extension RecordReader {
    /// Makes something of the part at hand; nil, and reported, where what it lacks makes it unusable.
    @inlinable
    package mutating func part<Value>(_ name: StaticString, _ body: (inout RecordReader) -> Value?) -> Value? {
        at(name) { $0.part(body) }
    }

    /// Makes something of the value at hand; nil, and reported, where what it lacks makes it unusable.
    @inlinable
    package mutating func part<Value>(_ body: (inout RecordReader) -> Value?) -> Value? {
        let start = beginPart()
        let value = body(&self)
        endPart(start, isUsable: value != nil)
        return value
    }

    @usableFromInline
    mutating func beginPart() -> Mark { mark() }

    @usableFromInline
    mutating func endPart(_ start: Mark, isUsable: Bool) {
        if isUsable { return ledger.forget(start.ledger) }
        takeBack(to: start)
        note(.dropped, .invalid)
    }

    /// A value that must be there: without it, the member called `name` is named, as missing or as what was wrong with it.
    @inlinable
    package mutating func demand<Value>(_ value: Value?, _ name: StaticString) -> Value? {
        if value == nil { recordLack(of: name) }
        return value
    }

    @usableFromInline
    mutating func recordLack(of name: StaticString) {
        at(name) { reader in
            reader.reason = reader.ledger.reasonOfLoss(at: reader.place) ?? .missing
            reader.recordFailure(expected: "a value")
        }
    }

    /// Why nothing came of the document: all that `demand` found missing, or the document itself.
    package func failure(expected: String) -> ContractError { error(expected: expected) }

    /// Makes something of each element of the array at hand; those of which nothing comes are left out.
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
            go(toElement: index)
            if let value = transform(elements[index], &self) { values.append(value) }
        }
        return values
    }

    @usableFromInline
    mutating func enterElements() { place.enterElements() }

    @usableFromInline
    mutating func go(toElement index: Int) { place.go(toElement: index) }
}

extension FieldRules {
    /// No rules.
    package static var none: FieldRules { FieldRules(isRequired: true, []) }

    /// Elements that cannot be read are removed and counted.
    package static var droppingInvalid: FieldRules { FieldRules(isRequired: true, [.dropInvalid]) }
}
