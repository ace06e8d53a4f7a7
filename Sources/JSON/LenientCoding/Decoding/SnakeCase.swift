#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Converts names between snake_case and camelCase as Foundation does.
enum SnakeCase {
    /// Returns `name` in camelCase: inner underscores are removed and the words after them capitalized.
    static func camelCased(_ name: String) -> String {
        if let converted = camelCasedPlain(name) { return converted }
        let core = name.drop { $0 == "_" }
        let trailing = core.reversed().prefix { $0 == "_" }.count
        let words = core.dropLast(trailing).split(separator: "_")
        guard let first = words.first, words.count > 1 else { return name }
        let leading = name.count - core.count
        return String(repeating: "_", count: leading) + first.lowercased()
            + words.dropFirst().map { String($0).capitalized }.joined() + String(repeating: "_", count: trailing)
    }

    /// Returns an ASCII name in camelCase; nil for one with a word inside of which another one may begin for Foundation.
    private static func camelCasedPlain(_ text: String) -> String? {
        let name = text.utf8.span
        let underscore = UInt8(ascii: "_")
        var first = 0, end = name.count
        while first < end, name[first] == underscore { first += 1 }
        while end > first, name[end - 1] == underscore { end -= 1 }
        var converted: [UInt8] = []
        converted.reserveCapacity(name.count)
        for _ in 0..<first { converted.append(underscore) }
        var isFirstWord = true, isStart = false, hasDigit = false
        for index in first..<end {
            let byte = name[index]
            if byte == underscore {
                (isFirstWord, isStart, hasDigit) = (false, true, false)
                continue
            }
            let isLetter = (byte | 0x20) &- UInt8(ascii: "a") < 26, isDigit = byte &- UInt8(ascii: "0") < 10
            guard isLetter && (isFirstWord || !hasDigit) || isDigit || isFirstWord && byte < 0x80 else { return nil }
            hasDigit = hasDigit || isDigit
            converted.append(isLetter ? (isStart ? byte & 0xDF : byte | 0x20) : byte)
            isStart = false
        }
        // A name of one word stays as it is.
        if isFirstWord { return text }
        for _ in end..<name.count { converted.append(underscore) }
        return String(decoding: converted, as: UTF8.self)
    }

    /// Returns the letters and digits of `name` in lower case.
    static func letters(of name: String) -> String {
        let name = name.utf8.allSatisfy { $0 < 0x80 } ? name : name.lowercased()
        var letters: [UInt8] = []
        letters.reserveCapacity(name.utf8.count)
        for byte in name.utf8 {
            if let letter = letter(byte) { letters.append(letter) }
        }
        return String(decoding: letters, as: UTF8.self)
    }

    /// Returns an ASCII letter in lower case; a digit or a byte beyond ASCII unchanged; nil for all other bytes.
    private static func letter(_ byte: UInt8) -> UInt8? {
        let lowered = byte | 0x20
        if lowered &- UInt8(ascii: "a") < 26 { return lowered }
        return byte &- UInt8(ascii: "0") < 10 || byte >= 0x80 ? byte : nil
    }

    /// Returns `name` in snake_case: `my_url_value` for `myURLValue`.
    static func snakeCased(_ name: String) -> String {
        let letters = name.utf8.span
        var words: [UInt8] = []
        words.reserveCapacity(letters.count + 8)
        var finder = WordFinder()
        for index in letters.indices {
            let letter = letters[index]
            guard letter < 0x80 else { return snakeCasedBeyondASCII(name) }
            let isUppercase = UInt8(ascii: "A")...UInt8(ascii: "Z") ~= letter
            let isLowercase = UInt8(ascii: "a")...UInt8(ascii: "z") ~= letter
            if let offset = finder.wordOffset(isUppercase: isUppercase, isLowercase: isLowercase) {
                words.insert(UInt8(ascii: "_"), at: words.count - offset)
            }
            words.append(isUppercase ? letter | 0x20 : letter)
        }
        return String(decoding: words, as: UTF8.self)
    }

    private static func snakeCasedBeyondASCII(_ name: String) -> String {
        var words: [Unicode.Scalar] = []
        var finder = WordFinder()
        for letter in name.unicodeScalars {
            let offset = finder.wordOffset(isUppercase: isUppercase(letter), isLowercase: isLowercase(letter))
            if let offset { words.insert("_", at: words.count - offset) }
            words.append(letter)
        }
        var converted = String.UnicodeScalarView()
        converted += words
        return String(converted).lowercased()
    }

    /// Finds the words of a name in camelCase.
    private struct WordFinder {
        /// The number of letters so far.
        private var count = 0
        /// The index of the capital that began a word of which no small letter was found.
        private var capital: Int?

        /// Takes the next letter; if a word that is not the first begins at it or before it, returns by how many letters.
        mutating func wordOffset(isUppercase: Bool, isLowercase: Bool) -> Int? {
            defer { count += 1 }
            if let begin = capital {
                guard isLowercase else { return nil }
                capital = nil
                // The last capital of several begins the next word.
                return count > begin + 1 ? 1 : nil
            }
            guard isUppercase, count > 0 else { return nil }
            capital = count
            return 0
        }
    }

    private static func isUppercase(_ letter: Unicode.Scalar) -> Bool {
        letter.isASCII ? "A"..."Z" ~= letter : letter.properties.isUppercase
    }

    private static func isLowercase(_ letter: Unicode.Scalar) -> Bool {
        letter.isASCII ? "a"..."z" ~= letter : letter.properties.isLowercase
    }
}
