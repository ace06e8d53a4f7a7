import JSONText

/// A type that is decoded from one JSON scalar.
protocol Scalar: Coercible {
    /// Returns the value of `node`; nil if it has another type or does not fit.
    static func read(_ node: JSONNode) -> Self?

    /// Returns the value of a scalar of any type; nil if the conversion would lose something.
    static func coerced(from scalar: JSONScalar) -> ScalarCoercion<Self>?
}

extension Bool: Scalar {
    static func read(_ node: JSONNode) -> Bool? { node.bool }

    static func coerced(from scalar: JSONScalar) -> ScalarCoercion<Bool>? { scalar.coerced(to: Bool.self) }
}

extension String: Scalar {
    static func read(_ node: JSONNode) -> String? { node.wellFormedString }

    static func coerced(from scalar: JSONScalar) -> ScalarCoercion<String>? { scalar.coerced(to: String.self) }
}

extension Double: Scalar {
    @inline(__always)
    static func read(_ node: JSONNode) -> Double? {
        guard let value = node.double else { return nil }
        return value == 0 && isLost(node.text) ? nil : value
    }

    /// Returns whether a number that was read as zero has a digit other than 0, so that it underflowed.
    @inline(never)
    static func isLost(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        text.prefix { $0 | 0x20 != UInt8(ascii: "e") }.contains { UInt8(ascii: "1")...UInt8(ascii: "9") ~= $0 }
    }

    static func coerced(from scalar: JSONScalar) -> ScalarCoercion<Double>? { scalar.coerced(to: Double.self) }
}

extension Float: Scalar {
    static func read(_ node: JSONNode) -> Float? {
        // Reading a double first would round twice.
        guard node.isNumber, let value = Float(String(decoding: node.text, as: UTF8.self)), value.isFinite
        else { return nil }
        return value == 0 && Double.isLost(node.text) ? nil : value
    }

    static func coerced(from scalar: JSONScalar) -> ScalarCoercion<Float>? { scalar.coerced(to: Float.self) }
}

extension Scalar where Self: FixedWidthInteger {
    @inline(__always)
    static func read(_ node: JSONNode) -> Self? {
        if let value = node.int64 { return Self(exactly: value) }
        return node.isNumber ? NumberText.integer(node.text) : nil
    }

    static func coerced(from scalar: JSONScalar) -> ScalarCoercion<Self>? { scalar.coerced(to: Self.self) }
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
