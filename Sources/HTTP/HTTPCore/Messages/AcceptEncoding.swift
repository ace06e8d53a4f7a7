/// A content coding for answers, with its name in Content-Encoding.
public enum ContentCoding: String, Sendable {
    /// RFC 1952.
    case gzip
    /// RFC 7932.
    case brotli = "br"
}

/// The content codings that a client accepts: the field Accept-Encoding (RFC 9110 §12.5.3).
public struct AcceptEncoding: Sendable {
    /// The weights of the codings in thousandths, by their names in lower case.
    private let weights: [String: Int]

    /// Reads all lines of the field; an element with a malformed weight counts as refused.
    public init(_ headers: HeaderFields) {
        let elements = headers.values("Accept-Encoding").flatMap { $0.lowercased().split(separator: ",") }
        weights = Dictionary(elements.map(Self.element), uniquingKeysWith: max)
    }

    /// The accepted coding with the greatest weight, brotli among equals; nil if the unencoded content weighs more.
    public var preferred: ContentCoding? {
        let gzip = [weights["gzip"], weights["x-gzip"]].compactMap(\.self).max() ?? weights["*"] ?? 0
        // A client that accepts anything may not know brotli.
        let brotli = weights["br"] ?? 0
        let best = max(gzip, brotli)
        guard best > 0, best >= weights["identity"] ?? weights["*"] ?? 0 else { return nil }
        return brotli == best ? .brotli : .gzip
    }

    private static func element(_ text: Substring) -> (coding: String, weight: Int) {
        let parts = text.split(separator: ";", omittingEmptySubsequences: false).map(trimmed)
        let weight = parts.dropFirst().first { $0.hasPrefix("q=") }
        return (String(parts[0]), weight.map { Self.weight($0.dropFirst(2)) } ?? 1000)
    }

    /// The thousandths of a qvalue (RFC 9110 §12.4.2), or 0 if it is malformed.
    private static func weight(_ text: Substring) -> Int {
        let digits = Array(text.utf8)
        guard 1...5 ~= digits.count, digits.count == 1 || digits[1] == UInt8(ascii: ".") else { return 0 }
        var weight = 0
        for index in [0, 2, 3, 4] {
            let digit = index < digits.count ? digits[index] : ASCII.zero
            guard ASCII.isDigit(digit) else { return 0 }
            weight = weight * 10 + Int(digit - ASCII.zero)
        }
        return weight <= 1000 ? weight : 0
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        guard let last = text.lastIndex(where: { !isBlank($0) }) else { return "" }
        return text[...last].drop(while: isBlank)
    }
}
