public import JSONText

extension OpenEnum: FieldValue {
    /// A string.
    public static var expectation: String { "a string" }

    /// A string, with the values that are listed as examples: others may come.
    public static func schema(in components: inout SchemaComponents) -> JSONValue {
        let listed = Known.allCases.map { JSONValue.string($0.rawValue) }
        return .object([.init("type", .string("string")), .init("examples", .array(listed))])
    }

    /// Reads a string; one that is not listed is reported and kept.
    public static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> Self? {
        guard let text = String.read(node, rules, &reader) else { return nil }
        let value = Self(text)
        if case .unknown = value { reader.noteUnrecognized(expected: expectation) }
        return value
    }

    /// Writes the text.
    @inlinable
    public func write(to writer: inout JSONWriter, style: WritingStyle) { writer.write(rawValue) }

    /// Access to a field of this type: a listed value is found by its bytes.
    @inlinable
    public static func access(_ rules: FieldRules) -> FieldAccess {
        let listed = ListedValues(Known.allCases.map { ($0.rawValue, Self.known($0)) }, rules)
        return FieldAccess(
            read: { node, field, reader in
                guard let value = listed.find(node) ?? Self.read(node, rules, &reader) else { return false }
                field.assumingMemoryBound(to: Self.self).pointee = value
                return true
            },
            clear: { _ in },
            write: { field, key, writer, _ in
                writer.write(raw: key)
                writer.write(field.assumingMemoryBound(to: Self.self).pointee.rawValue)
                return true
            })
    }

    /// Access to a field of this type that may be absent: a listed value is found by its bytes.
    @inlinable
    public static func optionalAccess(_ rules: FieldRules) -> FieldAccess {
        let listed = ListedValues(Known.allCases.map { ($0.rawValue, Self.known($0)) }, rules)
        return FieldAccess(
            read: { node, field, reader in
                guard let value = listed.find(node) ?? Self.read(node, rules, &reader) else { return false }
                field.assumingMemoryBound(to: Self?.self).pointee = value
                return true
            },
            clear: { $0.assumingMemoryBound(to: Self?.self).pointee = nil },
            write: { field, key, writer, _ in
                guard let value = field.assumingMemoryBound(to: Self?.self).pointee else { return false }
                writer.write(raw: key)
                writer.write(value.rawValue)
                return true
            })
    }
}

/// The values that an enumeration lists, found by the bytes of their text.
@usableFromInline
struct ListedValues<Value: Sendable>: Sendable {
    @usableFromInline let index: KeyIndex
    @usableFromInline let values: [Value]

    /// Leaves out those that the rules say mean "no value".
    @usableFromInline
    init(_ values: [(text: String, value: Value)], _ rules: FieldRules) {
        self.values = values.map(\.value)
        index = KeyIndex(
            values.enumerated().filter { !rules.absentStrings.contains($1.text) }.map { ($1.text, $0) })
    }

    @inlinable
    func find(_ node: JSONNode) -> Value? {
        guard node.kind == .string, let number = index[node.text] else { return nil }
        return values[number]
    }
}
