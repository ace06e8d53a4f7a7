public import JSONText

/// A type of the keys of a dictionary that is a field of a record.
///
///     extension UInt16: FieldKey {}
public protocol FieldKey: Hashable, Comparable, LosslessStringConvertible, Sendable {}

extension String: FieldKey {}
extension Int: FieldKey {}

/// An object whose keys are data and whose values all have one type: `{"1":{"name":"a"},"2":{"name":"b"}}`.
///
///     struct Standings: Record {
///         var points: [Int: Double] = [:], notes: [String: Alert]?
///         static let schema = Schema<Standings> {
///             Field(\.points)
///             Field(\.notes, .dropInvalid, .atMost(50))
///         }
///     }
///
/// The rules of the field, such as a range, hold for each value. Members whose value, or whose key, cannot be read fail the
/// field, unless `.dropInvalid` drops them; strict reading leaves out members that are null. If a key occurs more than once,
/// the last member counts.
extension Dictionary: FieldValue where Key: FieldKey, Value: FieldValue {
    /// An object.
    public static var expectation: String { "an object" }

    /// The expectation of the type of the values.
    public static var elementExpectation: String? { Value.expectation }

    /// Members whose keys are data, each with what the values contain.
    public static var members: FieldMembers { FieldMembers { .values(Value.members) } }

    /// The schema of an object with any keys.
    public static func schema(in components: inout SchemaComponents) -> JSONValue {
        let value = components.absentable(Value.schema(in: &components))
        return .object([.init("type", .string("object")), .init("additionalProperties", value)])
    }

    /// Reads the members of an object.
    public static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> [Key: Value]? {
        reader.readMembers(of: node, rules)
    }

    /// Writes the members, sorted by their keys.
    public func write(to writer: inout JSONWriter, style: WritingStyle) {
        writer.write(byte: UInt8(ascii: "{"))
        var isFirst = true
        for (key, value) in sorted(by: { $0.key < $1.key }) {
            let name = key.description
            guard let style = style.selection.map({ style.within($0.root.extent(of: name)) }) ?? style else { continue }
            if !isFirst { writer.write(byte: UInt8(ascii: ",")) }
            isFirst = false
            writer.write(name)
            writer.write(byte: UInt8(ascii: ":"))
            value.write(to: &writer, style: style)
        }
        writer.write(byte: UInt8(ascii: "}"))
    }
}

extension RecordReader {
    fileprivate mutating func readMembers<Key: FieldKey, Value: FieldValue>(
        of node: JSONNode, _ rules: FieldRules
    ) -> [Key: Value]? {
        guard node.kind == .object else { return fail(.mistyped) }
        var values: [Key: Value] = [:]
        values.reserveCapacity(Swift.min(node.count, rules.maximumElements, 1024))
        var isValid = true
        for (name, value) in node.members {
            if account.mustStop(at: name) { break }
            at(name, isData: true) { reader in
                if !reader.take(value, of: name, into: &values, rules) { isValid = false }
            }
        }
        return isValid ? values : fail(.invalid)
    }

    /// Takes a member of an object whose keys are data; returns false if it fails the object.
    private mutating func take<Key: FieldKey, Value: FieldValue>(
        _ node: JSONNode, of key: JSONNode, into values: inout [Key: Value], _ rules: FieldRules
    ) -> Bool {
        guard let name = string(of: key) else { return reject(nil, reason, Value.expectation, rules) }
        // "+1" and "01" are not the text of a number, and would be the same key as "1".
        guard let key = Key(name), key.description == name else {
            return reject(nil, .mistyped, Value.expectation, rules)
        }
        if values[key] != nil {
            account.noteDuplicate()
        } else if values.count >= rules.maximumElements {
            account.note(.dropped, .tooMany, expected: "at most \(rules.maximumElements) members")
            return true
        }
        if node.isNull, account.isStrict { return true }
        let mark = account.mark()
        if let value = Value.read(node, rules, &self) {
            account.keep(mark)
            values[key] = value
            return true
        }
        return reject(mark, reason, Value.expectation, rules)
    }

    private mutating func reject(
        _ mark: ReadingAccount.Mark?, _ reason: DriftReport.Reason, _ expected: String, _ rules: FieldRules
    ) -> Bool {
        let drops = rules.dropsInvalid || reason == .sentinel
        if let mark { if drops, !account.isStrict { account.rollBack(to: mark) } else { account.keep(mark) } }
        account.reason = reason
        if drops, !account.isStrict {
            account.noteRepair(reason == .sentinel ? .defaulted : .dropped, reason)
        } else if reason != .invalid {
            account.recordFailure(expected: rules.expectation(of: expected))
        }
        return drops && !account.isStrict
    }
}

/// An object whose keys are data and keep their spelling: `{"hrrr_0-18": "2026-02-06 19Z"}`.
///
/// Its values are scalars and lists. Sentinels are left out, and the last value of a duplicate key counts.
///
///     struct Flags: Record {
///         var sourceTimes: OpenMap?
///         static let schema = Schema<Flags> { Field(\.sourceTimes) }
///     }
public struct OpenMap: FieldValue, Hashable {
    /// The members, in the order in which the keys first appeared.
    public var members: [JSONValue.Member]

    /// A map of the given members.
    public init(_ members: [JSONValue.Member] = []) { self.members = members }

    /// The schema of an object with any keys.
    public static func schema(in components: inout SchemaComponents) -> JSONValue { .schema(ofType: "object") }

    /// Members whose keys are data.
    public static var members: FieldMembers { .anything }

    /// Reads an object; nested objects are dropped and counted.
    public static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> OpenMap? {
        guard node.kind == .object else { return reader.fail(.mistyped) }
        return OpenMap(reader.openMembers(of: node, rules))
    }

    /// Writes the members in order.
    public func write(to writer: inout JSONWriter, style: WritingStyle) {
        JSONValue.object(members).write(to: &writer, style: style)
    }
}
