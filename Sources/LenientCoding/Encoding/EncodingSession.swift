import FoundationEssentials
import JSONText

/// One encoding: what its encoders and containers share.
final class EncodingSession {
    let configuration: CompactEncoder
    /// Held by address: checks of exclusive access would cost more than what they check.
    let keys: UnsafeMutablePointer<KeyTexts>
    /// Whether a key was written twice into one object.
    var hasDuplicates = false
    /// What a container could not throw, having been asked for where none can be.
    var misuse: (any Error)?
    private(set) lazy var userInfo: [CodingUserInfoKey: Any] = configuration.userInfo

    init(_ configuration: CompactEncoder) {
        self.configuration = configuration
        keys = KeyTexts.take(configuration.keyEncodingStrategy)
    }

    deinit { KeyTexts.giveBack(keys) }

    /// The JSON of `value`.
    func document<Value: Encodable>(_ value: Value) throws -> [UInt8] {
        let branch = EncodingBranch(self, path: [], capacity: 4096)
        try branch.text.write(value, at: 0)
        if let misuse { throw misuse }
        guard branch.text.isWritten else {
            throw EncodingError.invalidValue(
                value, EncodingError.Context(codingPath: [], debugDescription: "\(Value.self) did not encode anything.")
            )
        }
        let bytes = branch.finished()
        return hasDuplicates ? try Self.withoutDuplicates(bytes) : bytes
    }

    private static func withoutDuplicates(_ bytes: [UInt8]) throws -> [UInt8] {
        var parser = JSONParser(options: JSONOptions(maximumBytes: .max, maximumDepth: .max, maximumNumberBytes: .max))
        return try parser.withDocument(bytes) { root in
            var writer = JSONWriter(capacity: bytes.count)
            UniqueMembers.write(root, to: &writer)
            return writer.bytes
        }
    }
}
