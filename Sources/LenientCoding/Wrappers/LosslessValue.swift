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
    /// The value that the text of a string or number spells.
    public static func lossless(from scalar: JSONValue) -> Self? {
        switch scalar {
        case .string(let text), .number(let text): Self(text)
        case .bool(let value): Self(value.description)
        default: nil
        }
    }

    /// A number where a text belongs.
    public static func conversion(from scalar: JSONValue) -> DriftReport.Reason? {
        if case .string = scalar { nil } else { .textOfNumber }
    }
}

extension LosslessValue where Self: FixedWidthInteger {
    /// The integer that the number is or the string spells: `12`, `12.0` and `"12"`, never `12.5`.
    public static func lossless(from scalar: JSONValue) -> Self? {
        guard let text = scalar.numberSpelled else { return nil }
        return NumberSpelling.integer(text)
    }

    /// A number in a string.
    public static func conversion(from scalar: JSONValue) -> DriftReport.Reason? { scalar.numberConversion }
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
    /// The double nearest to what the number is or the string spells.
    public static func lossless(from scalar: JSONValue) -> Double? {
        scalar.numberSpelled.flatMap(NumberSpelling.double)
    }

    /// A number in a string.
    public static func conversion(from scalar: JSONValue) -> DriftReport.Reason? { scalar.numberConversion }
}

extension Float: LosslessValue {
    /// The value nearest to what the number is or the string spells.
    public static func lossless(from scalar: JSONValue) -> Float? {
        guard let value = scalar.numberSpelled.flatMap({ Float($0) }), value.isFinite else { return nil }
        return value
    }

    /// A number in a string.
    public static func conversion(from scalar: JSONValue) -> DriftReport.Reason? { scalar.numberConversion }
}

extension Decimal: LosslessValue {
    /// The decimal that the number is or the string spells, of up to 38 digits.
    public static func lossless(from scalar: JSONValue) -> Decimal? {
        scalar.numberSpelled.flatMap(NumberSpelling.decimal)
    }

    /// A number in a string.
    public static func conversion(from scalar: JSONValue) -> DriftReport.Reason? { scalar.numberConversion }
}

extension Bool: LosslessValue {
    /// `true` and `false`, also in a string, and 1 and 0, also in a string.
    public static func lossless(from scalar: JSONValue) -> Bool? {
        switch scalar {
        case .bool(let value): value
        case .string("true"), .string("1"), .number("1"): true
        case .string("false"), .string("0"), .number("0"): false
        default: nil
        }
    }

    /// A number or a string for a Boolean.
    public static func conversion(from scalar: JSONValue) -> DriftReport.Reason? {
        if case .bool = scalar { nil } else { .booleanText }
    }
}

extension String: LosslessValue {}

extension Optional: LosslessValue where Wrapped: LosslessValue {
    /// Nil from null, else what the wrapped type makes of it.
    public static func lossless(from scalar: JSONValue) -> Wrapped?? {
        scalar.isNull ? .some(nil) : Wrapped.lossless(from: scalar).map(Optional.some)
    }

    /// As the wrapped type says.
    public static func conversion(from scalar: JSONValue) -> DriftReport.Reason? { Wrapped.conversion(from: scalar) }
}

extension JSONValue {
    /// The text of the number that this is, or that it spells as a string.
    fileprivate var numberSpelled: String? {
        switch self {
        case .number(let text): text
        case .string(let text) where NumberSpelling.isNumber(text): text
        default: nil
        }
    }

    fileprivate var numberConversion: DriftReport.Reason? { stringValue == nil ? nil : .numericString }
}
