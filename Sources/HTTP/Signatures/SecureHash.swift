// Unsafe: libcrypto writes to an array of this file, with its size.
import CCrypto

/// Secure hashes (FIPS 180-4) as hexadecimal digits.
package enum SecureHash {
    /// Returns the 40 digits of the SHA-1 of a text.
    package static func sha1(of text: String) -> String { digits(of: text, bytes: Int(WEIR_SHA1_BYTES)) }

    /// Returns the 64 digits of the SHA-256 of a text.
    package static func sha256(of text: String) -> String { digits(of: text, bytes: 32) }

    private static let hexadecimal = Array("0123456789abcdef".utf8)

    private static func digits(of text: String, bytes: Int) -> String {
        var (text, digest) = (text, [UInt8](repeating: 0, count: bytes))
        _ = text.withUTF8 { weir_sha($0.baseAddress, $0.count, &digest, bytes) }
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
