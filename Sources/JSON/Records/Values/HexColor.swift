public import JSONText

/// A colour in the hexadecimal notation of CSS.
///
/// Three, six and eight digits are read, with or without `#`: `C0DEED`, `#c0deed`, `#FFF`, and `#C0DEED80`, whose last two
/// digits are the opacity. `#C0DEED` is written, with the opacity only if it is not 1.
///
///     struct Profile: Codable {
///         var backgroundColor: HexColor
///     }
public struct HexColor: Hashable, Sendable {
    /// Red, green, blue and the opacity, a byte each, red in the highest one.
    private let bits: UInt32

    /// The red component: 0 to 1.
    public var red: Double { part(0) }
    /// The green component: 0 to 1.
    public var green: Double { part(1) }
    /// The blue component: 0 to 1.
    public var blue: Double { part(2) }
    /// The opacity: 0 (transparent) to 1.
    public var alpha: Double { part(3) }

    private func part(_ index: UInt32) -> Double { Double(bits >> (24 - 8 * index) & 0xFF) / 255 }

    /// A colour of the given components, which are clamped to 0 to 1 and rounded to the nearest 255th.
    ///
    ///     HexColor(red: 1, green: 0.2, blue: 0).description  // #FF3300
    public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
        func bits(_ part: Double) -> UInt32 { part > 0 ? UInt32((min(part, 1) * 255).rounded()) : 0 }
        self.bits = bits(red) << 24 | bits(green) << 16 | bits(blue) << 8 | bits(alpha)
    }

    /// The colour that `text` denotes; nil if it is not in hexadecimal notation.
    ///
    ///     HexColor("fff")?.description  // #FFFFFF
    ///     HexColor("white")  // nil
    public init?(_ text: String) { self.init(text.utf8.span) }

    init?(_ text: Span<UInt8>) {
        let start = text.count > 0 && text[0] == UInt8(ascii: "#") ? 1 : 0
        let count = text.count - start
        guard count == 3 || count == 6 || count == 8 else { return nil }
        var bits: UInt32 = 0, isValid = true
        for index in start..<text.count {
            let number = text[index] &- UInt8(ascii: "0"), letter = (text[index] | 0x20) &- UInt8(ascii: "a")
            isValid = isValid && (number < 10 || letter < 6)
            bits = bits &<< 4 | UInt32(number < 10 ? number : letter &+ 10)
        }
        guard isValid else { return nil }
        switch count {
        case 8: self.bits = bits
        case 6: self.bits = bits &<< 8 | 0xFF
        // Each digit stands for two.
        default: self.bits = (bits & 0xF00) * 0x11_0000 | (bits & 0xF0) * 0x1_1000 | (bits & 0xF) * 0x1100 | 0xFF
        }
    }
}

extension HexColor: CustomStringConvertible {
    /// The colour as `#C0DEED`, or as `#C0DEED80` if it is not opaque.
    public var description: String {
        var text: [UInt8] = []
        forEachByte { text.append($0) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Passes the bytes of the description to `take`.
    @inline(__always)
    func forEachByte(_ take: (UInt8) -> Void) {
        take(UInt8(ascii: "#"))
        func takePair(_ bits: UInt32) {
            let byte = UInt8(truncatingIfNeeded: bits)
            take(Self.digit(byte >> 4))
            take(Self.digit(byte & 15))
        }
        takePair(bits >> 24)
        takePair(bits >> 16)
        takePair(bits >> 8)
        if bits & 0xFF != 0xFF { takePair(bits) }
    }

    @inline(__always)
    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") &+ value : UInt8(ascii: "A") &- 10 &+ value
    }
}

extension HexColor: Codable {
    /// Decodes a colour from a string.
    public init(from decoder: any Decoder) throws {
        self = try decoder.decodeText(expecting: "a colour as #C0DEED", HexColor.init)
    }

    /// Encodes the colour as a string.
    public func encode(to encoder: any Encoder) throws { try encoder.encodeSingle(description) }
}

extension HexColor: FieldValue {
    /// A colour.
    public static var expectation: String { "a colour such as #C0DEED" }

    /// The schema of the strings that are written.
    public static func schema(in components: inout SchemaComponents) -> JSONValue {
        ["type": "string", "pattern": "^#[0-9A-F]{6}([0-9A-F]{2})?$"]
    }

    /// Reads a colour in a string without escapes, unless the rules know strings that mean "no value".
    public static func readPlain(_ node: JSONNode, _ rules: FieldRules) -> HexColor? {
        rules.absentStrings.isEmpty && node.kind == .string ? HexColor(node.text.span) : nil
    }

    /// Reads a colour in any of its notations.
    public static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> HexColor? {
        if rules.meanAbsent(node) { return reader.fail(.sentinel) }
        let color = node.kind == .string ? HexColor(node.text.span) : node.string.flatMap { HexColor($0) }
        return color ?? reader.fail(.mistyped)
    }

    /// Writes `#C0DEED`.
    public func write(to writer: inout JSONWriter, style: WritingStyle) {
        writer.write(atMost: 11) { room in
            room.write(byte: UInt8(ascii: "\""))
            forEachByte { room.write(byte: $0) }
            room.write(byte: UInt8(ascii: "\""))
        }
    }
}
