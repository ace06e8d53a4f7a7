public import FoundationEssentials

extension LenientDecoder {
    /// How coding keys find the members of an object.
    ///
    /// The keys of dictionaries are data: no strategy changes them.
    public enum KeyDecodingStrategy: Sendable {
        /// A coding key is spelled as its member.
        case useDefaultKeys
        /// A coding key in camelCase finds a member in snake_case.
        ///
        /// It finds the member that is spelled as the key (`id_str` for `id_str`); else the one that Foundation's conversion makes the
        /// key of (`id_str` for `idStr`); else one with the same letters and digits whatever their case (`image_url`
        /// for `imageURL`, `address_1` for `address1`). Of several, the first in the document.
        case convertFromSnakeCase
        /// The key of a member is made by the closure, which is given the coding path that ends with the member.
        case custom(@Sendable (_ codingPath: [any CodingKey]) -> any CodingKey)
    }

    /// How a `Date` is read.
    public enum DateDecodingStrategy: Sendable {
        /// As `Date` itself does it: seconds since 2001-01-01T00:00:00Z.
        case deferredToDate
        /// Seconds since 1970-01-01T00:00:00Z.
        case secondsSince1970
        /// Milliseconds since 1970-01-01T00:00:00Z.
        case millisecondsSince1970
        /// As ISO 8601 writes dates, with any number of decimals and any zone.
        case iso8601
        /// As the format says.
        case format(FixedDateFormat)
        /// By the closure, which is given a decoder for the value.
        case custom(@Sendable (_ decoder: any Decoder) throws -> Date)
    }

    /// How `Data` is read.
    public enum DataDecodingStrategy: Sendable {
        /// As `Data` itself does it: an array of bytes.
        case deferredToData
        /// From base64, with padding and without white space (RFC 4648 section 4).
        case base64
        /// By the closure, which is given a decoder for the value.
        case custom(@Sendable (_ decoder: any Decoder) throws -> Data)
    }

    /// What a decoder repairs.
    ///
    /// Without any, it accepts and refuses what Foundation's `JSONDecoder` does.
    public struct Leniency: OptionSet, Sendable {
        /// The repairs as bits.
        public let rawValue: UInt8

        /// The repairs whose bits are set.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Converts what loses nothing by it: a number in a string, 0, 1, "0", "1", "true" and "false" as a Boolean, a number
        /// as a string.
        public static let coercion = Leniency(rawValue: 1)
        /// Reads an optional value that does not decode, whatever its type throws, as absent.
        public static let mistypedOptionals = Leniency(rawValue: 2)
        /// Every repair.
        public static let all: Leniency = [.coercion, .mistypedOptionals]
    }
}
