#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Converts names between snake_case and camelCase as Foundation does.
enum SnakeCase {
    /// Returns `name` in camelCase: inner underscores are removed and the words after them capitalized.
    static func camelCased(_ name: String) -> String {
        let core = name.drop { $0 == "_" }
        let trailing = core.reversed().prefix { $0 == "_" }.count
        let words = core.dropLast(trailing).split(separator: "_")
        guard let first = words.first, words.count > 1 else { return name }
        let leading = name.count - core.count
        return String(repeating: "_", count: leading) + first.lowercased()
            + words.dropFirst().map { String($0).capitalized }.joined() + String(repeating: "_", count: trailing)
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

    /// Returns a hash of a name (FNV-1a), of only its letters and digits for the conversion from snake_case.
    ///
    /// Returns nil for a name beyond ASCII in this conversion.
    static func hash(_ name: some Sequence<UInt8>, isSnakeCase: Bool) -> UInt32? {
        var hash: UInt32 = 0x811C_9DC5
        for byte in name {
            if isSnakeCase, byte >= 0x80 { return nil }
            guard let byte = isSnakeCase ? letter(byte) : byte else { continue }
            hash = (hash ^ UInt32(byte)) &* 0x0100_0193
        }
        return hash
    }

    /// Returns whether two ASCII names have the same letters and digits in any case, and at least one.
    static func haveSameLetters(_ left: some Sequence<UInt8>, _ right: some Sequence<UInt8>) -> Bool {
        right.contains { letter($0) != nil }
            && left.lazy.compactMap(letter).elementsEqual(right.lazy.compactMap(letter))
    }

    /// Returns an ASCII letter in lower case; a digit or a byte beyond ASCII unchanged; nil for all other bytes.
    private static func letter(_ byte: UInt8) -> UInt8? {
        let lowered = byte | 0x20
        if lowered &- UInt8(ascii: "a") < 26 { return lowered }
        return byte &- UInt8(ascii: "0") < 10 || byte >= 0x80 ? byte : nil
    }

    /// Returns `name` in snake_case: `my_url_value` for `myURLValue`.
    static func snakeCased(_ name: String) -> String {
        let letters = Array(name.unicodeScalars)
        // The starts of all words but the first.
        var starts: [Int] = []
        var behind = min(1, letters.count)
        while let capital = letters[behind...].firstIndex(where: isUppercase) {
            starts.append(capital)
            guard let small = letters[capital...].firstIndex(where: isLowercase) else { break }
            // The last capital of several begins the next word.
            if small > capital + 1 { starts.append(small - 1) }
            behind = small + 1
        }
        var converted = ""
        var word = 0
        for (index, letter) in letters.enumerated() {
            if word < starts.count, starts[word] == index {
                converted += "_"
                word += 1
            }
            converted.unicodeScalars.append(letter)
        }
        return converted.lowercased()
    }

    private static func isUppercase(_ letter: Unicode.Scalar) -> Bool {
        letter.isASCII ? "A"..."Z" ~= letter : letter.properties.isUppercase
    }

    private static func isLowercase(_ letter: Unicode.Scalar) -> Bool {
        letter.isASCII ? "a"..."z" ~= letter : letter.properties.isLowercase
    }
}
