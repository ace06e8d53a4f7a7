#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A number, string or Boolean that is also decoded from the other two types if nothing is lost.
///
///     struct User: Codable {
///         @Lossless var id: String         // 12345678901234567890 and "12345678901234567890"
///         @Lossless var age: Int           // 12, "12" and 12.0; never 12.5
///         @Lossless var isVerified: Bool   // true, "true", 1 and "1"; never 2
///         @Lossless var rating: Double?
///         @Lossless var friends: [String]  // [1, "2"]
///     }
///
/// A string that is decoded from a number is the number's text in the document; decoders other than `LenientDecoder`
/// keep up to 38 digits of an integer. The decoder's `driftRecorder` notes conversions. An optional value is nil if its
/// key is missing or null.
public typealias Lossless<Value: LosslessValue> = DecodedProperty<LosslessRule<Value>>

/// The rule of `@Lossless`.
public enum LosslessRule<Value: LosslessValue>: InnerRule, EncodingRule {
    /// Decodes the value from a number, string or Boolean, or an array from several.
    ///
    /// - Throws: `DecodingError` for other values, and if the conversion would lose something.
    public static func decode(from decoder: any Decoder) throws -> (value: Value, outcome: DecodingOutcome) {
        var conversion: DriftReport.Reason?
        let value = try Value.decodeLosslessly(from: decoder) { conversion = conversion ?? $0 }
        return (value, conversion.map(DecodingOutcome.converted) ?? .decoded)
    }
}

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

    /// Decodes the value from a number, string or Boolean.
    ///
    /// - Throws: `DecodingError` for other values, and if the conversion would lose something.
    public static func decodeLosslessly(
        from decoder: any Decoder, onConversion: (DriftReport.Reason) -> Void
    ) throws -> Self {
        guard let json = try JSONValue(scalarFrom: decoder) else {
            throw DecodingError.typeMismatch(
                Self.self,
                DecodingError.Context(
                    codingPath: decoder.codingPath, debugDescription: "Expected a number, a string or a Boolean."))
        }
        guard let value = lossless(from: json) else {
            let found = decoder.quote(json) ?? json.kindName
            throw DecodingError.typeMismatch(
                Self.self,
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription: "Expected \(Self.self), found \(found) that does not convert to it."))
        }
        if let reason = conversion(from: json) {
            onConversion(reason)
            decoder.driftRecorder?.note(.coerced, at: decoder.codingPath, reason)
        }
        return value
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
        if let scalars = Self.self as? any CoercibleScalar.Type { return scalars.coerced(scalar)?.value as? Self }
        return String.coerced(from: scalar).flatMap { Self($0.value) }
    }

    /// Returns `numericString` for a number in a string, `booleanText` for a Boolean of another type, and `textOfNumber` for
    /// the text of a number or a Boolean.
    public static func conversion(from scalar: JSONValue) -> DriftReport.Reason? {
        guard Self.self != String.self, let scalars = Self.self as? any CoercibleScalar.Type else {
            return scalar.stringValue == nil ? .textOfNumber : nil
        }
        return scalars.coerced(scalar)?.reason
    }
}

extension CoercibleScalar {
    /// Returns the value that a scalar is or stands for, for a type that is known at run time only.
    fileprivate static func coerced(_ scalar: JSONValue) -> (value: Any, reason: DriftReport.Reason?)? {
        coerced(from: scalar).map { ($0.value, $0.reason) }
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

extension Double: LosslessValue {}
extension Float: LosslessValue {}
extension Bool: LosslessValue {}
extension String: LosslessValue {}

extension Decimal: LosslessValue {
    /// Returns the decimal of a number, or of a string with a number, of up to 38 digits.
    public static func lossless(from scalar: JSONValue) -> Decimal? { Decimal.coerced(from: scalar)?.value }
}

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
