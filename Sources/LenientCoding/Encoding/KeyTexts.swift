import FoundationEssentials
import JSONText

/// The text that each coding key is written as, made once.
struct KeyTexts: ~Copyable {
    /// The keys by number: `,"key":`.
    private(set) var texts: ContiguousArray<UnsafeBufferPointer<UInt8>> = []

    private let strategy: CompactEncoder.KeyEncodingStrategy
    private let isCustom: Bool
    private var numbers: [[UInt8]: Int] = [:]
    private var answers = AnswerTable()

    init(_ strategy: CompactEncoder.KeyEncodingStrategy) {
        self.strategy = strategy
        if case .custom = strategy { isCustom = true } else { isCustom = false }
    }

    deinit {
        for text in texts { text.deallocate() }
    }

    /// The number of the key that is spelled for `key`.
    @inline(__always)
    mutating func number(of key: some CodingKey, path: () -> [any CodingKey]) -> Int {
        let name = key.stringValue
        if let number = answers[name] { return number }
        return makeNumber(name, key, path: path)
    }

    @inline(never)
    private mutating func makeNumber(_ name: String, _ key: some CodingKey, path: () -> [any CodingKey]) -> Int {
        let number =
            switch strategy {
            case .useDefaultKeys: number(spelled: name)
            case .convertToSnakeCase: number(spelled: SnakeCase.unconverted(name))
            case .custom(let convert): number(spelled: convert(path() + [key]).stringValue)
            }
        // What a closure makes of a key may depend on where it stands.
        if !isCustom { answers.insert(number, for: name) }
        return number
    }

    private mutating func number(spelled spelling: String) -> Int {
        var writer = JSONWriter(capacity: 64)
        writer.write(byte: UInt8(ascii: ","))
        writer.write(spelling)
        writer.write(byte: UInt8(ascii: ":"))
        let text = writer.bytes
        if let number = numbers[text] { return number }
        numbers[text] = texts.count
        let kept = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.count)
        _ = kept.initialize(from: text)
        texts.append(UnsafeBufferPointer(kept))
        return texts.count - 1
    }
}
