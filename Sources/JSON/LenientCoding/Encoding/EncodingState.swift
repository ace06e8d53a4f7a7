import JSONText

/// The state that the encoders and containers of one encoding share.
final class EncodingState {
    let configuration: CompactEncoder
    private var names = NameNumbers()
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
    func number(of name: String) -> Int { names.number(of: name) }

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
        let formatting = DocumentFormatting(options: configuration.outputFormatting, hasDuplicates: hasDuplicates)
        return formatting.isNeedless ? bytes : try formatting.apply(to: bytes)
    }
}
