// Unsafe: libcurl's C interface. A base owns its `CURLU *`, and each transfer that uses it keeps the base.
import CCurl

/// A URL in two parts: the base that a connection leads to, and the target of the request.
///
/// libcurl parses a URL and writes it anew for each transfer, character by character; a base is parsed once.
struct RequestURL {
    /// `scheme://host:port`.
    let base: String
    /// The path and the query.
    let target: String

    /// Splits a URL without user name, fragment and characters that belong to no URL; nil leaves others to libcurl.
    init?(_ url: String) {
        let isTLS = url.utf8.starts(with: "https://".utf8)
        guard isTLS || url.utf8.starts(with: "http://".utf8) else { return nil }
        let bytes = url.utf8.span
        var index = isTLS ? 8 : 7
        while index < bytes.count, bytes[index] != UInt8(ascii: "/") {
            guard Self.isPlain(bytes[index]), bytes[index] != UInt8(ascii: "@"), bytes[index] != UInt8(ascii: "?")
            else {
                return nil
            }
            index += 1
        }
        let slash = url.utf8.index(url.startIndex, offsetBy: index)
        guard index < bytes.count else { return nil }
        for index in index..<bytes.count where !Self.isPlain(bytes[index]) { return nil }
        (base, target) = (String(url[..<slash]), String(url[slash...]))
    }

    private static func isPlain(_ byte: UInt8) -> Bool { 0x21...0x7E ~= byte && byte != UInt8(ascii: "#") }
}

/// The base of URLs, as libcurl has parsed it.
final class ParsedBase {
    let pointer: OpaquePointer
    let origin: Origin

    /// Parses `base`; nil if libcurl does not accept it.
    init?(_ base: String) {
        guard let pointer = curl_url() else { return nil }
        guard curl_url_set(pointer, CURLUPART_URL, base, 0) == CURLUE_OK else {
            curl_url_cleanup(pointer)
            return nil
        }
        self.pointer = pointer
        origin = Origin(url: base, unixSocketPath: nil)
    }

    deinit { curl_url_cleanup(pointer) }
}
