public import FoundationEssentials

extension CompactEncoder {
    /// How coding keys are spelled.
    ///
    /// The keys of dictionaries are data: no strategy changes them.
    ///
    ///     encoder.keyEncodingStrategy = .convertToSnakeCase
    ///     encoder.keyEncodingStrategy = .custom { path in RawCodingKey(path.last?.stringValue.uppercased() ?? "") }
    public enum KeyEncodingStrategy: Sendable {
        /// As they are.
        case useDefaultKeys
        /// In snake_case: `imageURL` as `image_url`, as Foundation does it.
        case convertToSnakeCase
        /// By the closure, which is given the coding path that ends with the key.
        case custom(@Sendable (_ codingPath: [any CodingKey]) -> any CodingKey)
    }

    /// How a `Date` is written.
    ///
    ///     encoder.dateEncodingStrategy = .iso8601  // "2016-03-28T14:39:13Z"
    ///     encoder.dateEncodingStrategy = .format("EEE MMM dd HH:mm:ss Z yyyy")
    ///     encoder.dateEncodingStrategy = .custom { date, encoder in try UnixMilliseconds.encode(date, to: encoder) }
    public enum DateEncodingStrategy: Sendable {
        /// As `Date` itself does it: seconds since 2001-01-01T00:00:00Z.
        case deferredToDate
        /// Seconds since 1970-01-01T00:00:00Z.
        case secondsSince1970
        /// Milliseconds since 1970-01-01T00:00:00Z.
        case millisecondsSince1970
        /// As ISO 8601 writes dates, in UTC, with decimals where it is no whole second.
        case iso8601
        /// As the format says.
        case format(FixedDateFormat)
        /// By the closure, which is given an encoder for the value.
        case custom(@Sendable (_ date: Date, _ encoder: any Encoder) throws -> Void)
    }

    /// How `Data` is written.
    ///
    ///     encoder.dataEncodingStrategy = .deferredToData  // [104,105]
    ///     encoder.dataEncodingStrategy = .custom { data, encoder in
    ///         try String(decoding: data, as: UTF8.self).encode(to: encoder)
    ///     }
    public enum DataEncodingStrategy: Sendable {
        /// As `Data` itself does it: an array of bytes.
        case deferredToData
        /// In base64 with padding (RFC 4648 section 4).
        case base64
        /// By the closure, which is given an encoder for the value.
        case custom(@Sendable (_ data: Data, _ encoder: any Encoder) throws -> Void)
    }

    /// What becomes of NaN and the infinities.
    ///
    ///     encoder.nonConformingFloatEncodingStrategy = .null
    ///     try encoder.encode([1, .nan])  // [1,null]
    public enum NonConformingFloatEncodingStrategy: Sendable {
        /// `EncodingError.invalidValue`.
        case `throw`
        /// `null`.
        case null
        /// Strings.
        case convertToString(positiveInfinity: String, negativeInfinity: String, nan: String)
    }
}
