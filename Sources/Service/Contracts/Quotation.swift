import Records

extension StringProtocol {
    /// Whether all characters are ASCII.
    ///
    /// To compare a text of 1,000 combining marks with one word takes up to a millisecond, because Swift orders the marks.
    /// Texts of clients are compared with names only after this check, or by bytes.
    package var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }
}

/// Texts of clients and configurations in messages.
package enum Quotation {
    /// Returns `; did you mean …?` if one of `choices` is similar to `text` or a prefix of it, else an empty string.
    package static func hint(_ text: String, among choices: [String]) -> String {
        guard text.isASCII else { return "" }
        let prefix = choices.first { $0.count > 2 && text.hasPrefix($0) }
        return (NearestName.find(text, among: choices) ?? prefix).map { "; did you mean \(quote($0))?" } ?? ""
    }

    /// Returns a client's or a configuration's text in quotes, cut to 40 code points; a character can have thousands.
    package static func quote(_ text: String) -> String { "\"\(String(text.unicodeScalars.prefix(40)))\"" }
}
