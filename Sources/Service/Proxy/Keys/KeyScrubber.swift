import HTTPClient
package import HTTPCore

/// Removes keys from the answers of their upstream.
///
/// A key is found as it is, and with any of its characters percent-encoded, escaped as in JSON, or written as a character
/// reference of HTML. `***` takes its place, which keeps a JSON document valid, and `null` that of a number.
///
/// The bytes are searched before anything reads them, so the key can reach no value, name, path, log line or message.
package final class KeyScrubber: Sendable {
    /// The length from which a key is removed from documents; a shorter one would be found in ordinary words.
    package static let shortestKey = 8

    /// The search in documents, for the keys that are long enough.
    private let documents: KeySearch
    /// The search in short texts, for all keys.
    private let texts: KeySearch

    /// A scrubber for the texts of `keys`.
    package init(_ keys: [Secret]) {
        documents = KeySearch(keys.filter { !Self.isShort($0) })
        texts = KeySearch(keys)
    }

    /// Whether a key is too short to be removed from documents.
    package static func isShort(_ key: Secret) -> Bool { key.withExposedText { $0.utf8.count < shortestKey } }

    /// Returns the response without the keys in its fields and its body; nil if `isExpired` before.
    func scrubbed(_ response: IncomingResponse, isExpired: () -> Bool = { false }) -> IncomingResponse? {
        guard let inBody = documents.matches(in: response.body, isExpired: isExpired),
            let inHeaders = documents.matches(in: response.headers.section, isExpired: isExpired)
        else { return nil }
        var response = response
        Self.remove(inBody, from: &response.body, isJSON: true)
        if !inHeaders.isEmpty {
            response.headers = HeaderFields(response.headers.pairs.map { (name: $0.name, value: scrubbed($0.value)) })
        }
        return response
    }

    /// Returns a short text without the keys, however short they are.
    package func scrubbed(_ text: String) -> String { scrubbed(text, isExpired: { false }) ?? text }

    /// Returns a text without the keys, however short they are; nil if `isExpired` before.
    package func scrubbed(_ text: String, isExpired: () -> Bool) -> String? {
        var bytes = Array(text.utf8)
        guard let matches = texts.matches(in: bytes, isExpired: isExpired) else { return nil }
        if matches.isEmpty { return text }
        Self.remove(matches, from: &bytes, isJSON: false)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Removes the keys from a document, and returns whether there were any.
    package func scrub(_ document: inout [UInt8]) -> Bool {
        let matches = documents.matches(in: document) ?? []
        Self.remove(matches, from: &document, isJSON: true)
        return !matches.isEmpty
    }

    private static func remove(_ matches: [Range<Int>], from bytes: inout [UInt8], isJSON: Bool) {
        if matches.isEmpty { return }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var next = 0
        // The end of the latest run of digits that is no number; no run is read twice.
        var endOfRun = 0
        for match in matches.sorted(by: { $0.lowerBound < $1.lowerBound }) where match.upperBound > next {
            // Half of an escape must not stay behind.
            let rest = bytes[next...]
            let end = escape(around: match.upperBound, in: rest)?.upperBound ?? match.upperBound
            // A match that begins inside the one before it only lengthens it.
            guard match.lowerBound >= next else {
                next = end
                continue
            }
            var cut = (escape(around: match.lowerBound, in: rest)?.lowerBound ?? match.lowerBound)..<end
            var text = "***"
            if isJSON, match.lowerBound >= endOfRun, bytes[match].allSatisfy(isNumberCharacter) {
                let (run, isValue) = number(around: match, in: rest)
                // Asterisks are valid only in a string.
                if isValue { (cut, text) = (run, "null") } else { endOfRun = run.upperBound }
            }
            result += bytes[next..<cut.lowerBound]
            result += text.utf8.prefix(cut.count)
            next = cut.upperBound
        }
        bytes = result + bytes[next...]
    }

    /// Returns the escape (RFC 8259 §7) that begins before `index` and ends after it.
    private static func escape(around index: Int, in bytes: ArraySlice<UInt8>) -> Range<Int>? {
        // An escape has at most six bytes.
        let isBackslash: (UInt8) -> Bool = { $0 == UInt8(ascii: "\\") }
        guard index > bytes.startIndex, let start = bytes[..<index].suffix(5).lastIndex(where: isBackslash) else {
            return nil
        }
        // The second of two backslashes begins no escape.
        let before = bytes[..<start].reversed().prefix(while: isBackslash).count
        guard before.isMultiple(of: 2), start + 1 < bytes.endIndex else { return nil }
        let end = min(start + (bytes[start + 1] == UInt8(ascii: "u") ? 6 : 2), bytes.endIndex)
        return index < end ? start..<end : nil
    }

    /// Returns the run of digits around a match, and whether it is a value of JSON, or looks like one in a string.
    private static func number(around match: Range<Int>, in bytes: ArraySlice<UInt8>) -> (Range<Int>, isValue: Bool) {
        let start = bytes[..<match.lowerBound].lastIndex { !isNumberCharacter($0) }.map { $0 + 1 } ?? bytes.startIndex
        let end = bytes[match.upperBound...].firstIndex { !isNumberCharacter($0) } ?? bytes.endIndex
        let isSpace: (UInt8) -> Bool = { " \t\r\n".utf8.contains($0) }
        let isAfterMark = bytes[..<start].last { !isSpace($0) }.map { ":[,".utf8.contains($0) } ?? true
        let isBeforeMark = bytes[end...].first { !isSpace($0) }.map { ",]}".utf8.contains($0) } ?? true
        return (start..<end, isAfterMark && isBeforeMark)
    }

    private static func isNumberCharacter(_ byte: UInt8) -> Bool { "0123456789+-.eE".utf8.contains(byte) }
}

extension KeyScrubber: CustomStringConvertible, CustomReflectable {
    /// Three asterisks.
    package var description: String { "***" }
    /// A mirror without children, for `dump`.
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
