#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A type that `@Lossless` can decode from numbers, strings and Booleans.
///
/// The scalars of the standard library, `Decimal`, and optionals and arrays of them conform to it. Another type that is
/// `LosslessStringConvertible` needs one line:
///
///     extension TweetID: LosslessValue {}
public protocol LosslessValue: Codable {
    /// Returns the value of a string, number or Boolean; nil if the conversion would lose something.
    ///
    ///     Int.lossless(from: "12")  // 12
    ///     Int.lossless(from: 12.5)  // nil
    static func lossless(from scalar: JSONValue) -> Self?

    /// Returns the reason in the report for the conversion of `scalar`; nil if it already has this type.
    ///
    ///     Int.conversion(from: "12")  // .numericString
    ///     Int.conversion(from: 12)  // nil
    static func conversion(from scalar: JSONValue) -> DriftReport.Reason?

    /// Decodes a value for `@Lossless`, and calls `onConversion` if it is converted; by default from a number, string or
    /// Boolean.
    static func decodeLosslessly(
        from decoder: any Decoder, onConversion: (DriftReport.Reason) -> Void
    ) throws -> Self
}

extension LosslessValue {
    /// Decodes a value as `@Lossless` does.
    ///
    /// - Throws: `DecodingError` for other values, and if the conversion would lose something.
    public static func decodeLosslessly(from decoder: any Decoder) throws -> Self {
        try decodeLosslessly(from: decoder) { _ in }
    }

    /// Returns `numericString` for a string, `booleanText` for a Boolean, and nil for a number.
    public static func conversion(from scalar: JSONValue) -> DriftReport.Reason? {
        switch scalar {
        case .string: .numericString
        case .bool: .booleanText
        default: nil
        }
    }
}

extension LosslessValue where Self: LosslessStringConvertible {
    /// Creates the value from a string, from the text of a number, or from `true` or `false` as text.
    public static func lossless(from scalar: JSONValue) -> Self? {
        // Unlike `ScalarCoercion`, this converts a Boolean to text.
        if let value = scalar.boolValue { return Self(value.description) }
        return String.coerced(from: scalar).flatMap { Self($0.value) }
    }

    /// Returns `textOfNumber` for a number or a Boolean.
    public static func conversion(from scalar: JSONValue) -> DriftReport.Reason? {
        if case .string = scalar { nil } else { .textOfNumber }
    }
}

extension LosslessValue where Self: FixedWidthInteger {
    /// Returns the integer of a number or of a string with a number: `12`, `12.0` and `"12"`, but not `12.5`.
    public static func lossless(from scalar: JSONValue) -> Self? { scalar.integer(of: Self.self)?.value }

    /// Returns `numericString` for a string.
    public static func conversion(from scalar: JSONValue) -> DriftReport.Reason? {
        scalar.integer(of: Self.self)?.reason
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
    /// Returns the double nearest to a number or to a string with a number.
    public static func lossless(from scalar: JSONValue) -> Double? {
        Double.coerced(from: scalar)?.value
    }

    /// Returns `numericString` for a string.
    public static func conversion(from scalar: JSONValue) -> DriftReport.Reason? {
        Double.coerced(from: scalar)?.reason
    }
}

extension Float: LosslessValue {
    /// Returns the float nearest to a number or to a string with a number.
    public static func lossless(from scalar: JSONValue) -> Float? { Float.coerced(from: scalar)?.value }

    /// Returns `numericString` for a string.
    public static func conversion(from scalar: JSONValue) -> DriftReport.Reason? {
        Float.coerced(from: scalar)?.reason
    }
}

extension Decimal: LosslessValue {
    /// Returns the decimal of a number, or of a string with a number, of up to 38 digits.
    public static func lossless(from scalar: JSONValue) -> Decimal? {
        Decimal.coerced(from: scalar)?.value
    }

    /// Returns `numericString` for a string.
    public static func conversion(from scalar: JSONValue) -> DriftReport.Reason? {
        Decimal.coerced(from: scalar)?.reason
    }
}

extension Bool: LosslessValue {
    /// Returns the Boolean of a Boolean, of the numbers 1 and 0, or of `"1"`, `"0"`, `"true"` and `"false"`.
    public static func lossless(from scalar: JSONValue) -> Bool? { Bool.coerced(from: scalar)?.value }

    /// Returns `booleanText` for a number or a string.
    public static func conversion(from scalar: JSONValue) -> DriftReport.Reason? {
        Bool.coerced(from: scalar)?.reason
    }
}

extension String: LosslessValue {}

extension Optional: LosslessValue where Wrapped: LosslessValue {
    /// Returns a nil value for null, and the value of the wrapped type otherwise.
    public static func lossless(from scalar: JSONValue) -> Wrapped?? {
        scalar.isNull ? .some(nil) : Wrapped.lossless(from: scalar).map(Optional.some)
    }

    /// Returns the reason for the wrapped type.
    public static func conversion(from scalar: JSONValue) -> DriftReport.Reason? { Wrapped.conversion(from: scalar) }

    /// Decodes nil from null, and a value of the wrapped type otherwise.
    public static func decodeLosslessly(
        from decoder: any Decoder, onConversion: (DriftReport.Reason) -> Void
    ) throws -> Wrapped? {
        if try decoder.singleValueContainer().decodeNil() { return nil }
        return try Wrapped.decodeLosslessly(from: decoder, onConversion: onConversion)
    }
}

/// An array of numbers, strings or Booleans: `@Lossless var ids: [String]` reads `[1, "2"]`.
extension Array: LosslessValue where Element: LosslessValue {
    /// Returns nil: no scalar is an array.
    public static func lossless(from scalar: JSONValue) -> [Element]? { nil }

    /// Decodes the elements from numbers, strings and Booleans.
    ///
    /// - Throws: `DecodingError` for other values, and if a conversion would lose something.
    public static func decodeLosslessly(
        from decoder: any Decoder, onConversion: (DriftReport.Reason) -> Void
    ) throws -> [Element] {
        var container = try decoder.unkeyedContainer()
        var elements: [Element] = []
        while !container.isAtEnd {
            let element = try container.decode(Lossless<Element>.self)
            if case .converted(let reason) = element.projectedValue { onConversion(reason) }
            elements.append(element.wrappedValue)
        }
        return elements
    }
}
