#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Reads and writes UUIDs (RFC 9562 section 4).
///
/// `UUID(uuidString:)` and `uuidString` scan and print with a format of the C library, which takes ten times as long.
enum UUIDText {
    /// Returns the UUID of a text of 32 hexadecimal digits and four hyphens; nil for any other text.
    static func uuid(_ text: Span<UInt8>) -> UUID? {
        guard text.count == 36 else { return nil }
        var bytes = SIMD16<UInt8>()
        var index = 0
        for byte in 0..<16 {
            if isGroup(byte) {
                guard text[index] == UInt8(ascii: "-") else { return nil }
                index += 1
            }
            guard let high = value(text[index]), let low = value(text[index + 1]) else { return nil }
            bytes[byte] = high << 4 | low
            index += 2
        }
        return UUID(
            uuid: (
                bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7], bytes[8], bytes[9],
                bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
            ))
    }

    /// Returns the text of a UUID with capital letters.
    static func text(_ uuid: UUID) -> String {
        let bytes = uuid.uuid
        let all = [
            bytes.0, bytes.1, bytes.2, bytes.3, bytes.4, bytes.5, bytes.6, bytes.7, bytes.8, bytes.9, bytes.10,
            bytes.11, bytes.12, bytes.13, bytes.14, bytes.15,
        ]
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for (index, byte) in all.enumerated() {
            if isGroup(index) { text.append(UInt8(ascii: "-")) }
            text.append(digit(byte >> 4))
            text.append(digit(byte & 15))
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Whether a hyphen comes before a byte.
    private static func isGroup(_ byte: Int) -> Bool { byte == 4 || byte == 6 || byte == 8 || byte == 10 }

    private static func digit(_ value: UInt8) -> UInt8 { value + (value < 10 ? 0x30 : 0x37) }

    private static func value(_ digit: UInt8) -> UInt8? {
        if digit &- UInt8(ascii: "0") < 10 { return digit &- UInt8(ascii: "0") }
        let letter = (digit | 0x20) &- UInt8(ascii: "a")
        return letter < 6 ? letter + 10 : nil
    }
}

extension Decimal {
    /// Creates the number of a text as in JSON with up to 18 digits and no exponent; nil for any other text.
    ///
    /// `Decimal(string:)` takes five times as long.
    init?(plainNumber text: Span<UInt8>) {
        var significand: UInt64 = 0, digits = 0, places: Int?
        let isNegative = !text.isEmpty && text[0] == UInt8(ascii: "-")
        for index in (isNegative ? 1 : 0)..<text.count {
            let digit = text[index] &- UInt8(ascii: "0")
            if digit < 10 {
                significand = significand &* 10 &+ UInt64(digit)
                digits += 1
                if let count = places { places = count + 1 }
            } else if text[index] == UInt8(ascii: "."), places == nil {
                places = 0
            } else {
                return nil
            }
        }
        guard digits <= 18, significand > 0 else { return nil }
        var exponent = -(places ?? 0)
        // Without zeros at the end, as `Decimal(string:)` makes it.
        while significand % 10 == 0 {
            significand /= 10
            exponent += 1
        }
        self.init(sign: isNegative ? .minus : .plus, exponent: exponent, significand: Decimal(significand))
    }
}
