import JSONText

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
