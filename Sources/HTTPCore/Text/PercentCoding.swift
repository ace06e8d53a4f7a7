/// Percent-encoding (RFC 3986 §2.1) between bytes of a URI and text.
public enum PercentCoding {
    /// What `encode` leaves as it is.
    public enum AllowedCharacters: Sendable {
        /// `pchar` of RFC 3986 §3.3: one segment of a path, so `/` is escaped.
        case pathSegment
        /// `unreserved` of RFC 3986 §2.3: a name or a value in a query, so `&`, `=` and `+` are escaped.
        case queryComponent

        var set: ASCIISet {
            switch self {
            case .pathSegment: .pathSegment
            case .queryComponent: .unreserved
            }
        }
    }

    /// The text that `bytes` stand for.
    ///
    /// `plusIsSpace` reads `+` as a space, as HTML forms write it in queries. Nil when an escape is not `%` and two
    /// hexadecimal digits, when there is a NUL, raw or escaped, or when the outcome is not UTF-8.
    public static func decode(_ bytes: Span<UInt8>, plusIsSpace: Bool = false) -> String? {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            var byte = bytes[index]
            if byte == ASCII.percent {
                guard index + 2 < bytes.count, let high = ASCII.hexValue(bytes[index + 1]),
                    let low = ASCII.hexValue(bytes[index + 2])
                else { return nil }
                byte = high << 4 | low
                index += 2
            } else if plusIsSpace, byte == ASCII.plus {
                byte = ASCII.space
            }
            guard byte != 0 else { return nil }
            decoded.append(byte)
            index += 1
        }
        return String(validating: decoded, as: UTF8.self)
    }

    /// As `decode(_:plusIsSpace:)` over a Span.
    public static func decode(_ bytes: ArraySlice<UInt8>, plusIsSpace: Bool = false) -> String? {
        decode(bytes.span, plusIsSpace: plusIsSpace)
    }

    /// `text` in UTF-8 with every byte escaped that is not allowed; a space becomes `%20`, never `+`.
    public static func encode(_ text: String, allowing allowed: AllowedCharacters) -> String {
        let set = allowed.set
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            if set.contains(byte) {
                encoded.append(byte)
            } else {
                encoded.append(ASCII.percent)
                encoded.append(hexadecimal: byte)
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }
}
