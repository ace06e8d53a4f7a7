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
    public init(_ stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    /// A key with the given string.
    public init(stringValue: String) { self.init(stringValue) }

    /// A key with the given integer.
    public init(intValue: Int) {
        stringValue = String(intValue)
        self.intValue = intValue
    }
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

/// A name that is compared by its bytes.
///
/// The standard library treats a composed and a decomposed é as equal; JSON does not.
package struct Name: Hashable {
    package let text: String

    package init(text: String) { self.text = text }

    /// Returns whether two strings have the same bytes.
    package static func areEqual(_ left: String, _ right: String) -> Bool { left.utf8.elementsEqual(right.utf8) }

    package static func == (left: Name, right: Name) -> Bool { areEqual(left.text, right.text) }

    package func hash(into hasher: inout Hasher) {
        var text = text
        // The pointer is only valid in the closure; the hasher takes all bytes at once.
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
