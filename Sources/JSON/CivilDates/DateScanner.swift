/// Reads the parts of a date from left to right.
///
/// Each method reads from `text` at the position that the one before it reached; after a failure the position is
/// unspecified. A struct that stores a span needs an experimental feature, so every call passes the text.
struct DateScanner {
    private var position = 0

    /// A scanner that begins at `position`.
    init(at position: Int = 0) { self.position = position }

    func isAtEnd(of text: Span<UInt8>) -> Bool { position == text.count }

    private func next(in text: Span<UInt8>) -> UInt8? { position < text.count ? text[position] : nil }

    private func nextDigit(in text: Span<UInt8>) -> Int? {
        guard let digit = next(in: text).map({ $0 &- UInt8(ascii: "0") }), digit < 10 else { return nil }
        return Int(digit)
    }

    /// Skips `byte` if it comes next.
    mutating func skip(_ byte: UInt8, in text: Span<UInt8>) -> Bool {
        guard next(in: text) == byte else { return false }
        position += 1
        return true
    }

    /// Skips `character`, which is ASCII, if it comes next.
    mutating func skip(_ character: Unicode.Scalar, in text: Span<UInt8>) -> Bool {
        skip(UInt8(ascii: character), in: text)
    }

    /// Skips the ASCII letters of `word` in any case.
    mutating func skip(word: String, in text: Span<UInt8>) -> Bool {
        guard text.count - position >= word.utf8.count else { return false }
        var end = position
        for letter in word.utf8 {
            guard text[end] | 0x20 == letter | 0x20 else { return false }
            end += 1
        }
        position = end
        return true
    }

    /// Reads as many digits as there are, up to the upper bound of `count`; nil if there are fewer than the lower.
    mutating func number(digits count: ClosedRange<Int>, in text: Span<UInt8>) -> Int? {
        var value = 0, read = 0
        while read < count.upperBound, let digit = nextDigit(in: text) {
            value = value * 10 + digit
            position += 1
            read += 1
        }
        return read >= count.lowerBound ? value : nil
    }

    /// Reads any number of digits as decimals; digits after the 15th don't count.
    mutating func fraction(in text: Span<UInt8>) -> Double? {
        var value = 0.0, scale = 1.0, read = 0
        while let digit = nextDigit(in: text) {
            position += 1
            read += 1
            guard read <= 15 else { continue }
            value = value * 10 + Double(digit)
            scale *= 10
        }
        return read > 0 ? value / scale : nil
    }

    /// Reads one of `names` in any case, in full or its first three letters, and returns its index.
    mutating func index(of names: DateNames, isFull: Bool = false, in text: Span<UInt8>) -> Int? {
        guard text.count - position >= 3,
            let index = names.index(ofKey: DateNames.key(text[position], text[position + 1], text[position + 2]))
        else { return nil }
        if isFull { return skip(word: names[index], in: text) ? index : nil }
        position += 3
        return index
    }

    /// Reads `hh:mm:ss`, or also `hh:mm`, into `time`.
    mutating func timeOfDay(into time: inout CivilTime, secondsOptional: Bool = false, in text: Span<UInt8>) -> Bool {
        guard let hour = number(digits: 2...2, in: text), skip(":", in: text),
            let minute = number(digits: 2...2, in: text)
        else { return false }
        (time.hour, time.minute) = (hour, minute)
        guard skip(":", in: text) else { return secondsOptional }
        guard let second = number(digits: 2...2, in: text) else { return false }
        time.second = second
        return true
    }

    /// Reads `Z`, `UTC`, `GMT`, `±hh`, `±hhmm`, `±hh:mm` or `GMT±hh:mm` and returns the seconds ahead of UTC.
    mutating func zone(in text: Span<UInt8>) -> Int? {
        if skip("Z", in: text) || skip("z", in: text) { return 0 }
        var isAhead = skip("+", in: text)
        if !isAhead, !skip("-", in: text) {
            guard skip(word: "GMT", in: text) || skip(word: "UTC", in: text) else { return nil }
            isAhead = skip("+", in: text)
            guard isAhead || skip("-", in: text) else { return 0 }
        }
        guard let hours = number(digits: 2...2, in: text), hours <= 23 else { return nil }
        var minutes = 0
        if skip(":", in: text) || nextDigit(in: text) != nil {
            guard let number = number(digits: 2...2, in: text), number <= 59 else { return nil }
            minutes = number
        }
        let seconds = (hours * 60 + minutes) * 60
        return isAhead ? seconds : -seconds
    }
}

extension Span<UInt8> {
    /// The bounds of the text without the white space around.
    package var boundsWithoutSpace: Range<Int> {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }
        var start = 0, end = count
        while start < end, isSpace(self[start]) { start += 1 }
        while end > start, isSpace(self[end - 1]) { end -= 1 }
        return start..<end
    }
}

/// English names of months or weekdays, each of which its first three letters identify.
struct DateNames: Sendable {
    static let months = DateNames([
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ])
    static let weekdays = DateNames(["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"])

    private let names: [String]
    private let keys: [UInt32]

    private init(_ names: [String]) {
        self.names = names
        keys = names.map { name in
            let letters = Array(name.utf8)
            return Self.key(letters[0], letters[1], letters[2])
        }
    }

    subscript(index: Int) -> String { names[index] }

    func index(ofKey key: UInt32) -> Int? { keys.firstIndex(of: key) }

    /// Three letters in lower case as one number.
    static func key(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> UInt32 {
        (UInt32(first) << 16 | UInt32(second) << 8 | UInt32(third)) | 0x202020
    }
}
