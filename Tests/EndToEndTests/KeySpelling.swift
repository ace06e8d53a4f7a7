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
            ("plain", key), ("percent-encoded", percent("%%%02X", where: isReserved)),
            ("percent-encoded, lower case", percent("%%%02x", where: isReserved)),
            ("percent-encoded throughout", percent("%%%02x", where: { _ in true })),
            ("HTML", key.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "\"", with: "&quot;")),
            ("HTML numbers", bytes.map { "&#\($0);" }.joined()),
            ("HTML hexadecimal numbers", percent("&#x%02X;", where: isReserved)),
        ]
        let quoted = forms.map { name, form in
            let text = form.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"")
            return KeySpelling(name: name, text: text)
        }
        return quoted + [
            KeySpelling(name: "escaped slashes", text: quoted[0].text.replacingOccurrences(of: "/", with: "\\/")),
            KeySpelling(name: "escaped throughout", text: bytes.map { String(format: "\\u%04x", $0) }.joined()),
        ]
    }

    /// Whether `text` discloses eight consecutive characters of `key` to a reader who decodes what he sees.
    static func isSeen(_ key: String, in text: String) -> Bool {
        let readings = [text, plain(text)]
        return (windows(of: key) + windows(of: plain(key))).contains { word in readings.contains { $0.contains(word) } }
    }

    private static func windows(of text: String) -> [String] {
        let letters = Array(text)
        return letters.count < 8 ? [] : (0...letters.count - 8).map { String(letters[$0..<$0 + 8]) }
    }

    /// The text without escapes of JSON, references of HTML and percent-encoding.
    private static func plain(_ text: String) -> String {
        var text = text
        let characters = (0x21...0x7E).map { (code: $0, text: String(Unicode.Scalar(UInt8($0)))) }
        let escapes: [(String, String)] =
            characters.map { (String(format: "\\u%04x", $0.code), $0.text) }
            + [("\\/", "/"), ("\\\"", "\""), ("\\\\", "\\"), ("&amp;", "&"), ("&quot;", "\"")]
            + characters.flatMap { [("&#\($0.code);", $0.text), (String(format: "&#x%02X;", $0.code), $0.text)] }
            + characters.flatMap {
                [(String(format: "%%%02x", $0.code), $0.text), (String(format: "%%%02X", $0.code), $0.text)]
            }
        for (escape, meaning) in escapes where text.contains(escape.prefix(1)) {
            text = text.replacingOccurrences(of: escape, with: meaning)
        }
        return text
    }
}
