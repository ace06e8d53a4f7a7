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

    /// Returns an ASCII letter in lower case; a digit or a byte beyond ASCII unchanged; nil for all other bytes.
    private static func letter(_ byte: UInt8) -> UInt8? {
        let lowered = byte | 0x20
        if lowered &- UInt8(ascii: "a") < 26 { return lowered }
        return byte &- UInt8(ascii: "0") < 10 || byte >= 0x80 ? byte : nil
    }

    /// Returns `name` in snake_case: `my_url_value` for `myURLValue`.
    static func snakeCased(_ name: String) -> String {
        let letters = Array(name.unicodeScalars)
        var words: [ArraySlice<Unicode.Scalar>] = []
        var start = 0
        var behind = min(1, letters.count)
        while let capital = letters[behind...].firstIndex(where: isUppercase) {
            words.append(letters[start..<capital])
            start = capital
            guard let small = letters[capital...].firstIndex(where: isLowercase) else { break }
            if small > capital + 1 {
                // The last capital of several begins the next word.
                words.append(letters[capital..<(small - 1)])
                start = small - 1
            }
            behind = small + 1
        }
        words.append(letters[start...])
        var converted = ""
        for word in words {
            if !converted.isEmpty { converted += "_" }
            converted.unicodeScalars += word
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
