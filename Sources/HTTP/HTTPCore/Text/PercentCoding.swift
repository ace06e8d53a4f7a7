/// Percent-encoding (RFC 3986 §2.1) between the bytes of a URI and text.
public enum PercentCoding {
    /// The characters that `encode` does not escape.
    public enum AllowedCharacters: Sendable {
        /// `pchar` of RFC 3986 §3.3: one segment of a path, with `/` escaped.
        case pathSegment
        /// `unreserved` of RFC 3986 §2.3 and `:`: a name or a value in a query, with `&`, `=` and `+` escaped.
        ///
        /// This set is a subset of `pathSegment`.
        case queryComponent
        /// `unreserved` of RFC 3986 §2.3 alone, as signatures of OAuth 1.0a need it (RFC 5849 §3.6).
        case unreserved

        package func contains(_ byte: UInt8) -> Bool {
            if ASCII.isUnreserved(byte) { return true }
            if byte == ASCII.colon { return self != .unreserved }
            return self == .pathSegment && (ASCII.isSubDelimiter(byte) || byte == UInt8(ascii: "@"))
        }
    }

    /// Returns the decoded text, or nil if `bytes` are not well-formed.
    ///
    /// Malformed are an escape other than `%` and two hexadecimal digits, a NUL, raw or escaped, and a result that is
    /// not UTF-8. `plusIsSpace` decodes `+` as a space, as HTML forms write it in queries.
    public static func decode(_ bytes: Span<UInt8>, plusIsSpace: Bool = false) -> String? {
        let isPlain: (UInt8) -> Bool = { $0 != ASCII.percent && $0 != 0 && !(plusIsSpace && $0 == ASCII.plus) }
        if bytes.end(of: isPlain, in: bytes.indices) == bytes.count {
            guard let text = try? UTF8Span(validating: bytes) else { return nil }
            return String(copying: text)
        }
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            var byte = bytes[index]
            if byte == ASCII.percent {
                guard let escaped = escapedByte(in: bytes, at: index) else { return nil }
                byte = escaped
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

    /// Returns the decoded text of a query component; for text from upstreams, which is repaired and never refused.
    ///
    /// `+` becomes a space, a malformed escape stays as it is, and invalid UTF-8 becomes U+FFFD.
    public static func decodeLeniently(_ text: some StringProtocol) -> String {
        let bytes = Array(text.utf8)
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            if let escaped = escapedByte(in: bytes.span, at: index) {
                decoded.append(escaped)
                index += 3
            } else {
                decoded.append(bytes[index] == ASCII.plus ? ASCII.space : bytes[index])
                index += 1
            }
        }
        return String(decoding: decoded, as: UTF8.self)
    }

    /// Returns `text` in UTF-8 with every byte escaped that is not allowed; a space becomes `%20`, never `+`.
    ///
    /// The default is safe in a path as well as in a query.
    public static func encode(_ text: String, allowing allowed: AllowedCharacters = .queryComponent) -> String {
        if text.utf8.allSatisfy({ allowed.contains($0) }) { return text }
        return text.utf8.reduce(into: "") { encoded, byte in
            encoded += allowed.contains(byte) ? String(Unicode.Scalar(byte)) : "%" + ASCII.hexadecimal(byte)
        }
    }

    /// The byte that the escape at `index` encodes, or nil if there is no well-formed escape.
    package static func escapedByte(in bytes: Span<UInt8>, at index: Int) -> UInt8? {
        guard index + 2 < bytes.count, bytes[index] == ASCII.percent, let high = ASCII.hexValue(bytes[index + 1]),
            let low = ASCII.hexValue(bytes[index + 2])
        else { return nil }
        return high << 4 | low
    }
}
