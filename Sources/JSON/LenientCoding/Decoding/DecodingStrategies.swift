#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension LenientDecoder {
    /// How coding keys match the members of an object.
    ///
    /// No strategy changes the keys of dictionaries.
    ///
    ///     decoder.keyDecodingStrategy = .convertFromSnakeCase  // retweetCount is "retweet_count"
    ///     decoder.keyDecodingStrategy = .custom { path in RawCodingKey(path.last?.stringValue.lowercased() ?? "") }
    public enum KeyDecodingStrategy: Sendable {
        /// A coding key matches the member with the same name.
        case useDefaultKeys
        /// A coding key in camelCase matches a member in snake_case.
        ///
        /// A key matches the member that Foundation converts to it (`id_str` for `idStr`, but not `image_url` for
        /// `imageURL`). More members match with ``Leniency/similarKeys``.
        case convertFromSnakeCase
        /// The closure converts the name of a member, the last key of `codingPath`, to the coding key that matches it.
        case custom(@Sendable (_ codingPath: [any CodingKey]) -> any CodingKey)
    }

    /// How a `Date` is decoded.
    ///
    ///     decoder.dateDecodingStrategy = .format("EEE MMM dd HH:mm:ss Z yyyy")
    ///     decoder.dateDecodingStrategy = .custom { decoder in try ISO8601.decode(from: decoder) }
    public enum DateDecodingStrategy: Sendable {
        /// Seconds since 2001-01-01T00:00:00Z, as `Date` decodes itself.
        case deferredToDate
        /// Seconds since 1970-01-01T00:00:00Z.
        case secondsSince1970
        /// Milliseconds since 1970-01-01T00:00:00Z.
        case millisecondsSince1970
        /// A string in ISO 8601 with a time and a zone, as Foundation reads it; with ``Leniency/dateForms`` also the
        /// other forms of ``ISO8601``.
        case iso8601
        /// A string in a fixed format.
        case format(FixedDateFormat)
        /// The closure decodes the date.
        case custom(@Sendable (_ decoder: any Decoder) throws -> Date)
    }

    /// How `Data` is decoded.
    ///
    ///     decoder.dataDecodingStrategy = .custom { decoder in
    ///         Data(try decoder.singleValueContainer().decode(String.self).utf8)
    ///     }
    public enum DataDecodingStrategy: Sendable {
        /// An array of bytes, as `Data` decodes itself.
        case deferredToData
        /// A string in base64, with padding and without white space (RFC 4648 section 4).
        case base64
        /// The closure decodes the data.
        case custom(@Sendable (_ decoder: any Decoder) throws -> Data)
    }

    /// How infinities and NaN, which JSON does not have, are decoded.
    ///
    ///     decoder.nonConformingFloatDecodingStrategy = .convertFromString(
    ///         positiveInfinity: "+inf", negativeInfinity: "-inf", nan: "nan")
    public enum NonConformingFloatDecodingStrategy: Sendable {
        /// Not at all.
        case `throw`
        /// From these strings.
        case convertFromString(positiveInfinity: String, negativeInfinity: String, nan: String)
    }

    /// The repairs of a decoder.
    ///
    /// Without repairs, it accepts and refuses the same documents as Foundation's `JSONDecoder`.
    ///
    ///     decoder.leniency = []         // as strict as JSONDecoder
    ///     decoder.leniency = .coercion  // converts "7" to a number; invalid optional values are errors
    public struct Leniency: OptionSet, Sendable {
        /// The repairs as bits.
        public let rawValue: UInt8

        /// Creates the set of the repairs whose bits are set.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Converts members and elements that are scalars of another type than the model declares, if nothing is lost.
        ///
        /// A string may contain a number; a number may become a string; 0, 1, "0", "1", "true" and "false" may become a
        /// Boolean. A value that is decoded through a single value container keeps its type, and so does one that was
        /// requested in vain as another type. Still, do not use this for models that try several types for one key: the
        /// first type to which the value converts wins.
        ///
        ///     decoder.leniency = .coercion
        ///     try decoder.decode([Int].self, from: Array(#"[1,"2",3.0]"#.utf8))  // [1, 2, 3]
        public static let coercion = Leniency(rawValue: 1)
        /// Decodes an optional value as nil if it does not decode, whatever the error.
        ///
        ///     struct Tweet: Codable { var lang: String? }
        ///     decoder.leniency = .mistypedOptionals
        ///     try decoder.decode(Tweet.self, from: Array(#"{"lang":[]}"#.utf8)).lang  // nil
        public static let mistypedOptionals = Leniency(rawValue: 2)
        /// Matches coding keys of ``KeyDecodingStrategy/convertFromSnakeCase`` to more members.
        ///
        /// A key matches, in this order: the member of the same name (`id_str` for `id_str`); the member that Foundation
        /// converts to the key (`id_str` for `idStr`); the first member that has the same letters and digits in any case
        /// (`image_url` for `imageURL`, `address_1` for `address1`).
        public static let similarKeys = Leniency(rawValue: 4)
        /// Reads all forms of dates in ``ISO8601`` with ``DateDecodingStrategy/iso8601``, such as `2016-03-28` and
        /// `2016-03-28 14:39:13`.
        public static let dateForms = Leniency(rawValue: 8)
        /// Reads an escaped half of a surrogate pair, such as `\ud800`, as U+FFFD.
        public static let loneSurrogates = Leniency(rawValue: 16)
        /// All repairs.
        public static let all: Leniency = [.coercion, .mistypedOptionals, .similarKeys, .dateForms, .loneSurrogates]
    }
}
