/// What a client says of content codings: the field Accept-Encoding (RFC 9110 §12.5.3).
public struct AcceptEncoding: Sendable {
    /// The weights of the codings in thousandths, by their names in lower case.
    private let weights: [String: Int]

    /// What the field says in all of its lines; an element with a weight that is none counts as refused.
    public init(_ headers: HeaderFields) {
        let elements = headers.values("Accept-Encoding").flatMap { $0.split(separator: ",") }
        weights = Dictionary(elements.map(Self.element), uniquingKeysWith: max)
    }

    /// Whether gzip is accepted, and no less welcome than the content as it is.
    public var prefersGzip: Bool {
        let gzip = [weights["gzip"], weights["x-gzip"]].compactMap(\.self).max() ?? weights["*"] ?? 0
        return gzip > 0 && gzip >= weights["identity"] ?? weights["*"] ?? 0
    }

    private static func element(_ text: Substring) -> (coding: String, weight: Int) {
        let parts = text.split(separator: ";", omittingEmptySubsequences: false).map(trimmed)
        let weight = parts.dropFirst().first { $0.lowercased().hasPrefix("q=") }
        return (parts[0].lowercased(), weight.map { Self.weight($0.dropFirst(2)) } ?? 1000)
    }

    /// The thousandths that a qvalue says (RFC 9110 §12.4.2); 0 for anything else.
    private static func weight(_ text: Substring) -> Int {
        let digits = Array(text.utf8)
        guard 1...5 ~= digits.count, digits.count == 1 || digits[1] == UInt8(ascii: ".") else { return 0 }
        var weight = 0
        for index in [0, 2, 3, 4] {
            let digit = index < digits.count ? digits[index] : ASCII.zero
            guard ASCII.isDigit(digit) else { return 0 }
            weight = weight * 10 + Int(digit &- ASCII.zero)
        }
        return weight <= 1000 ? weight : 0
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        guard let last = text.lastIndex(where: { !isBlank($0) }) else { return "" }
        return text[...last].drop(while: isBlank)
    }
}
