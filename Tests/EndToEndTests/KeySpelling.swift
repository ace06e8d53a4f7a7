import Foundation

/// The forms in which a key can appear in an upstream's answer, and a search for them in what clients and operators see.
struct KeySpelling: Sendable {
    let name: String
    /// The key as content of a JSON string.
    let text: String

    /// The spellings of `key`, as content of a JSON string.
    static func all(of key: String) -> [KeySpelling] {
        let bytes = Array(key.utf8)
        func percent(_ format: String, where isEncoded: (UInt8) -> Bool) -> String {
            bytes.map { isEncoded($0) ? String(format: format, $0) : String(Unicode.Scalar($0)) }.joined()
        }
        func isReserved(_ byte: UInt8) -> Bool {
            !Character(Unicode.Scalar(byte)).isLetter && !(0x30...0x39).contains(byte)
        }
        let forms: [(String, String)] = [
            ("plain", key), ("lower case", key.lowercased()), ("upper case", key.uppercased()),
            ("percent-encoded", percent("%%%02X", where: isReserved)),
            ("percent-encoded, lower case", percent("%%%02x", where: isReserved)),
            ("percent-encoded throughout", percent("%%%02x", where: { _ in true })),
            ("percent-encoded twice", percent("%%25%02X", where: isReserved)),
            ("percent-decoded", key.removingPercentEncoding ?? key),
            ("plus as space", key.replacingOccurrences(of: "+", with: " ")),
            ("form-encoded", percent("%%%02X", where: isReserved).replacingOccurrences(of: "%20", with: "+")),
            ("HTML", key.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "\"", with: "&quot;")),
            ("HTML numbers", bytes.map { "&#\($0);" }.joined()),
            ("base64", Data(bytes).base64EncodedString()),
            ("base64 of Basic", Data(Array("user:".utf8) + bytes).base64EncodedString()),
            ("base64 of Basic, no password", Data(bytes + [0x3A]).base64EncodedString()),
        ]
        let quoted = forms.map { name, form in
            let text = form.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"")
            return KeySpelling(name: name, text: text)
        }
        return quoted + [
            KeySpelling(name: "escaped slashes", text: quoted[0].text.replacingOccurrences(of: "/", with: "\\/")),
            KeySpelling(name: "escaped throughout", text: bytes.map { String(format: "\\u%04x", $0) }.joined()),
            KeySpelling(
                name: "escaped percent signs",
                text: percent("\\u0025%02X", where: isReserved)),
        ]
    }

    /// Whether `text` discloses eight consecutive characters of `key` to a reader who decodes what he sees.
    static func isSeen(_ key: String, in text: String) -> Bool {
        let wanted = windows(of: plain(key))
        let encoded = all(of: key).filter { $0.name.hasPrefix("base64") }.flatMap {
            // The characters at the ends depend on what is around the key.
            windows(of: String($0.text.dropFirst(8).dropLast(4)))
        }
        let readings = [text, plain(text), text.lowercased()]
        return (wanted + encoded).contains { word in readings.contains { $0.contains(word) } }
    }

    private static func windows(of text: String) -> [String] {
        let letters = Array(text)
        return letters.count < 8 ? [] : (0...letters.count - 8).map { String(letters[$0..<$0 + 8]) }
    }

    /// The text decoded until nothing changes, in lower case.
    private static func plain(_ text: String) -> String {
        var text = text.lowercased()
        let escapes: [(String, String)] =
            (0x21...0x7E).map { (String(format: "\\u%04x", $0), String(Unicode.Scalar(UInt8($0)))) }
            + [("\\/", "/"), ("\\\"", "\""), ("\\\\", "\\"), ("&amp;", "&"), ("&quot;", "\"")]
            + (0x21...0x7E).map { ("&#\($0);", String(Unicode.Scalar(UInt8($0)))) }
        for (escape, meaning) in escapes where text.contains(escape.prefix(2)) {
            text = text.replacingOccurrences(of: escape, with: meaning)
        }
        for _ in 0..<3 where text.contains("%") {
            for byte in UInt8(0x20)...0x7E {
                text = text.replacingOccurrences(
                    of: String(format: "%%%02x", byte), with: String(Unicode.Scalar(byte)).lowercased())
            }
        }
        return text.replacingOccurrences(of: "+", with: " ")
    }
}
