import Foundation
import JSONText
import LenientCoding
import TestSupport
import Testing

/// An intended difference between LenientDecoder and Foundation's decoder: a row of the table in docs/library.md.
struct IntendedDifference: Sendable, CustomTestStringConvertible {
    /// The name in the first column, by which the test knows how to recognise the difference.
    let name: String
    /// The document of the second column.
    let document: [UInt8]
    /// The type as which it is decoded; any JSON if nil.
    let type: String?
    /// The JSON that the decoders read; nil for an error.
    let ours: String?
    let foundations: String?

    var testDescription: String { name }

    /// The rows of the table; any other disagreement is an error.
    static let all: [IntendedDifference] = {
        let path = "\(Checkout.root)/docs/library.md"
        guard let text = try? String(contentsOfFile: path, encoding: .utf8),
            let section = text.components(separatedBy: "\n## Differences from JSONDecoder\n").dropFirst().first
        else { return [] }
        return section.components(separatedBy: "\n## ")[0].split(separator: "\n").filter { $0.hasPrefix("| ") }
            .dropFirst(2).compactMap(IntendedDifference.init)
    }()

    /// Reads a row; nil if it is none.
    private init?(_ row: Substring) {
        let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        guard cells.count == 5 else { return nil }
        name = cells[0]
        let spans = Self.codeSpans(cells[1])
        guard let text = spans.first else { return nil }
        type = cells[1].contains("` as `") ? spans.last : nil
        document = Self.document(text, cells[1])
        ours = Self.codeSpans(cells[2]).first
        foundations = Self.codeSpans(cells[3]).first
    }

    private static func codeSpans(_ cell: String) -> [String] {
        let parts = cell.components(separatedBy: "`")
        return stride(from: 1, to: parts.count, by: 2).map { parts[$0] }
    }

    /// Returns the bytes of a document whose cell says how they differ from its text.
    private static func document(_ text: String, _ cell: String) -> [UInt8] {
        if cell.hasSuffix("in UTF-16 and half a character") {
            return text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] } + [0x20]
        }
        if cell.hasSuffix("in UTF-32 after U+FEFF") { return Array("\u{FEFF}\(text)".unicodeScalars).flatMap(utf32) }
        if cell.hasSuffix("after 64 MiB of spaces") {
            var document = [UInt8](repeating: 0x20, count: 64 << 20)
            document.append(contentsOf: Array(text.utf8))
            return document
        }
        return Array(text.utf8)
    }

    private static func utf32(_ scalar: Unicode.Scalar) -> [UInt8] {
        (0..<4).map { UInt8(scalar.value >> (8 * UInt32($0)) & 0xFF) }
    }

    // MARK: Recognising a difference

    /// Whether a disagreement on any JSON is of this kind; nil if the test does not know the kind.
    func covers(_ disagreement: Disagreement) -> Bool? {
        let isRefused = disagreement.ours == nil && disagreement.foundation != nil
        switch name {
        case "incomplete encoding": return isRefused && disagreement.isIncomplete
        case "character set of UTF-32": return disagreement.bytes.starts(with: [0xFF, 0xFE, 0, 0])
        case "unread value": return isRefused && disagreement.hasUnreadFault
        case "inexact integer", "large integer": return disagreement.hasOnlyInexactNumbers
        case "document size": return isRefused && disagreement.bytes.count > 64 << 20
        // Any JSON is decoded from integers first, and not as a JSONValue.
        case "zero with an exponent", "equal keys without a type": return false
        default: return nil
        }
    }
}

/// A document with the results of both decoders; a result is nil if the document is refused.
struct Disagreement {
    let bytes: [UInt8]
    let ours: AnyJSON?
    let foundation: AnyJSON?

    /// Whether a document in UTF-16 or UTF-32 is read without its last bytes, which are no whole code unit.
    var isIncomplete: Bool {
        guard bytes.prefix(4).contains(where: { $0 == 0 || $0 >= 0xFE }) else { return false }
        return (1...3).contains { count in
            guard let ours = try? LenientDecoder().decode(AnyJSON.self, from: Array(bytes.dropLast(count))) else {
                return false
            }
            return Disagreement(bytes: bytes, ours: ours, foundation: foundation).hasOnlyInexactNumbers
        }
    }

    /// Whether the results differ only in integers that are spelled with a fraction or an exponent.
    var hasOnlyInexactNumbers: Bool {
        if let ours, let foundation { return ours.withDoubles == foundation.withDoubles }
        var parser = JSONParser(options: JSONOptions(leniency: .foundation))
        return foundation != nil && (try? parser.withDocument(bytes, Self.hasTooSmallNumber)) == true
    }

    private static func hasTooSmallNumber(_ node: JSONNode) -> Bool {
        if node.isNumber { return node.int64 == nil && (node.double ?? 0) == 0 }
        return node.elements.contains(where: hasTooSmallNumber) || node.members.contains { hasTooSmallNumber($0.value) }
    }

    /// Whether the document's syntax error is inside a string or a number, and a key is repeated: Foundation reads every
    /// value but those of repeated keys.
    var hasUnreadFault: Bool {
        var parser = JSONParser(options: JSONOptions(leniency: .foundation))
        do {
            try parser.withDocument(bytes) { _ in }
            return false
        } catch {
            guard let error = error as? JSONSyntaxError else { return false }
            switch error.reason {
            case .invalidEscape, .controlCharacter, .invalidUTF8, .invalidNumber: return repeatsKey
            // Foundation takes all characters of numbers as one number, such as `0e5.0`.
            case .unexpectedByte(let byte, _) where Self.isOfNumber(byte):
                return bytes[..<error.offset].last.map(Self.isOfNumber) == true && repeatsKey
            default: return false
            }
        }
    }

    private static func isOfNumber(_ byte: UInt8) -> Bool { "0123456789.eE+-".utf8.contains(byte) }

    /// Whether two keys anywhere in the document, which may be invalid, have the same spelling.
    private var repeatsKey: Bool {
        // The zeros of UTF-16 and UTF-32 do not matter here.
        let bytes = bytes.prefix(4).contains(0) ? bytes.filter { $0 != 0 } : bytes
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
}

extension AnyJSON {
    /// The value with doubles in place of integers.
    var withDoubles: AnyJSON {
        switch self {
        case .integer(let value): .double(Double(value))
        case .natural(let value): .double(Double(value))
        case .array(let elements): .array(elements.map(\.withDoubles))
        case .object(let members): .object(members.map { Member(key: $0.key, value: $0.value.withDoubles) })
        default: self
        }
    }
}
