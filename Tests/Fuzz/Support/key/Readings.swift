/// What readers see who decode an answer: its JSON strings, its URLs or its HTML.
enum Readings {
    /// Returns the readings of `bytes`.
    static func all(of bytes: [UInt8]) -> [[UInt8]] {
        [bytes, unescaped(bytes), percentDecoded(bytes), withoutReferences(bytes)]
    }

    private static func unescaped(_ bytes: [UInt8]) -> [UInt8] {
        replacing(UInt8(ascii: "\\"), in: bytes) { rest in
            guard let kind = rest.first else { return nil }
            if #"/"\"#.utf8.contains(kind) { return (kind, 1) }
            guard kind == UInt8(ascii: "u"), let value = number(rest.dropFirst().prefix(4), digits: 4) else {
                return nil
            }
            return UInt8(exactly: value).map { ($0, 5) }
        }
    }

    private static func percentDecoded(_ bytes: [UInt8]) -> [UInt8] {
        replacing(UInt8(ascii: "%"), in: bytes) { rest in
            number(rest.prefix(2), digits: 2).map { (UInt8($0), 2) }
        }
    }

    /// Replaces the hexadecimal references of HTML to characters.
    private static func withoutReferences(_ bytes: [UInt8]) -> [UInt8] {
        replacing(UInt8(ascii: "&"), in: bytes) { rest in
            guard rest.starts(with: "#x".utf8), let end = rest.prefix(9).firstIndex(of: UInt8(ascii: ";")) else {
                return nil
            }
            let digits = rest[(rest.startIndex + 2)..<end]
            return number(digits, digits: digits.count).flatMap { UInt8(exactly: $0) }.map { ($0, digits.count + 3) }
        }
    }

    /// Replaces each `mark` and as many bytes after it as `read` says.
    private static func replacing(
        _ mark: UInt8, in bytes: [UInt8], _ read: (ArraySlice<UInt8>) -> (byte: UInt8, count: Int)?
    ) -> [UInt8] {
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == mark, let (byte, count) = read(bytes[(index + 1)...]) {
                result.append(byte)
                index += 1 + count
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return result
    }

    private static func number(_ text: ArraySlice<UInt8>, digits: Int) -> Int? {
        guard text.count == digits, digits > 0, text.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else {
            return nil
        }
        return Int(String(decoding: text, as: UTF8.self), radix: 16)
    }
}
