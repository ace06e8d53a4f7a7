import HTTPClient
import HTTPCore

/// Removes a key from the answers of its upstream, in every spelling in which it could still be recognized.
///
/// A spelling may differ in letter case; each of its characters may be percent-encoded, escaped as in JSON or as in JSON
/// in a string of JSON, or an HTML entity, one inside the other; a plus sign may be a space, and tags of HTML may be
/// within. The percent-decoded key and its base64, as in Basic authentication, are keys too, and numbers whose value is a
/// key. The key becomes `***`, which keeps a JSON document valid.
///
/// The bytes are searched before anything reads them, so the key can reach no value, name, path, log line or message.
final class KeyScrubber: Sendable {
    /// The length from which a key is removed from documents; a shorter one would be found in ordinary words.
    static let shortestKey = 8

    /// The searches in one text: what is left around a key can be a key in another spelling.
    private static let maximumPasses = 8
    private static let replacement = Array("***".utf8)
    private static let null = Array("null".utf8)

    /// The search in documents, for the keys that are long enough.
    private let documents: KeySearch
    /// The search in documents for numbers whose values are keys.
    private let numbers: NumberSearch
    /// The search in short texts, for all keys.
    private let texts: KeySearch

    /// A scrubber for the texts of `keys`.
    init(_ keys: [Secret]) {
        let keys = keys.map { $0.withExposedText { $0 } }
        let long = keys.filter { $0.utf8.count >= Self.shortestKey }
        documents = KeySearch(long.flatMap(KeySpellings.all))
        numbers = NumberSearch(long)
        texts = KeySearch(keys.flatMap(KeySpellings.all))
    }

    /// Whether a key is too short to be removed from documents.
    static func isShort(_ key: Secret) -> Bool { key.withExposedText { $0.utf8.count < shortestKey } }

    /// Returns the response without the keys in its fields and its body; nil if `isExpired` before.
    func scrubbed(_ response: IncomingResponse, isExpired: () -> Bool = { false }) -> IncomingResponse? {
        var response = response
        guard remove(from: &response.body, isJSON: true, { matches(in: $0, isExpired) }) != nil,
            let inHeaders = documents.matches(in: response.headers.section, isJSON: false, isExpired: isExpired)
        else { return nil }
        if !inHeaders.isEmpty {
            response.headers = HeaderFields(response.headers.pairs.map { (name: $0.name, value: scrubbed($0.value)) })
        }
        return response
    }

    /// Returns a short text without the keys, however short they are.
    func scrubbed(_ text: String) -> String { scrubbed(text, isExpired: { false }) ?? text }

    /// Returns a text without the keys, however short they are; nil if `isExpired` before.
    func scrubbed(_ text: String, isExpired: () -> Bool) -> String? {
        var bytes = Array(text.utf8)
        let hasChanged = remove(from: &bytes, isJSON: false) {
            texts.matches(in: $0, isJSON: false, isExpired: isExpired)
        }
        guard let hasChanged else { return nil }
        return hasChanged ? String(decoding: bytes, as: UTF8.self) : text
    }

    /// Removes the keys from a document in place, and returns whether there were any.
    func scrub(_ document: inout [UInt8]) -> Bool {
        remove(from: &document, isJSON: true) { matches(in: $0, { false }) } ?? false
    }

    private func matches(in document: [UInt8], _ isExpired: () -> Bool) -> [Range<Int>]? {
        guard let texts = documents.matches(in: document, isJSON: true, isExpired: isExpired) else { return nil }
        return texts + numbers.matches(in: document)
    }

    /// Removes what `search` finds, and what it finds then, and returns whether there was anything; nil if it ends early.
    private func remove(from bytes: inout [UInt8], isJSON: Bool, _ search: ([UInt8]) -> [Range<Int>]?) -> Bool? {
        for pass in 0..<Self.maximumPasses {
            guard let matches = search(bytes) else { return nil }
            guard remove(matches, from: &bytes, isJSON: isJSON) else { return pass > 0 }
        }
        return true
    }

    private func remove(_ matches: [Range<Int>], from bytes: inout [UInt8], isJSON: Bool) -> Bool {
        if matches.isEmpty { return false }
        let cuts = Self.cuts(of: matches, in: bytes, isJSON: isJSON)
        var end = 0
        var next = 0
        for cut in cuts {
            // A cut that begins inside the one before it only lengthens it.
            if cut.range.lowerBound >= next {
                end = Self.move(next..<cut.range.lowerBound, to: end, in: &bytes)
                for byte in cut.replacement.prefix(cut.range.count) {
                    bytes[end] = byte
                    end += 1
                }
            }
            next = max(next, cut.range.upperBound)
        }
        end = Self.move(next..<bytes.count, to: end, in: &bytes)
        bytes.removeLast(bytes.count - end)
        return true
    }

    /// Moves `range` down to `start` and returns its new end.
    private static func move(_ range: Range<Int>, to start: Int, in bytes: inout [UInt8]) -> Int {
        let distance = range.lowerBound - start
        if distance > 0 { for index in range { bytes[index - distance] = bytes[index] } }
        return range.upperBound - distance
    }

    /// Returns the bytes to replace, in order, and what replaces them.
    ///
    /// Overlapping matches are one, and no run of digits is looked at twice: the time is linear.
    private static func cuts(
        of matches: [Range<Int>], in bytes: [UInt8], isJSON: Bool
    ) -> [(range: Range<Int>, replacement: [UInt8])] {
        var cuts: [(range: Range<Int>, replacement: [UInt8])] = []
        var merged: [Range<Int>] = []
        for match in matches.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, match.lowerBound < last.upperBound {
                merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, match.upperBound)
            } else {
                merged.append(match)
            }
        }
        var word = 0..<0
        var strings = JSONStrings()
        for match in merged where match.upperBound > cuts.last?.range.upperBound ?? 0 {
            if isJSON, !word.contains(match.lowerBound), bytes[match].allSatisfy(isNumberCharacter),
                !strings.contain(match.lowerBound, in: bytes)
            {
                let run = numberCharacters(around: match, in: bytes)
                // A number becomes null, because `***` is valid only in a string.
                if isNumber(run, in: bytes) {
                    cuts.append((run, null))
                    continue
                }
                word = run
            }
            // Half of an escape must not stay behind.
            let start = JSONEscape.start(around: match.lowerBound, in: bytes) ?? match.lowerBound
            let end = JSONEscape.start(around: match.upperBound, in: bytes).map { JSONEscape.end(from: $0, in: bytes) }
            cuts.append((start..<(end ?? match.upperBound), replacement))
        }
        return cuts
    }

    private static func numberCharacters(around match: Range<Int>, in bytes: [UInt8]) -> Range<Int> {
        let start = bytes[..<match.lowerBound].lastIndex { !isNumberCharacter($0) }.map { $0 + 1 } ?? 0
        return start..<(bytes[match.upperBound...].firstIndex { !isNumberCharacter($0) } ?? bytes.count)
    }

    /// Whether the bytes around a run of digits end a value of JSON, as in no word.
    private static func isNumber(_ run: Range<Int>, in bytes: [UInt8]) -> Bool {
        (run.lowerBound == 0 || ":[, \t\r\n".utf8.contains(bytes[run.lowerBound - 1]))
            && (run.upperBound == bytes.count || ",]} \t\r\n".utf8.contains(bytes[run.upperBound]))
    }

    private static func isNumberCharacter(_ byte: UInt8) -> Bool {
        switch Unicode.Scalar(byte) {
        case "0"..."9", "+", "-", ".", "e", "E": true
        default: false
        }
    }
}

extension KeyScrubber: CustomStringConvertible, CustomReflectable {
    /// Three asterisks.
    var description: String { "***" }
    /// A mirror without children, for `dump`.
    var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// The texts that are a key for those who know it.
private enum KeySpellings {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// Returns the key, its percent-decoded form and its base64, in bytes.
    static func all(of key: String) -> [[UInt8]] {
        if key.isEmpty { return [] }
        var spellings = [Array(key.utf8)]
        if let decoded = PercentCoding.decode(key.utf8.span), decoded != key { spellings.append(Array(decoded.utf8)) }
        if key.utf8.count >= KeyScrubber.shortestKey {
            for base64 in (0..<3).map({ self.base64(of: Array(key.utf8), after: $0) }) {
                spellings.append(base64)
                let urlSafe = base64.map { byte in
                    byte == UInt8(ascii: "+") ? UInt8(ascii: "-") : byte == UInt8(ascii: "/") ? UInt8(ascii: "_") : byte
                }
                if urlSafe != base64 { spellings.append(urlSafe) }
            }
        }
        return spellings.filter { $0.count >= min(KeyScrubber.shortestKey, key.utf8.count) }
    }

    /// Returns the characters of base64 (RFC 4648 §4) that `bytes` alone decide if `offset` bytes are before them.
    private static func base64(of bytes: [UInt8], after offset: Int) -> [UInt8] {
        let first = (8 * offset + 5) / 6
        let end = 8 * (offset + bytes.count) / 6
        return (first..<end).map { index in
            let bit = 6 * index - 8 * offset
            let high = UInt16(bytes[bit / 8]) << 8
            let low = bit / 8 + 1 < bytes.count ? UInt16(bytes[bit / 8 + 1]) : 0
            return alphabet[Int((high | low) >> UInt16(10 - bit % 8) & 63)]
        }
    }
}

/// Where the strings of a JSON document are, read once from its beginning.
private struct JSONStrings {
    private var index = 0
    private var isInside = false

    /// Whether a place, which is not before those of earlier calls, is in a string.
    mutating func contain(_ place: Int, in bytes: [UInt8]) -> Bool {
        while index < place {
            if bytes[index] == UInt8(ascii: "\"") { isInside.toggle() }
            index += bytes[index] == UInt8(ascii: "\\") && isInside ? 2 : 1
        }
        return isInside
    }
}

/// Escapes in strings of JSON (RFC 8259 §7).
private enum JSONEscape {
    /// Returns the start of the escape in which `index` is, after its backslash; nil if it is in none.
    static func start(around index: Int, in bytes: [UInt8]) -> Int? {
        if isBackslash(index - 1, in: bytes) { return index - 1 }
        let hexadecimal = stride(from: index - 2, through: max(0, index - 5), by: -1)
        return hexadecimal.first { bytes[$0 + 1] == UInt8(ascii: "u") && isBackslash($0, in: bytes) }
    }

    static func end(from start: Int, in bytes: [UInt8]) -> Int {
        let length = start + 1 < bytes.count && bytes[start + 1] == UInt8(ascii: "u") ? 6 : 2
        let rest = bytes[start...].prefix(length).dropFirst(2)
        return min(bytes.count, start + 2) + rest.prefix { Character(Unicode.Scalar($0)).isHexDigit }.count
    }

    /// Whether a backslash at `index` begins an escape, because an even number of them is before it.
    private static func isBackslash(_ index: Int, in bytes: [UInt8]) -> Bool {
        guard index >= 0, bytes[index] == UInt8(ascii: "\\") else { return false }
        var start = index
        while start > 0, bytes[start - 1] == UInt8(ascii: "\\") { start -= 1 }
        return (index - start).isMultiple(of: 2)
    }
}
