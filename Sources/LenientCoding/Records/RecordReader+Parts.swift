extension RecordReader {
    /// Makes something of the part at hand; nil, and reported, where what it lacks makes it unusable.
    package mutating func part<Value>(_ name: StaticString, _ body: (inout RecordReader) -> Value?) -> Value? {
        at(name) { $0.part(body) }
    }

    /// Makes something of the value at hand; nil, and reported, where what it lacks makes it unusable.
    package mutating func part<Value>(_ body: (inout RecordReader) -> Value?) -> Value? {
        let start = mark()
        if let value = body(&self) {
            ledger.forget(start.ledger)
            return value
        }
        takeBack(to: start)
        note(.dropped, .invalid)
        return nil
    }

    /// A value that must be there: without it, the member called `name` is named, as missing or as what was wrong with it.
    package mutating func demand<Value>(_ value: Value?, _ name: StaticString) -> Value? {
        guard value == nil else { return value }
        at(name) { reader in
            reader.reason = reader.ledger.reasonOfLoss(at: reader.place) ?? .missing
            reader.recordFailure(expected: "a value")
        }
        return nil
    }

    /// Why nothing came of the document: all that `demand` found missing, or the document itself.
    package func failure(expected: String) -> ContractError { error(expected: expected) }

    /// Makes something of each element of the array at hand; those of which nothing comes are left out.
    package mutating func mapElements<Element, Value>(
        _ elements: [Element], _ transform: (Element, inout RecordReader) -> Value?
    ) -> [Value] {
        if elements.isEmpty { return [] }
        place.enterElements()
        defer { place.leave() }
        var values: [Value] = []
        values.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            place.go(toElement: index)
            if let value = transform(element, &self) { values.append(value) }
        }
        return values
    }
}

extension FieldRules {
    /// No rules.
    package static var none: FieldRules { FieldRules(isRequired: true, []) }

    /// Elements that cannot be read are removed and counted.
    package static var droppingInvalid: FieldRules { FieldRules(isRequired: true, [.dropInvalid]) }
}
