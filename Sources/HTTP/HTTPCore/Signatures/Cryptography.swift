// Unsafe: libcrypto's C interface. Each call gets pointers into arrays, which stay valid for its duration, with their
// lengths, and the size of each output buffer is the one that CCrypto.h states. libcrypto keeps no pointer.
import CCrypto

/// Message authentication codes (RFC 2104).
package enum HMAC {
    /// Returns the 20 bytes of the HMAC-SHA1 of `message`.
    package static func sha1(of message: [UInt8], key: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Int(WEIR_SHA1_BYTES)) { output, count in
            let isDone = weir_hmac_sha1(key, key.count, message, message.count, output.baseAddress) == 1
            // Only a libcrypto without SHA-1 refuses, whatever the input.
            precondition(isDone, "libcrypto has no HMAC-SHA1")
            count = Int(WEIR_SHA1_BYTES)
        }
    }
}

/// Base64 (RFC 4648 §4).
public enum Base64 {
    /// Returns the base64 of `bytes`, with padding; of fewer than 1 GiB.
    public static func encode(_ bytes: [UInt8]) -> String {
        String(unsafeUninitializedCapacity: weir_base64_bound(bytes.count)) { output in
            weir_base64(bytes, bytes.count, output.baseAddress)
        }
    }
}

/// Secure hashes (FIPS 180-4) as hexadecimal digits.
package enum SecureHash {
    /// Returns the 40 digits of the SHA-1 of a text.
    package static func sha1(of text: String) -> String { digits(of: text, bytes: Int(WEIR_SHA1_BYTES)) }

    /// Returns the 64 digits of the SHA-256 of a text.
    package static func sha256(of text: String) -> String { digits(of: text, bytes: 32) }

    /// Returns the 64 digits of the SHA-256 of bytes.
    package static func sha256(of bytes: UnsafeBufferPointer<UInt8>) -> String { digits(of: bytes, bytes: 32) }

    private static let hexadecimal = Array("0123456789abcdef".utf8)

    private static func digits(of text: String, bytes: Int) -> String {
        var text = text
        return text.withUTF8 { digits(of: $0, bytes: bytes) }
    }

    private static func digits(of text: UnsafeBufferPointer<UInt8>, bytes: Int) -> String {
        var digest = [UInt8](repeating: 0, count: bytes)
        _ = weir_sha(text.baseAddress, text.count, &digest, bytes)
        // Each call of the shared store makes a key.
        return String(unsafeUninitializedCapacity: 2 * bytes) { digits in
            for (index, byte) in digest.enumerated() {
                digits[2 * index] = hexadecimal[Int(byte >> 4)]
                digits[2 * index + 1] = hexadecimal[Int(byte & 15)]
            }
            return 2 * bytes
        }
    }
}

/// Text that must not be shown: a key, or a URL that contains one.
///
/// No code prints, interpolates, dumps or encodes the text by accident; code that needs the text calls `withExposedText`.
public struct Secret: Sendable, Equatable {
    @usableFromInline let text: String

    /// Hides `text`.
    public init(_ text: String) { self.text = text }

    /// Compares bytes.
    public static func == (left: Secret, right: Secret) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

    /// Passes the text to `body`, which must not disclose it.
    @inlinable
    public func withExposedText<Result>(_ body: (String) throws -> Result) rethrows -> Result { try body(text) }

    /// Returns a secret made from this one, such as a URL that contains the key.
    public func map(_ transform: (String) -> String) -> Secret { Secret(transform(text)) }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Three asterisks.
    public var description: String { "***" }
    /// Three asterisks.
    public var debugDescription: String { description }
    /// A mirror without children, for `dump`.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
