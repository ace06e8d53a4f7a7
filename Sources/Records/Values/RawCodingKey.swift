/// A key given as text or as a number, for models that need no enumeration of keys.
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
/// The key `3` has the text `"3"`, so that it finds a member called "3" in any format; the key `"3"` has no number.
public struct RawCodingKey: CodingKey, Hashable {
    /// The text of the key.
    public let stringValue: String
    /// The number of the key, where it was made from one.
    public let intValue: Int?

    /// The key of this text.
    ///
    ///     let title = try container.decode(String.self, forKey: RawCodingKey("title"))
    public init(_ stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    /// The key of this text.
    public init(stringValue: String) { self.init(stringValue) }

    /// The key of this number.
    public init(intValue: Int) {
        stringValue = String(intValue)
        self.intValue = intValue
    }
}

extension RawCodingKey: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    /// The key that the literal spells.
    public init(stringLiteral value: String) { self.init(value) }

    /// The key of the literal's number.
    public init(integerLiteral value: Int) { self.init(intValue: value) }
}

extension RawCodingKey: CustomStringConvertible {
    /// The text of the key.
    public var description: String { stringValue }
}
