package import JSONText

/// One field of a schema, for values that do not stand under the field's key in an object of its record.
///
///     static let gust = DataPoint.schema.field(\.windGust)
///     let value = reader.number(node, as: gust, converted: kilometresPerHour)
package struct SchemaField<Value: FieldValue>: Sendable {
    /// The field's rules.
    package let rules: FieldRules
    /// The rules without the range, which applies only after a number is converted to the base unit.
    let rulesBeforeConversion: FieldRules
    /// What the field takes, in words for an error.
    let expectation: String

    fileprivate init(_ field: RecordTable.Field) {
        rules = field.rules
        var open = field.rules
        open.plausible = nil
        rulesBeforeConversion = open
        expectation = field.expectation
    }

    /// Returns whether the field can have this number, in base units: it is finite, plausible and not a sentinel.
    package func accepts(_ number: Double) -> Bool {
        number.isFinite && !rules.absentNumbers.contains(number) && rules.plausible?.contains(number) ?? true
    }
}

extension Schema {
    /// The field of a property.
    package func field<Value: FieldValue>(_ property: WritableKeyPath<Root, Value>) -> SchemaField<Value> {
        SchemaField(line(of: property))
    }

    /// The field of an optional property.
    package func field<Value: FieldValue>(_ property: WritableKeyPath<Root, Value?>) -> SchemaField<Value> {
        SchemaField(line(of: property))
    }

    private func line(of property: PartialKeyPath<Root>) -> RecordTable.Field {
        let offset = MemoryLayout<Root>.offset(of: property)
        guard let field = table.field(at: offset) else {
            // Tables are constants of the program, so no input reaches the trap.
            preconditionFailure("\(Root.self) has no line for \(property)")
        }
        return field
    }
}

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
