import JSONText
import LenientCoding

/// An intended difference between LenientDecoder and Foundation's decoder, with its reason.
struct IntendedDifference: Sendable {
    let reason: String
    /// A document with this difference.
    let example: [UInt8]
    /// Whether a disagreement is of this kind.
    let covers: @Sendable (Disagreement) -> Bool

    /// All intended differences; any other disagreement is an error.
    static let all = [
        IntendedDifference(
            reason: "The last of members with the same key is read, as in ECMAScript; Foundation reads the first.",
            example: Array(#"{"a":1,"a":2}"#.utf8),
            covers: { $0.ours != nil && hasDuplicates($0.bytes) }),
        IntendedDifference(
            reason: "An escaped lone surrogate is read as a replacement character; Foundation refuses the string.",
            example: Array(#"["\ud800"]"#.utf8),
            covers: { $0.foundation == nil && $0.ours?.holds(replacement) == true && hasSurrogateEscape($0.bytes) }),
        IntendedDifference(
            reason: "RFC 8259 has no comma after the last element; Foundation accepts one, we only as a leniency.",
            example: Array("[1,]".utf8),
            covers: { $0.ours == nil && $0.foundation != nil && agrees($0, .trailingCommas) }),
        IntendedDifference(
            reason: "RFC 8259 section 8.1 lets a parser ignore a byte order mark; here that is a leniency.",
            example: Array("\u{FEFF}[1]".utf8),
            covers: { $0.ours == nil && $0.foundation != nil && agrees($0, [.byteOrderMark, .trailingCommas]) }),
        IntendedDifference(
            reason: "RFC 8259 section 8.1 requires UTF-8; Foundation accepts UTF-16 and UTF-32 too.",
            example: Array("[1]".utf8).flatMap { [$0, 0] },
            covers: { $0.ours == nil && $0.foundation != nil && $0.bytes.prefix(4).contains { $0 == 0 || $0 >= 0xFE } }),
        IntendedDifference(
            reason: "Foundation does not check a string that is not decoded, such as a second member with one key.",
            example: Array(#"{"a":1,"a":"\q"}"#.utf8),
            covers: { $0.ours == nil && $0.foundation != nil && isStringRefused($0.bytes) && repeatsKey($0.bytes) }),
        IntendedDifference(
            reason: "A fraction too small for a double is not read as an integer; Foundation reads it as 0.",
            example: Array("[1e-400]".utf8),
            covers: { $0.ours == nil && $0.foundation != nil && hasTooSmallNumber($0.bytes) }),
    ]

    private static let replacement = Array("\u{FFFD}".utf8)

    /// Whether both decoders agree if LenientDecoder has `leniency`.
    private static func agrees(_ disagreement: Disagreement, _ leniency: JSONLeniency) -> Bool {
        var decoder = LenientDecoder()
        decoder.leniency = []
        decoder.jsonOptions.leniency = leniency
        let ours = try? decoder.decode(AnyJSON.self, from: disagreement.bytes)
        if ours == disagreement.foundation { return true }
        return ours != nil && hasDuplicates(disagreement.bytes, leniency)
    }

    private static func hasSurrogateEscape(_ bytes: [UInt8]) -> Bool {
        bytes.indices.dropLast(3).contains {
            bytes[$0] == UInt8(ascii: "\\") && bytes[$0 + 1] == UInt8(ascii: "u")
                && bytes[$0 + 2] | 0x20 == UInt8(ascii: "d")
        }
    }

    /// Whether the document's syntax error is inside a string.
    private static func isStringRefused(_ bytes: [UInt8]) -> Bool {
        var parser = JSONParser()
        do {
            try parser.withDocument(bytes) { _ in }
            return false
        } catch {
            switch (error as? JSONSyntaxError)?.reason {
            case .invalidEscape, .controlCharacter, .invalidUTF8: return true
            default: return false
            }
        }
    }

    /// Whether two keys anywhere in the document, which may be invalid, have the same spelling.
    private static func repeatsKey(_ bytes: [UInt8]) -> Bool {
        let quote = UInt8(ascii: "\""), backslash = UInt8(ascii: "\\")
        var keys = Set<[UInt8]>()
        var index = 0
        while let start = bytes[index...].firstIndex(of: quote) {
            var end = start + 1
            while end < bytes.count, bytes[end] != quote { end += bytes[end] == backslash ? 2 : 1 }
            guard end < bytes.count else { return false }
            let next = bytes[(end + 1)...].first { ![0x20, 0x0A, 0x0D, 0x09].contains($0) }
            if next == UInt8(ascii: ":"), !keys.insert(Array(bytes[start...end])).inserted { return true }
            index = end + 1
        }
        return false
    }

    private static func hasTooSmallNumber(_ bytes: [UInt8]) -> Bool {
        var parser = JSONParser()
        return (try? parser.withDocument(bytes) { hasTooSmallNumber($0) }) ?? false
    }

    private static func hasTooSmallNumber(_ node: JSONNode) -> Bool {
        if node.isNumber { return node.int64 == nil && (node.double ?? 0) == 0 }
        return node.elements.contains(where: hasTooSmallNumber) || node.members.contains { hasTooSmallNumber($0.value) }
    }

    private static func hasDuplicates(_ bytes: [UInt8], _ leniency: JSONLeniency = []) -> Bool {
        var parser = JSONParser(options: JSONOptions(leniency: leniency))
        return (try? parser.withDocument(bytes) { hasDuplicates($0) }) ?? false
    }

    private static func hasDuplicates(_ node: JSONNode) -> Bool {
        // Swift's strings, and so Foundation's keys, are equal if they differ only in normalization.
        var keys = Set<String>()
        for (key, value) in node.members {
            if !keys.insert(key.string ?? "").inserted || hasDuplicates(value) { return true }
        }
        return node.elements.contains(where: hasDuplicates)
    }
}

/// A document with the results of both decoders; a result is nil if the document is refused.
struct Disagreement {
    let bytes: [UInt8]
    let ours: AnyJSON?
    let foundation: AnyJSON?
}

extension AnyJSON {
    /// Whether a string or a key contains `text`.
    func holds(_ text: [UInt8]) -> Bool {
        switch self {
        case .string(let string): string.contains(text)
        case .array(let elements): elements.contains { $0.holds(text) }
        case .object(let members): members.contains { $0.key.contains(text) || $0.value.holds(text) }
        default: false
        }
    }
}
