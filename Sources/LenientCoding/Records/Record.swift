public import JSONText

/// A model whose one table of fields says how it is read from untidy JSON and written as clean JSON.
///
///     public struct Alert: Record {
///         public var title: String?, regions: [String]?, severity: OpenEnum<Severity>?
///         public init() {}
///         public static let schema = Schema<Alert> {
///             Field(\.title)
///             Field(\.regions, .dropInvalid)
///             Field(\.severity, .note("advisory, watch or warning"))
///         }
///     }
///
/// `init()` makes the blank that is filled in place; its values stand wherever the document says nothing.
public protocol Record: FieldValue {
    /// The blank record.
    init()
    /// The table of fields, in the order in which they are written.
    static var schema: Schema<Self> { get }
}

extension Record {
    /// Reads a record from a parsed value; the report says what had to be repaired.
    /// - Throws: `ContractError` naming every required field that is missing or wrong.
    public static func read(_ node: JSONNode) throws(ContractError) -> (record: Self, drift: DriftReport) {
        var reader = RecordReader()
        var record = Self()
        guard reader.fill(&record, from: node) else {
            let failures = reader.failures
            throw ContractError(failures: failures.isEmpty ? [reader.failure(Self.expectation)] : failures)
        }
        return (record, reader.report)
    }

    /// Reads a record that must be all that its table says, as a configuration must: nothing is repaired or ignored.
    /// - Throws: `ContractError` naming everything that is missing, wrong, unknown or there twice.
    public static func readStrictly(_ node: JSONNode) throws(ContractError) -> Self {
        var reader = RecordReader(isStrict: true)
        var record = Self()
        let isRead = reader.fill(&record, from: node)
        if !reader.failures.isEmpty { throw ContractError(failures: reader.failures) }
        if !isRead { throw ContractError(failures: [reader.failure(Self.expectation)]) }
        return record
    }

    /// Writes the record as a JSON object: its fields in the order of the table, absent ones left out.
    public func write(to writer: inout JSONWriter) {
        Self.schema.table.write(self, to: &writer)
    }

    /// Reads a record that is a field or an element of another one.
    public static func read(
        _ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader
    ) -> Self? {
        var record = Self()
        return reader.fill(&record, from: node) ? record : nil
    }
}
