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
    /// Red, green, blue and the opacity, each from 0 to 255.
    private let parts: SIMD4<UInt8>

    /// The red component: 0 to 1.
    public var red: Double { Double(parts[0]) / 255 }
    /// The green component: 0 to 1.
    public var green: Double { Double(parts[1]) / 255 }
    /// The blue component: 0 to 1.
    public var blue: Double { Double(parts[2]) / 255 }
    /// The opacity: 0 (transparent) to 1.
    public var alpha: Double { Double(parts[3]) / 255 }

    /// A colour of the given components, which are clamped to 0 to 1 and rounded to the nearest 255th.
    ///
    ///     HexColor(red: 1, green: 0.2, blue: 0).description  // #FF3300
    public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
        func part(_ part: Double) -> UInt8 { part > 0 ? UInt8((min(part, 1) * 255).rounded()) : 0 }
        parts = SIMD4(part(red), part(green), part(blue), part(alpha))
    }

    /// The colour that `text` denotes; nil if it is not in hexadecimal notation.
    ///
    ///     HexColor("fff")?.description  // #FFFFFF
    ///     HexColor("white")  // nil
    public init?(_ text: String) { self.init(text.utf8.span) }

    init?(_ text: Span<UInt8>) {
        let start = text.count > 0 && text[0] == UInt8(ascii: "#") ? 1 : 0
        let digits = text.extracting(start...)
        guard digits.count == 3 || digits.count == 6 || digits.count == 8,
            let red = Self.part(0, of: digits), let green = Self.part(1, of: digits),
            let blue = Self.part(2, of: digits), let alpha = digits.count == 8 ? Self.part(3, of: digits) : 255
        else { return nil }
        parts = SIMD4(red, green, blue, alpha)
    }

    /// Returns a component of two digits or, in the three-digit form, of one digit that stands for two.
    @inline(__always)
    private static func part(_ index: Int, of digits: Span<UInt8>) -> UInt8? {
        let width = digits.count == 3 ? 1 : 2
        guard let high = value(of: digits[index * width]), let low = value(of: digits[index * width + width - 1])
        else { return nil }
        return high << 4 | low
    }

    private static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
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
        for index in 0..<(parts[3] == 255 ? 3 : 4) {
            take(Self.digit(parts[index] >> 4))
            take(Self.digit(parts[index] & 15))
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") - 10 + value
    }
}

extension HexColor: Codable {
    /// Decodes a colour from a string.
    public init(from decoder: any Decoder) throws {
        self = try decoder.decodeText(expecting: "a colour as #C0DEED", HexColor.init)
    }

    /// Encodes the colour as a string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension HexColor: FieldValue {
    /// A colour.
    public static var expectation: String { "a colour such as #C0DEED" }

    /// The schema of the strings that are written.
    public static func schema(in components: inout SchemaComponents) -> JSONValue {
        ["type": "string", "pattern": "^#[0-9A-F]{6}([0-9A-F]{2})?$"]
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
