/// Text as URLs and forms write it (WHATWG URL §5.1).
enum PercentText {
    /// The text without percent signs; what is no code stays as it is.
    static func decode(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var plain: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
                let code = UInt8(String(decoding: bytes[(index + 1)...(index + 2)], as: UTF8.self), radix: 16)
            {
                plain.append(code)
                index += 3
            } else {
                plain.append(bytes[index] == UInt8(ascii: "+") ? UInt8(ascii: " ") : bytes[index])
                index += 1
            }
        }
        return String(decoding: plain, as: UTF8.self)
    }

    /// The text as a parameter's value.
    static func encode(_ text: String) -> String {
        text.utf8.reduce(into: "") { encoded, byte in
            let character = Character(Unicode.Scalar(byte))
            let isPlain = byte < 0x80 && (character.isLetter || character.isNumber || "-._~".contains(character))
            encoded +=
                isPlain ? String(character) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
    }

    /// The value of a parameter in a query, `?max_id=250&q=rain`.
    static func parameter(_ name: String, of query: String) -> String? {
        for pair in query.drop(while: { $0 == "?" }).split(separator: "&") where pair.hasPrefix(name + "=") {
            return decode(String(pair.dropFirst(name.count + 1)))
        }
        return nil
    }
}
