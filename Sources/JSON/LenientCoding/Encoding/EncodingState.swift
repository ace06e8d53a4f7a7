import JSONText

/// The state that the encoders and containers of one encoding share.
final class EncodingState {
    let configuration: CompactEncoder
    /// The numbers of the members' names, for finding duplicates.
    private var numbers: [String: Int] = [:]
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

    /// Returns the number of a member's name, which is the same for equal names.
    func number(of name: String) -> Int {
        let number = numbers[name] ?? numbers.count
        if number == numbers.count { numbers[name] = number }
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
        let formatting = DocumentFormatting(options: configuration.outputFormatting, hasDuplicates: hasDuplicates)
        return formatting.isNeedless ? bytes : try formatting.apply(to: bytes)
    }
}

/// The spellings of the coding keys of one type, cached for one encoding.
final class KeySpellings {
    let type: any CodingKey.Type
    @exclusivity(unchecked) private var table = Table()

    init(of type: any CodingKey.Type) { self.type = type }

    /// Begins a member whose coding key is called `name`; returns nil if the key is not known.
    @inline(__always)
    func begin(_ name: String, at depth: Int, in text: inout EncodingText) -> Bool? {
        table.begin(name, at: depth, in: &text)
    }

    /// Begins a member whose coding key is called `name` and caches the key's spelling.
    func begin(
        _ name: String, spelled spelling: String, number: Int, at depth: Int, in text: inout EncodingText
    ) -> Bool {
        table.begin(name, spelled: spelling, number: number, at: depth, in: &text)
    }

    /// The content is one value, which is changed in place: a copy of a property would count a reference.
    private struct Table {
        private var keys = KeyMemo<Spelling>()
        /// The texts of the keys, one after the other, so that writing one counts no reference.
        private var texts: [UInt8] = []

        private struct Spelling {
            let number: Int
            /// The bounds of the text `,"key":`.
            let start: Int
            let end: Int
        }

        @inline(__always)
        mutating func begin(_ name: String, at depth: Int, in text: inout EncodingText) -> Bool? {
            guard let spelling = keys.value(of: name) else { return nil }
            return text.beginMember(at: depth, spelling.number, texts.span.extracting(spelling.start..<spelling.end))
        }

        mutating func begin(
            _ name: String, spelled spelling: String, number: Int, at depth: Int, in text: inout EncodingText
        ) -> Bool {
            // Further keys are seldom those of a type: they are data.
            if keys.isFull { return text.beginMember(at: depth, number, named: spelling) }
            let start = texts.count
            guard text.beginMember(at: depth, number, named: spelling, copyingTo: &texts) else { return false }
            keys.insert(Spelling(number: number, start: start, end: texts.count), for: name)
            return true
        }
    }
}
