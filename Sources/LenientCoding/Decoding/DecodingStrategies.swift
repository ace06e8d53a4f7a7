public import FoundationEssentials

extension LenientDecoder {
    /// How coding keys find the members of an object.
    ///
    /// The keys of dictionaries are data: no strategy changes them.
    ///
    ///     decoder.keyDecodingStrategy = .convertFromSnakeCase  // retweetCount is "retweet_count"
    ///     decoder.keyDecodingStrategy = .custom { path in RawCodingKey(path.last?.stringValue.lowercased() ?? "") }
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
    ///
    ///     decoder.dateDecodingStrategy = .secondsSince1970
    ///     decoder.dateDecodingStrategy = .format("EEE MMM dd HH:mm:ss Z yyyy")
    ///     decoder.dateDecodingStrategy = .custom { decoder in try ISO8601.decode(from: decoder) }
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
    ///
    ///     decoder.dataDecodingStrategy = .deferredToData  // [104,105]
    ///     decoder.dataDecodingStrategy = .custom { decoder in
    ///         Data(try decoder.singleValueContainer().decode(String.self).utf8)
    ///     }
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
    ///
    ///     decoder.leniency = []         // as strict as JSONDecoder
    ///     decoder.leniency = .coercion  // "7" is a number, but what is wrong fails, also where it is optional
    public struct Leniency: OptionSet, Sendable {
        /// The repairs as bits.
        public let rawValue: UInt8

        /// The repairs whose bits are set.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Converts what loses nothing by it: a number in a string, 0, 1, "0", "1", "true" and "false" as a Boolean, a number
        /// as a string.
        ///
        ///     decoder.leniency = .coercion
        ///     try decoder.decode([Int].self, from: Array(#"[1,"2",3.0]"#.utf8))  // [1, 2, 3]
        public static let coercion = Leniency(rawValue: 1)
        /// Reads an optional value that does not decode, whatever its type throws, as absent.
        ///
        ///     struct Tweet: Codable { var lang: String? }
        ///     decoder.leniency = .mistypedOptionals
        ///     try decoder.decode(Tweet.self, from: Array(#"{"lang":[]}"#.utf8)).lang  // nil
        public static let mistypedOptionals = Leniency(rawValue: 2)
        /// Every repair.
        ///
        ///     decoder.leniency = .all
        public static let all: Leniency = [.coercion, .mistypedOptionals]
    }
}
