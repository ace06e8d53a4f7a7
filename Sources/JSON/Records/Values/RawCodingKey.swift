/// A coding key made from a string or an integer, for models that need no enumeration of keys.
///
///     struct Warning: Decodable {
///         var title: String, regions: [String]
///         init(from decoder: any Decoder) throws {
///             let container = try decoder.container(keyedBy: RawCodingKey.self)
///             title = try container.decode("title")
///             regions = try container.decode("regions", default: [])
///         }
///     }
///
/// The key `3` also has the string `"3"` and finds a member of that name; the key `"3"` has no integer.
public struct RawCodingKey: CodingKey, Hashable {
    /// The string of the key.
    public let stringValue: String
    /// The integer of the key, if it was made from one.
    public let intValue: Int?

    /// A key with the given string.
    public init(_ stringValue: String) { self.init(stringValue, intValue: nil) }

    /// A key with a string and an integer.
    package init(_ stringValue: String, intValue: Int?) {
        self.stringValue = stringValue
        self.intValue = intValue
    }

    /// A key with the given string.
    public init(stringValue: String) { self.init(stringValue) }

    /// A key with the given integer.
    public init(intValue: Int) { self.init(String(intValue), intValue: intValue) }
}

extension RawCodingKey: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    /// A key with the string of the literal.
    public init(stringLiteral value: String) { self.init(value) }

    /// A key with the integer of the literal.
    public init(integerLiteral value: Int) { self.init(intValue: value) }
}

extension RawCodingKey: CustomStringConvertible {
    /// The string of the key.
    public var description: String { stringValue }
}
