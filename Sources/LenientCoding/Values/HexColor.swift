/// A colour as the web writes it, and its parts from 0 to 1.
///
/// Read are three, six and eight hexadecimal digits, with or without `#`: `C0DEED`, `#c0deed`, `#FFF`, and
/// `#C0DEED80`, whose last two digits are the opacity. Written is `#C0DEED`, with the opacity only where it is not 1.
///
///     struct Profile: Codable {
///         var backgroundColor: HexColor
///     }
public struct HexColor: Hashable, Sendable {
    /// From 0 to 1.
    ///
    ///     HexColor("#FF3300")?.red  // 1.0
    public let red: Double
    /// From 0 to 1.
    ///
    ///     HexColor("#FF3300")?.green  // 0.2
    public let green: Double
    /// From 0 to 1.
    ///
    ///     HexColor("#FF3300")?.blue  // 0.0
    public let blue: Double
    /// The opacity, from 0 for transparent to 1.
    ///
    ///     HexColor("#FF330033")?.alpha  // 0.2
    public let alpha: Double

    /// The colour of these parts; what lies outside of 0 to 1 becomes the nearer end.
    ///
    ///     HexColor(red: 1, green: 0.2, blue: 0).description  // #FF3300
    public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
        func bounded(_ part: Double) -> Double { part > 0 ? min(part, 1) : 0 }
        self.red = bounded(red)
        self.green = bounded(green)
        self.blue = bounded(blue)
        self.alpha = bounded(alpha)
    }

    /// The colour that `text` names; nil when it is none.
    ///
    ///     HexColor("fff")?.description  // #FFFFFF
    ///     HexColor("white")  // nil
    public init?(_ text: String) {
        let digits = text.utf8.drop { $0 == UInt8(ascii: "#") }
        guard text.utf8.count - digits.count <= 1 else { return nil }
        var values = digits.compactMap(Self.value)
        guard values.count == digits.count else { return nil }
        if values.count == 3 { values = values.flatMap { [$0, $0] } }
        guard values.count == 6 || values.count == 8 else { return nil }
        func part(_ index: Int) -> Double { Double(values[2 * index] << 4 | values[2 * index + 1]) / 255 }
        self.init(red: part(0), green: part(1), blue: part(2), alpha: values.count == 8 ? part(3) : 1)
    }

    private static func value(of digit: UInt8) -> Int? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(digit - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): Int(digit - UInt8(ascii: "a")) + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): Int(digit - UInt8(ascii: "A")) + 10
        default: nil
        }
    }
}

extension HexColor: CustomStringConvertible {
    /// The colour as `#C0DEED`, or as `#C0DEED80` where it is not opaque.
    public var description: String {
        let digits = Array("0123456789ABCDEF")
        return (alpha == 1 ? [red, green, blue] : [red, green, blue, alpha]).reduce(into: "#") { text, part in
            let value = Int((part * 255).rounded())
            text.append(digits[value >> 4])
            text.append(digits[value & 15])
        }
    }
}

extension HexColor: Codable {
    /// Reads a colour from a string.
    ///
    /// - Throws: `DecodingError` when there is no string or it names no colour.
    public init(from decoder: any Decoder) throws {
        self = try decoder.decodeText(expecting: "a colour as #C0DEED", HexColor.init)
    }

    /// Writes the colour as a string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
