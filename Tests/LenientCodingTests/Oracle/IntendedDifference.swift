import JSONText
import LenientCoding

/// Where we and Foundation are meant to differ, and why.
struct IntendedDifference: Sendable {
    let reason: String
    /// A document that shows it.
    let example: [UInt8]
    /// Whether the difference is of this kind.
    let covers: @Sendable (Disagreement) -> Bool

    /// The whole list: a disagreement that it does not cover is an error.
    static let all = [
        IntendedDifference(
            reason: "Of members with the same key we take the last, as ECMAScript does; Foundation takes the first.",
            example: Array(#"{"a":1,"a":2}"#.utf8),
            covers: { $0.ours != nil && hasDuplicates($0.bytes) }),
        IntendedDifference(
            reason: "An escaped lone surrogate is a replacement character to us; Foundation refuses the string.",
            example: Array(#"["\ud800"]"#.utf8),
            covers: { $0.foundation == nil && $0.ours?.holds(replacement) == true && hasSurrogateEscape($0.bytes) }),
        IntendedDifference(
            reason: "RFC 8259 knows no comma after the last element; Foundation accepts one, and we if asked to.",
            example: Array("[1,]".utf8),
            covers: { $0.ours == nil && $0.foundation != nil && agrees($0, .trailingCommas) }),
        IntendedDifference(
            reason: "RFC 8259 section 8.1 lets a parser ignore a byte order mark; Foundation does, and we if asked to.",
            example: Array("\u{FEFF}[1]".utf8),
            covers: { $0.ours == nil && $0.foundation != nil && agrees($0, [.byteOrderMark, .trailingCommas]) }),
        IntendedDifference(
            reason: "RFC 8259 section 8.1 asks for UTF-8; Foundation takes UTF-16 and UTF-32 too.",
            example: Array("[1]".utf8).flatMap { [$0, 0] },
            covers: { $0.ours == nil && $0.foundation != nil && $0.bytes.prefix(4).contains { $0 == 0 || $0 >= 0xFE } }),
        IntendedDifference(
            reason: "Foundation does not look into a string that nobody decodes, as of a second member with one key.",
            example: Array(#"{"a":1,"a":"\q"}"#.utf8),
            covers: { $0.ours == nil && $0.foundation != nil && isStringRefused($0.bytes) && repeatsKey($0.bytes) }),
        IntendedDifference(
            reason: "A fraction too small for a double is no integer to us; Foundation makes it 0.",
            example: Array("[1e-400]".utf8),
            covers: { $0.ours == nil && $0.foundation != nil && hasTooSmallNumber($0.bytes) }),
    ]

    private static let replacement = Array("\u{FFFD}".utf8)

    /// Whether we agree with Foundation once we are as lenient.
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

    /// Whether what is wrong with the document is inside a string.
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

    /// Whether two keys anywhere in the document are spelled the same, as far as can be told of a document that is none.
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
        // For Swift, and so for Foundation, keys are equal that differ in how their characters are composed.
        var keys = Set<String>()
        for (key, value) in node.members {
            if !keys.insert(key.string ?? "").inserted || hasDuplicates(value) { return true }
        }
        return node.elements.contains(where: hasDuplicates)
    }
}

/// A document on which the two decoders do not agree; an outcome is nil where the document is refused.
struct Disagreement {
    let bytes: [UInt8]
    let ours: AnyJSON?
    let foundation: AnyJSON?
}

extension AnyJSON {
    /// Whether some string or key contains `text`.
    func holds(_ text: [UInt8]) -> Bool {
        switch self {
        case .string(let string): string.contains(text)
        case .array(let elements): elements.contains { $0.holds(text) }
        case .object(let members): members.contains { $0.key.contains(text) || $0.value.holds(text) }
        default: false
        }
    }
}
