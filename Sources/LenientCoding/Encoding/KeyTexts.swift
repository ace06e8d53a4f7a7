import JSONText
import Synchronization

/// The text that each coding key is written as, made once.
struct KeyTexts: ~Copyable {
    /// The keys by number: `,"key":`.
    private(set) var texts: ContiguousArray<PaddedText> = []

    /// The length of the last document in bytes, which the next one is likely to have.
    private(set) var expectedLength = 4096

    private let strategy: CompactEncoder.KeyEncodingStrategy
    private var numbers: [Name: Int] = [:]
    private var answers = AnswerTable()

    init(_ strategy: CompactEncoder.KeyEncodingStrategy) { self.strategy = strategy }

    deinit {
        for text in texts { text.start.deallocate() }
    }

    /// Takes down that a document of `length` bytes was written.
    mutating func expect(_ length: Int) { expectedLength = min(max(length + length / 8, 256), 4 << 20) }

    /// The number of the key that is spelled for `key`.
    @inline(__always)
    mutating func number(of key: some CodingKey, path: () -> [any CodingKey]) -> Int {
        if let number = answers[key] { return number }
        return makeNumber(key, path: path)
    }

    @inline(never)
    private mutating func makeNumber(_ key: some CodingKey, path: () -> [any CodingKey]) -> Int {
        let name = key.stringValue
        let number: Int
        switch strategy {
        case .useDefaultKeys: number = self.number(spelled: name)
        case .convertToSnakeCase: number = self.number(spelled: SnakeCase.unconverted(name))
        // What a closure makes of a key may depend on where it stands: it is asked again.
        case .custom(let convert): return self.number(spelled: convert(path() + [key]).stringValue)
        }
        answers.insert(number, for: key)
        return number
    }

    private mutating func number(spelled spelling: String) -> Int {
        if let number = numbers[Name(text: spelling)] { return number }
        var writer = JSONWriter(capacity: 64)
        writer.write(byte: UInt8(ascii: ","))
        writer.write(spelling)
        writer.write(byte: UInt8(ascii: ":"))
        numbers[Name(text: spelling)] = texts.count
        texts.append(PaddedText(copying: writer.bytes))
        return texts.count - 1
    }
}

extension KeyTexts {
    /// The address of texts that no encoding uses.
    // Unchecked: it is handed on whole, from one encoding to a later one.
    private struct Address: @unchecked Sendable {
        let texts: UnsafeMutablePointer<KeyTexts>
    }

    private struct Pool {
        var plain: [Address] = []
        var snakeCase: [Address] = []
    }

    private static let pool = Mutex(Pool())
    /// Texts of more keys are not kept: they stem from data and not from a model.
    private static let keptKeys = 512
    private static let keptTexts = 16

    /// Texts for one encoding, with the keys in them that an earlier one has written.
    static func take(_ strategy: CompactEncoder.KeyEncodingStrategy) -> UnsafeMutablePointer<KeyTexts> {
        let kept: Address? =
            switch strategy {
            case .useDefaultKeys: pool.withLock { $0.plain.popLast() }
            case .convertToSnakeCase: pool.withLock { $0.snakeCase.popLast() }
            case .custom: nil
            }
        if let kept { return kept.texts }
        let made = UnsafeMutablePointer<KeyTexts>.allocate(capacity: 1)
        made.initialize(to: KeyTexts(strategy))
        return made
    }

    /// Gives texts back, for a later encoding or to be freed.
    static func giveBack(_ texts: UnsafeMutablePointer<KeyTexts>) {
        let isKept: Bool =
            texts.pointee.texts.count <= keptKeys
            && pool.withLock { pool in
                switch texts.pointee.strategy {
                case .useDefaultKeys where pool.plain.count < keptTexts: pool.plain.append(Address(texts: texts))
                case .convertToSnakeCase where pool.snakeCase.count < keptTexts:
                    pool.snakeCase.append(Address(texts: texts))
                default: return false
                }
                return true
            }
        if isKept { return }
        texts.deinitialize(count: 1)
        texts.deallocate()
    }
}
