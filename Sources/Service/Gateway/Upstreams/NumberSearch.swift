import HTTPCore

/// A search for numbers with an exponent whose whole part is a key of digits: `1.2345678E7` for the key 12345678.
///
/// Numbers without an exponent contain the key itself.
struct NumberSearch: Sendable {
    /// The keys of digits, without leading zeros.
    private let keys: [[UInt8]]

    /// A search for those of `keys` that are digits.
    init(_ keys: [String]) {
        self.keys = keys.map { Array($0.utf8) }.filter { $0.allSatisfy(\.isDigit) }.map(Self.withoutLeadingZeros)
    }

    /// Returns the ranges of the numbers.
    func matches(in bytes: [UInt8]) -> [Range<Int>] {
        var matches: [Range<Int>] = []
        if keys.isEmpty { return matches }
        var index = 1
        while index < bytes.count {
            // An exponent follows a digit or, in some programs, the point.
            guard bytes[index] | 0x20 == UInt8(ascii: "e"), Self.isInMantissa(bytes[index - 1]) else {
                index += 1
                continue
            }
            let start = (bytes[..<index].lastIndex { !Self.isInMantissa($0) } ?? -1) + 1
            var end = index + 1
            if end < bytes.count, bytes[end] == UInt8(ascii: "+") || bytes[end] == UInt8(ascii: "-") { end += 1 }
            end = bytes[end...].firstIndex { !$0.isDigit } ?? bytes.count
            if isKey(mantissa: bytes[start..<index], exponent: bytes[(index + 1)..<end]) { matches.append(start..<end) }
            index = end
        }
        return matches
    }

    /// Whether the whole part of a number is a key.
    private func isKey(mantissa: ArraySlice<UInt8>, exponent: ArraySlice<UInt8>) -> Bool {
        let parts = mantissa.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count <= 2, let exponent = Self.exponent(exponent) else { return false }
        let digits = parts.flatMap(\.self)
        let zeros = digits.prefix { $0 == UInt8(ascii: "0") }.count
        let count = parts[0].count + exponent - zeros
        return keys.contains { key in
            guard key.count == count else { return false }
            return key.indices.allSatisfy { index in
                let place = zeros + index
                return key[index] == (place < digits.count ? digits[place] : UInt8(ascii: "0"))
            }
        }
    }

    /// Reads an exponent; nil for one with which no number is a key.
    private static func exponent(_ text: ArraySlice<UInt8>) -> Int? {
        let digits = text.drop { !$0.isDigit }.drop { $0 == UInt8(ascii: "0") }
        guard digits.count <= 6 else { return nil }
        let value = digits.reduce(0) { 10 * $0 + Int($1 - UInt8(ascii: "0")) }
        return text.first == UInt8(ascii: "-") ? -value : value
    }

    private static func isInMantissa(_ byte: UInt8) -> Bool { byte.isDigit || byte == UInt8(ascii: ".") }

    private static func withoutLeadingZeros(_ digits: [UInt8]) -> [UInt8] {
        Array(digits.drop { $0 == UInt8(ascii: "0") })
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
}
