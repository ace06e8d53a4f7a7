import JSONText

/// The state that the encoders and containers of one encoding share.
final class EncodingState {
    let configuration: CompactEncoder
    /// The hashes of the first 128 names, whose index is their number.
    ///
    /// Measured against a `Dictionary` of all names, together with `KeySpellings` copying its texts from the output: 9 %
    /// of encoding a forecast, 8 % of GitHub events, 0 % of tweets and Jenkins builds.
    private var hashes: [UInt32] = []
    /// The numbers of further names.
    private var numbers: [Name: Int] = [:]
    private var spellings: [KeySpellings] = []
    @exclusivity(unchecked) var collections = CollectionTypes { $0 as? any DirectlyEncodable.Type }
    /// Whether an object may have a duplicate key.
    var hasDuplicates = false
    /// The error of a requirement that cannot throw, see `EncodingBranch.refused`.
    var misuse: (any Error)?
    private(set) lazy var userInfo: [CodingUserInfoKey: Any] = configuration.userInfo

    init(_ configuration: CompactEncoder) { self.configuration = configuration }

    /// Returns the spellings of the coding keys of a type.
    func spellings(of type: any CodingKey.Type) -> KeySpellings {
        // A document is encoded with few types of coding keys, so a linear search is enough.
        for index in spellings.indices where spellings[index].type == type { return spellings[index] }
        let new = KeySpellings(of: type)
        spellings.append(new)
        return new
    }

    /// Returns the number of a member's name, which is the same for equal names and seldom for others.
    func number(of name: String) -> Int {
        let hash = SnakeCase.hash(name.utf8.span, isSnakeCase: false) ?? 0
        if let known = hashes.firstIndex(of: hash) { return known }
        if hashes.count < 128 {
            hashes.append(hash)
            return hashes.count - 1
        }
        if let number = numbers[Name(text: name)] { return number }
        let number = hashes.count + numbers.count
        numbers[Name(text: name)] = number
        return number
    }

    /// Returns the JSON of `value`.
    func document<Value: Encodable>(_ value: Value) throws -> [UInt8] {
        let branch = EncodingBranch(self, capacity: 4096)
        try ValueEncoder(branch, depth: 0, .root, of: nil).encode(value)
        if let misuse { throw misuse }
        guard branch.isBegun else {
            throw EncodingError.invalidValue(
                value, EncodingError.Context(codingPath: [], debugDescription: "\(Value.self) did not encode anything.")
            )
        }
        let bytes = branch.finished()
        return hasDuplicates ? try Self.withoutDuplicates(bytes) : bytes
    }

    /// Returns the document with only the last member of each key.
    private static func withoutDuplicates(_ bytes: [UInt8]) throws -> [UInt8] {
        var parser = JSONParser(options: JSONOptions(maximumBytes: .max, maximumDepth: .max, maximumNumberBytes: .max))
        return try parser.withDocument(bytes) { root in
            var writer = JSONWriter(capacity: bytes.count)
            writeWithoutDuplicates(root, to: &writer)
            return writer.bytes
        }
    }

    private static func writeWithoutDuplicates(_ node: JSONNode, to writer: inout JSONWriter) {
        switch node.kind {
        case .array:
            writer.write(byte: UInt8(ascii: "["))
            for (index, element) in node.elements.enumerated() {
                if index > 0 { writer.write(byte: UInt8(ascii: ",")) }
                writeWithoutDuplicates(element, to: &writer)
            }
            writer.write(byte: UInt8(ascii: "]"))
        case .object:
            var last: [[UInt8]: UInt32] = [:]
            for (key, _) in node.members { last[Array(key.text)] = key.position }
            writer.write(byte: UInt8(ascii: "{"))
            var isFirst = true
            for (key, value) in node.members where last[Array(key.text)] == key.position {
                if !isFirst { writer.write(byte: UInt8(ascii: ",")) }
                isFirst = false
                writer.write(stringOf: key)
                writer.write(byte: UInt8(ascii: ":"))
                writeWithoutDuplicates(value, to: &writer)
            }
            writer.write(byte: UInt8(ascii: "}"))
        case .string, .escapedString: writer.write(stringOf: node)
        default: writer.write(raw: node.text)
        }
    }
}
