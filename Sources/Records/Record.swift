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
public protocol Record: FieldValue, Codable {
    /// The blank record.
    ///
    ///     Alert().title  // ""
    init()
    /// The table of fields, in the order in which they are written.
    ///
    ///     Alert.schema.keys  // ["title", "regions", "severity", "expires"]
    static var schema: Schema<Self> { get }
    /// The units that a document says its numbers are in; the base units unless a record knows where to look.
    static func units(of document: JSONNode) -> Units
}

extension Record {
    /// The units of the tables.
    public static func units(of document: JSONNode) -> Units { .base }

    /// Reads a record from a parsed value; the report says what had to be repaired.
    ///
    /// What a number can be is judged in the given units or else in those that the document names; the numbers stay as
    /// they are.
    ///
    ///     let (alert, drift) = try parser.withDocument(bytes) { root in try Alert.read(root) }
    ///
    /// - Throws: `ContractError` naming every required field that is missing or wrong.
    public static func read(
        _ node: JSONNode, in units: Units? = nil
    ) throws(ContractError) -> (record: Self, drift: DriftReport) {
        var reader = RecordReader(in: units ?? Self.units(of: node))
        var record = Self()
        let isRead = reader.fill(&record, from: node)
        if !isRead { throw reader.account.error(expected: expectation) }
        return (record, reader.account.report)
    }

    /// Reads a record that must be all that its table says, as a configuration must: nothing is repaired or ignored.
    ///
    ///     let alert = try parser.withDocument(bytes) { root in try Alert.readStrictly(root) }
    ///
    /// - Throws: `ContractError` naming everything that is missing, wrong, unknown or there twice.
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

    /// Reads an array of records, each filled at its place in the array.
    @inlinable
    public static func readElements(
        _ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader
    ) -> [Self]? {
        guard node.kind == .array else { return reader.fail(.mistyped) }
        if node.count == 0 { return [] }
        let table = schema.table
        var scan = reader.beginElements(rules)
        let capacity = Swift.min(node.count, rules.maximumElements)
        let elements = [Self](unsafeUninitializedCapacity: capacity) { places, count in
            guard let first = places.baseAddress else { return }
            for element in node.elements {
                guard reader.begin(&scan) else { continue }
                let place = first + count
                place.initialize(to: Self())
                let isRead = reader.fill(UnsafeMutableRawPointer(place), by: table, from: element)
                if isRead { count += 1 } else { place.deinitialize(count: 1) }
                reader.end(&scan, isRead: isRead, expected: expectation)
            }
        }
        return reader.endElements(scan) ? elements : reader.fail(.invalid)
    }

    /// Writes the record as a JSON object: its fields in the order of the table, absent ones left out.
    @inlinable
    public func write(to writer: inout JSONWriter, style: WritingStyle) {
        let table = Self.schema.table
        withUnsafePointer(to: self) { table.write(UnsafeRawPointer($0), to: &writer, style: style) }
    }

    /// Writes records one by one, each from its place in the array.
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
    /// Reads a record by its table from any decoder.
    ///
    /// `LenientDecoder` reads it where it stands. From another decoder the value is taken whole and read then, so that
    /// every rule of the table holds there too; keys that the decoder's strategy would convert stay as they are. What was
    /// repaired goes to the decode's report and to the decoder's `driftRecorder`.
    ///
    ///     let forecast = try JSONDecoder().decode(Forecast.self, from: data)
    /// - Throws: `DecodingError.dataCorrupted` over a `ContractError` when required fields are missing or wrong.
    public init(from decoder: any Decoder) throws {
        if let node = try decoder.documentNode() {
            self = try Self.read(node, from: decoder)
            return
        }
        let value = try JSONValue(from: decoder)
        let text = JSONWriter.bytes(expecting: 1024) { value.write(to: &$0) }
        var parser = JSONParser(options: JSONOptions(maximumBytes: .max))
        self = try parser.withDocument(text) { try Self.read($0, from: decoder) }
    }

    private static func read(_ node: JSONNode, from decoder: any Decoder) throws -> Self {
        do throws(ContractError) {
            let (record, drift) = try read(node)
            if !drift.isEmpty { decoder.driftRecorder?.note(drift, under: decoder.codingPath) }
            return record
        } catch {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath, debugDescription: "\(error)", underlyingError: error))
        }
    }

    /// Writes the record to any encoder, with the keys of its table.
    ///
    /// `CompactEncoder` writes it as it is; other encoders order its members as they will.
    /// - Throws: what the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        if try encoder.writeText({ write(to: &$0) }) { return }
        let text = JSONWriter.bytes(expecting: 1024) { write(to: &$0) }
        var parser = JSONParser(options: JSONOptions(maximumBytes: .max))
        try parser.withDocument(text) { JSONValue($0) }.encode(to: encoder)
    }
}
