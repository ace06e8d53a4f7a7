import JSONText

/// A type that one scalar of JSON is read as.
protocol Scalar: Decodable {
    /// The value that `node` is; nil when it is of another kind or does not fit.
    static func read(_ node: JSONNode) -> Self?

    /// The value that `node` stands for without being of its kind, and what was done to read it.
    static func convert(_ node: JSONNode) -> (value: Self, reason: DriftReport.Reason)?
}

extension Bool: Scalar {
    static func read(_ node: JSONNode) -> Bool? { node.bool }

    static func convert(_ node: JSONNode) -> (value: Bool, reason: DriftReport.Reason)? {
        let text = node.isNumber ? node.int64.map(String.init) : node.string
        return switch text {
        case "1", "true": (true, .booleanText)
        case "0", "false": (false, .booleanText)
        default: nil
        }
    }
}

extension String: Scalar {
    static func read(_ node: JSONNode) -> String? { node.string }

    static func convert(_ node: JSONNode) -> (value: String, reason: DriftReport.Reason)? {
        node.isNumber ? (String(decoding: node.text, as: UTF8.self), .textOfNumber) : nil
    }
}

extension Double: Scalar {
    @inline(__always)
    static func read(_ node: JSONNode) -> Double? {
        guard let value = node.double else { return nil }
        return value == 0 && isLost(node.text) ? nil : value
    }

    /// Whether a number that came out as zero is another one, too small for its type.
    @inline(never)
    static func isLost(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        text.prefix { $0 | 0x20 != UInt8(ascii: "e") }.contains { UInt8(ascii: "1")...UInt8(ascii: "9") ~= $0 }
    }

    static func convert(_ node: JSONNode) -> (value: Double, reason: DriftReport.Reason)? {
        node.numericStringAsDouble.map { ($0, .numericString) }
    }
}

extension Float: Scalar {
    static func read(_ node: JSONNode) -> Float? { node.isNumber ? read(text: node.text) : nil }

    static func convert(_ node: JSONNode) -> (value: Float, reason: DriftReport.Reason)? {
        node.numericText.flatMap(read).map { ($0, .numericString) }
    }

    private static func read(text: UnsafeBufferPointer<UInt8>) -> Float? {
        // From the text: by way of a double it would be rounded twice.
        guard let value = Float(String(decoding: text, as: UTF8.self)), value.isFinite else { return nil }
        return value == 0 && Double.isLost(text) ? nil : value
    }
}

extension Scalar where Self: FixedWidthInteger {
    @inline(__always)
    static func read(_ node: JSONNode) -> Self? {
        if let value = node.int64 { return Self(exactly: value) }
        return node.isNumber ? ExactInteger.read(node.text) : nil
    }

    static func convert(_ node: JSONNode) -> (value: Self, reason: DriftReport.Reason)? {
        guard let text = node.numericText, let value: Self = ExactInteger.read(text) else { return nil }
        return (value, .numericString)
    }
}

extension Int: Scalar {}
extension Int8: Scalar {}
extension Int16: Scalar {}
extension Int32: Scalar {}
extension Int64: Scalar {}
extension Int128: Scalar {}
extension UInt: Scalar {}
extension UInt8: Scalar {}
extension UInt16: Scalar {}
extension UInt32: Scalar {}
extension UInt64: Scalar {}
extension UInt128: Scalar {}
