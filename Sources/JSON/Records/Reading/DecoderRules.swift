import JSONText

/// What the decoder of a record decides, beside the record's table.
package struct DecoderRules {
    /// How the names of members are converted to those of fields.
    package enum KeyConversion {
        case none
        /// From snake_case.
        ///
        /// `converted` returns the name in camelCase, and `letters` what similar names have in common.
        case snakeCase(converted: (_ name: String) -> String, letters: (_ name: String) -> String)
        /// By a function of the path that ends with the name.
        case custom((_ path: [any CodingKey]) -> any CodingKey)
    }

    /// Whether scalars of another type are converted if nothing is lost.
    let coerces: Bool
    /// Whether an optional field is absent if its value is wrong; otherwise the record cannot be read.
    let toleratesMistyped: Bool
    /// Whether U+FFFD replaces a lone surrogate; otherwise the value cannot be read.
    let readsLoneSurrogates: Bool
    let keys: KeyConversion
    /// The decoder of the record.
    package let decoder: any DocumentDecoder

    package init(
        coerces: Bool, toleratesMistyped: Bool, readsLoneSurrogates: Bool, keys: KeyConversion,
        decoder: any DocumentDecoder
    ) {
        self.coerces = coerces
        self.toleratesMistyped = toleratesMistyped
        self.readsLoneSurrogates = readsLoneSurrogates
        self.keys = keys
        self.decoder = decoder
    }
}

/// The fields that the names of members were converted to, because a document has the same names again and again.
struct ConvertedKeys {
    private struct Key: Hashable {
        let table: ObjectIdentifier
        let name: Name
    }

    private static let maximumCount = 1024

    private var fields: [Key: Int] = [:]
    /// The fields of each table by the letters of their names.
    private var letters: [ObjectIdentifier: [String: Int]] = [:]

    /// Returns the field that reads the member called `name`; nil if there is none.
    mutating func field(
        of name: String, in table: RecordTable, _ converted: (String) -> String, _ letters: (String) -> String
    ) -> Int? {
        let key = Key(table: ObjectIdentifier(table), name: Name(text: name))
        if let field = fields[key] { return field < 0 ? nil : field }
        let field = table.field(converted(name)) ?? similarField(to: name, in: table, letters)
        if fields.count < Self.maximumCount { fields[key] = field ?? -1 }
        return field
    }

    private mutating func similarField(
        to name: String, in table: RecordTable, _ letters: (String) -> String
    ) -> Int? {
        let sought = letters(name)
        if sought.isEmpty { return nil }
        let index: [String: Int]
        if let known = self.letters[ObjectIdentifier(table)] {
            index = known
        } else {
            index = Dictionary(table.spellings.map { (letters($0.key), $0.value) }) { first, _ in first }
            self.letters[ObjectIdentifier(table)] = index
        }
        return index[sought]
    }
}

extension RecordReader {
    /// Returns the field that reads a member after its name is converted; nil if the decoder converts no names.
    ///
    /// The name itself was looked up before, so it matches first.
    @inline(never)
    mutating func convertedSlot(for key: JSONNode, in table: RecordTable) -> Int? {
        switch rules?.keys {
        case nil, .some(.none): return nil
        case .snakeCase(let converted, let letters):
            return account.convertedKeys.field(of: key.string ?? "", in: table, converted, letters)
        case .custom(let convert):
            return table.field(convert(codingPath + [RawCodingKey(key.string ?? "")]).stringValue)
        }
    }

    /// The path from the record that is decoded to the current value.
    package var locationKeys: [RawCodingKey] { account.location.keys }

    /// The path from the root of the document to the current value.
    package var codingPath: [any CodingKey] { (rules?.decoder.codingPath ?? []) + locationKeys }
}
