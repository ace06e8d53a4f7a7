// Unsafe: passes the address of a record to its table for the duration of a call. See RecordReader.
public import JSONText

/// A model with one table of fields, which determines how it is read from untidy JSON and written as clean JSON.
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
/// `init()` makes the blank that is filled in place; its values remain for fields that the document lacks.
public protocol Record: FieldValue, Codable {
    /// The blank record.
    init()
    /// The table of fields, in the order in which they are written.
    static var schema: Schema<Self> { get }
    /// The units that a document says its numbers are in; the base units unless a record knows where to look.
    static func units(of document: JSONNode) -> Units
}

extension Record {
    /// The base units.
    public static func units(of document: JSONNode) -> Units { .base }

    /// Reads a record from a parsed value, with a report of the repairs.
    ///
    /// Ranges apply in the given units, or else in those that the document names. Numbers are not converted.
    ///
    ///     let (alert, drift) = try parser.withDocument(bytes) { root in try Alert.read(root) }
    ///
    /// - Throws: `ContractError` with every required field that is missing or wrong.
    public static func read(
        _ node: JSONNode, in units: Units? = nil
    ) throws(ContractError) -> (record: Self, drift: DriftReport) {
        var reader = RecordReader(in: units ?? Self.units(of: node))
        var record = Self()
        let isRead = reader.fill(&record, from: node)
        if !isRead { throw reader.account.error(expected: expectation) }
        return (record, reader.account.report)
    }

    /// Reads a record without repairs: everything must be as the table says, and nothing is ignored.
    ///
    ///     let alert = try parser.withDocument(bytes) { root in try Alert.readStrictly(root) }
    ///
    /// - Throws: `ContractError` with everything that is missing, wrong, unknown or duplicate.
    public static func readStrictly(_ node: JSONNode) throws(ContractError) -> Self {
        var reader = RecordReader(in: units(of: node), isStrict: true)
        var record = Self()
        let isRead = reader.fill(&record, from: node)
        if !isRead || reader.account.hasFailures { throw reader.account.error(expected: expectation) }
        return record
    }

    /// Reads a record that is a field or an element of another one.
    @inlinable
    public static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> Self? {
        var record = Self()
        return reader.fill(&record, from: node) ? record : nil
    }

    /// Reads an array of records, each of which is filled in its slot of the array.
    @inlinable
    public static func readElements(
        _ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader
    ) -> [Self]? {
        let table = schema.table
        return reader.fillElements(of: node, rules, expected: expectation, blank: { Self() }) { node, record, reader in
            withUnsafeMutablePointer(to: &record) { reader.fill(UnsafeMutableRawPointer($0), by: table, from: node) }
        }
    }

    /// Writes the record as a JSON object: its fields in the order of the table, without absent ones.
    @inlinable
    public func write(to writer: inout JSONWriter, style: WritingStyle) {
        let table = Self.schema.table
        withUnsafePointer(to: self) { table.write(UnsafeRawPointer($0), to: &writer, style: style) }
    }

    /// Writes records in order, each from its slot in the array.
    @inlinable
    public static func writeElements(_ elements: [Self], to writer: inout JSONWriter, style: WritingStyle) {
        let table = schema.table
        elements.withUnsafeBufferPointer { elements in
            for index in elements.indices {
                if index > 0 { writer.write(byte: UInt8(ascii: ",")) }
                guard let first = elements.baseAddress else { return }
                table.write(UnsafeRawPointer(first + index), to: &writer, style: style)
            }
        }
    }
}

extension Record {
    /// The record's fields.
    public static var members: FieldMembers { FieldMembers { .fields(schema.table) } }

    /// Reads a record by its table from any decoder.
    ///
    /// `LenientDecoder` reads it from the parsed document, by its leniency and its strategies for keys, dates and data. A
    /// field reads the member of its name, or else one whose name the key strategy converts to it.
    ///
    /// From another decoder the whole value is read as a `JSONValue` first, so every rule of the table applies, and the
    /// decoder's strategies do not. Repairs are noted in the decoder's `driftRecorder`.
    ///
    ///     let forecast = try JSONDecoder().decode(Forecast.self, from: data)
    ///
    /// - Throws: `DecodingError.dataCorrupted` with the coding path of the first field that is missing or wrong, and an
    ///   underlying `ContractError` with all of them.
    public init(from decoder: any Decoder) throws {
        if let document = decoder as? any DocumentDecoder {
            self = try Self.read(document.documentNode(), from: decoder, document.recordRules)
            return
        }
        let value = try JSONValue(from: decoder)
        let text = JSONWriter.bytes(expecting: 1024) { value.write(to: &$0) }
        var parser = JSONParser(options: JSONOptions(maximumBytes: .max))
        self = try parser.withDocument(text) { try Self.read($0, from: decoder) }
    }

    private static func read(_ node: JSONNode, from decoder: any Decoder, _ rules: DecoderRules? = nil) throws -> Self {
        var reader = RecordReader(in: units(of: node), rules)
        var record = Self()
        guard reader.fill(&record, from: node) else {
            let error = reader.account.error(expected: expectation)
            let path = decoder.codingPath + (error.failures.first?.keys ?? [])
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: path, debugDescription: "\(error)", underlyingError: error))
        }
        let drift = reader.account.report
        if !drift.isEmpty { decoder.driftRecorder?.note(drift, under: decoder.codingPath) }
        return record
    }

    /// Writes the record to any encoder, with the keys of its table.
    ///
    /// `CompactEncoder` keeps the order of the table, and its strategies for dates and data apply; other encoders choose
    /// their own order.
    public func encode(to encoder: any Encoder) throws {
        if let document = encoder as? any DocumentEncoder {
            var style = WritingStyle()
            style.strategies = document.recordStrategies
            try document.writeText { write(to: &$0, style: style) }
            if let error = style.strategies?.error { throw error }
            return
        }
        let text = JSONWriter.bytes(expecting: 1024) { write(to: &$0) }
        var parser = JSONParser(options: JSONOptions(maximumBytes: .max))
        try parser.withDocument(text) { JSONValue($0) }.encode(to: encoder)
    }
}

/// The error of a document that is JSON but lacks what its contract requires: the fields that are missing or wrong.
///
///     do {
///         let (alert, drift) = try Alert.read(node)
///     } catch {
///         print(error)  // title: missing, expected a string
///     }
public struct ContractError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A field and what is wrong with it.
    public struct Failure: Equatable, Sendable {
        /// The path, such as `alerts[0].time`; empty for the document itself.
        public let path: String
        /// What is wrong.
        public let reason: DriftReport.Reason
        /// What the field takes, such as `a number`.
        public let expected: String
        /// The path as coding keys.
        package let keys: [RawCodingKey]
    }

    /// The maximum number of failures that an error names.
    public static let maximumFailures = 32

    /// The failures in the order in which the tables list the fields.
    public let failures: [Failure]
    /// The number of failures beyond those.
    package let others: Int

    init(failures: [Failure], others: Int = 0) { (self.failures, self.others) = (failures, others) }

    /// The failures in one line: `latitude: missing, expected a number; timezone: …`.
    public var description: String {
        failures.map { failure in
            let path = failure.path.isEmpty ? "the document" : failure.path
            return "\(path): \(failure.reason.rawValue), expected \(failure.expected)"
        }.joined(separator: "; ")
    }
}
