// Unsafe: reads the bytes of a node through its buffer, each below the buffer's count, and those of a decimal in its memory.
import JSONText

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Decimal {
    /// The number with a text of up to 19 digits and no exponent; nil for another one, which `Decimal(string:)` reads 40 times as
    /// slowly.
    init?(plain text: UnsafeBufferPointer<UInt8>) {
        guard text.count <= 21 else { return nil }
        var magnitude: UInt64 = 0, digits = 0, places = 0
        var (isNegative, hasPoint) = (false, false)
        for (index, byte) in text.enumerated() {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                magnitude = magnitude &* 10 &+ UInt64(byte - UInt8(ascii: "0"))
                digits += 1
                if hasPoint { places += 1 }
            case UInt8(ascii: ".") where !hasPoint: hasPoint = true
            case UInt8(ascii: "-") where index == 0: isNegative = true
            default: return nil
            }
        }
        guard 1...19 ~= digits else { return nil }
        // A negative zero would be NaN.
        self =
            magnitude == 0
            ? 0 : Decimal(sign: isNegative ? .minus : .plus, exponent: -places, significand: Decimal(magnitude))
    }
}

extension UUID {
    /// The places of the hyphens.
    private static let hyphens = [8, 13, 18, 23]

    /// The identifier of a text of 36 characters; nil for another text.
    init?(text: UnsafeBufferPointer<UInt8>) {
        guard text.count == 36, Self.hyphens.allSatisfy({ text[$0] == UInt8(ascii: "-") }) else { return nil }
        var high: UInt64 = 0, low: UInt64 = 0
        for index in 0..<36 where !Self.hyphens.contains(index) {
            let digit: UInt8
            switch text[index] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = text[index] - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = text[index] - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = text[index] - UInt8(ascii: "A") + 10
            default: return nil
            }
            if index < 18 { high = high << 4 | UInt64(digit) } else { low = low << 4 | UInt64(digit) }
        }
        func byte(_ word: UInt64, _ place: Int) -> UInt8 { UInt8(truncatingIfNeeded: word >> (56 - 8 * UInt64(place))) }
        self.init(
            uuid: (
                byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4), byte(high, 5), byte(high, 6),
                byte(high, 7), byte(low, 0), byte(low, 1), byte(low, 2), byte(low, 3), byte(low, 4), byte(low, 5),
                byte(low, 6), byte(low, 7)
            ))
    }

    /// The bytes of `uuidString` in quotation marks.
    var quotedText: [UInt8] {
        let bytes = [
            uuid.0, uuid.1, uuid.2, uuid.3, uuid.4, uuid.5, uuid.6, uuid.7, uuid.8, uuid.9, uuid.10, uuid.11, uuid.12,
            uuid.13, uuid.14, uuid.15,
        ]
        return [UInt8](unsafeUninitializedCapacity: 38) { text, count in
            func append(_ byte: UInt8) {
                text[count] = byte
                count += 1
            }
            func append(digit: UInt8) {
                append(digit < 10 ? digit + UInt8(ascii: "0") : digit - 10 + UInt8(ascii: "A"))
            }
            append(UInt8(ascii: "\""))
            for byte in bytes {
                append(digit: byte >> 4)
                append(digit: byte & 15)
                if Self.hyphens.contains(count - 1) { append(UInt8(ascii: "-")) }
            }
            append(UInt8(ascii: "\""))
        }
    }
}

extension Decimal: WritableScalar {
    var nonFinite: Double? { isFinite ? nil : .nan }

    func writeScalar(to writer: inout JSONWriter) {
        if !writeDigits(to: &writer) { writer.write(raw: Array(description.utf8)) }
    }

    /// Writes a number of up to 64 bits and 18 decimals from its memory; returns false, without writing anything, for others.
    ///
    /// No public function of Foundation gives the digits, and the description takes six times as long.
    private func writeDigits(to writer: inout JSONWriter) -> Bool {
        guard Self.hasKnownLayout else { return false }
        return withUnsafeBytes(of: self) { memory in
            let places = -Int(memory.load(as: Int8.self))
            let digits = memory.loadUnaligned(fromByteOffset: 4, as: UInt64.self)
            // A number of more than four words has more digits; the description leaves zeros at the end out.
            guard 0...18 ~= places, memory[1] >> 4 <= 4, places == 0 ? digits > 0 : digits % 10 > 0 else {
                return false
            }
            let unit = Self.powersOfTen[places]
            if memory[1] & 8 > 0 { writer.write(byte: UInt8(ascii: "-")) }
            writer.write(digits / unit)
            if places == 0 { return true }
            let point = writer.count
            // The point takes the place of the first digit, which keeps the zeros behind it.
            writer.write(unit + digits % unit)
            writer.overwrite(at: point, with: UInt8(ascii: "."))
            return true
        }
    }

    /// Whether a decimal has its exponent, its flags and its digits where this platform's Foundation has had them.
    private static let hasKnownLayout: Bool = {
        guard MemoryLayout<Decimal>.size == 20 else { return false }
        return withUnsafeBytes(of: Decimal(sign: .minus, exponent: -2, significand: 1_234_567_890_123)) { memory in
            memory[0] == 254 && memory[1] >> 3 == 3 << 1 | 1
                && memory.loadUnaligned(fromByteOffset: 4, as: UInt64.self) == 1_234_567_890_123
        }
    }()

    private static let powersOfTen: [UInt64] = (0...18).map { (0..<$0).reduce(1) { power, _ in power * 10 } }
}

extension UUID: WritableScalar {
    func writeScalar(to writer: inout JSONWriter) { writer.write(raw: quotedText) }
}
