public import FoundationEssentials

/// A type that `@Lossless` can convert to from numbers, strings and Booleans.
///
/// The standard library's scalars, `Decimal` and optionals of them are. A type of your own that has a text needs a line:
///
///     extension TweetID: LosslessValue {}  // it is LosslessStringConvertible
public protocol LosslessValue: Codable {
    /// The value that `scalar`, a string, a number or a Boolean, stands for without loss; nil when it stands for none.
    ///
    ///     Int.lossless(from: "12")  // 12
    ///     Int.lossless(from: 12.5)  // nil
    static func lossless(from scalar: JSONValue) -> Self?

    /// Why `scalar` had to be converted to such a value; nil where it is one.
    ///
    ///     Int.conversion(from: "12")  // .numericString
    ///     Int.conversion(from: 12)  // nil
    static func conversion(from scalar: JSONValue) -> DriftReport.Reason?
}

extension LosslessValue {
    /// A number in a string, a Boolean as a number, a number as a string.
    public static func conversion(from scalar: JSONValue) -> DriftReport.Reason? {
        switch scalar {
        case .string: .numericString
        case .bool: .booleanText
        default: nil
        }
    }
}

extension LosslessValue where Self: LosslessStringConvertible {
    /// Returns the value that a string, the text of a number, `true` or `false` spells.
    public static func lossless(from scalar: JSONValue) -> Self? {
        // Beyond the common rule, a Boolean is a text here: it loses nothing either.
        if let value = scalar.boolValue { return Self(value.description) }
        return JSONScalar(scalar)?.coerced(to: String.self).flatMap { Self($0.value) }
    }

    /// Returns `textOfNumber` for a number or a Boolean.
    public static func conversion(from scalar: JSONValue) -> DriftReport.Reason? {
        if case .string = scalar { nil } else { .textOfNumber }
    }
}

extension LosslessValue where Self: FixedWidthInteger {
    /// Returns the integer that `scalar` is or spells: `12`, `12.0` and `"12"`, never `12.5`.
    public static func lossless(from scalar: JSONValue) -> Self? { JSONScalar(scalar)?.coerced(to: Self.self)?.value }

    /// Returns `numericString` for a string.
    public static func conversion(from scalar: JSONValue) -> DriftReport.Reason? {
        JSONScalar(scalar)?.coerced(to: Self.self)?.reason
    }
}

extension Int: LosslessValue {}
extension Int8: LosslessValue {}
extension Int16: LosslessValue {}
extension Int32: LosslessValue {}
extension Int64: LosslessValue {}
extension UInt: LosslessValue {}
extension UInt8: LosslessValue {}
extension UInt16: LosslessValue {}
extension UInt32: LosslessValue {}
extension UInt64: LosslessValue {}

extension Double: LosslessValue {
    /// Returns the double nearest to the number that `scalar` is or spells.
    public static func lossless(from scalar: JSONValue) -> Double? {
        JSONScalar(scalar)?.coerced(to: Double.self)?.value
    }

    /// Returns `numericString` for a string.
    public static func conversion(from scalar: JSONValue) -> DriftReport.Reason? {
        JSONScalar(scalar)?.coerced(to: Double.self)?.reason
    }
}

extension Float: LosslessValue {
    /// Returns the float nearest to the number that `scalar` is or spells.
    public static func lossless(from scalar: JSONValue) -> Float? { JSONScalar(scalar)?.coerced(to: Float.self)?.value }

    /// Returns `numericString` for a string.
    public static func conversion(from scalar: JSONValue) -> DriftReport.Reason? {
        JSONScalar(scalar)?.coerced(to: Float.self)?.reason
    }
}

extension Decimal: LosslessValue {
    /// Returns the decimal of up to 38 digits that `scalar` is or spells.
    public static func lossless(from scalar: JSONValue) -> Decimal? {
        JSONScalar(scalar)?.coerced(to: Decimal.self)?.value
    }

    /// Returns `numericString` for a string.
    public static func conversion(from scalar: JSONValue) -> DriftReport.Reason? {
        JSONScalar(scalar)?.coerced(to: Decimal.self)?.reason
    }
}

extension Bool: LosslessValue {
    /// Returns the Boolean that `scalar` is or stands for: 1 and 0 in any spelling, `"1"`, `"0"`, `"true"` and `"false"`.
    public static func lossless(from scalar: JSONValue) -> Bool? { JSONScalar(scalar)?.coerced(to: Bool.self)?.value }

    /// Returns `booleanText` for a number or a string.
    public static func conversion(from scalar: JSONValue) -> DriftReport.Reason? {
        JSONScalar(scalar)?.coerced(to: Bool.self)?.reason
    }
}

extension String: LosslessValue {}

extension Optional: LosslessValue where Wrapped: LosslessValue {
    /// Returns nil for null, else what the wrapped type returns.
    public static func lossless(from scalar: JSONValue) -> Wrapped?? {
        scalar.isNull ? .some(nil) : Wrapped.lossless(from: scalar).map(Optional.some)
    }

    /// Returns the reason of the wrapped type.
    public static func conversion(from scalar: JSONValue) -> DriftReport.Reason? { Wrapped.conversion(from: scalar) }
}
