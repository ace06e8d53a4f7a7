public import HTTPCore

/// The field `X-Request-Id`.
public enum RequestID {
    private static let longest = 64

    /// Returns the client's id: 8 to 64 letters, digits, `-`, `_`, `.`; nil if it is absent, repeated or has another form.
    public static func read(_ headers: HeaderFields) -> String? {
        guard let bytes = headers.bytes("X-Request-Id"), 8...longest ~= bytes.count, bytes.allSatisfy(isAllowed),
            headers.values("X-Request-Id").count == 1
        else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch Unicode.Scalar(byte) {
        case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".": true
        default: false
        }
    }
}
