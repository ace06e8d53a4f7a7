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

/// ECDSA with the curve P-256 and SHA-256 (RFC 7518 §3.4).
enum ECDSA {
    enum Failure: Error {
        /// The text is no private key in PEM, or an encrypted one.
        case noKey
        /// The key is no EC key on the curve P-256.
        case otherKey
        /// The numbers of the key do not belong together, or libcrypto has no memory.
        case damagedKey
    }

    /// Returns the 64 bytes R and S of the signature of `message` with the private key in `pem`.
    static func signature(of message: [UInt8], pem: [UInt8]) throws(Failure) -> [UInt8] {
        var result = WEIR_ES256_FAILED
        let signature = [UInt8](unsafeUninitializedCapacity: Int(WEIR_ES256_BYTES)) { output, count in
            result = weir_es256(pem, pem.count, message, message.count, output.baseAddress)
            count = result == 1 ? Int(WEIR_ES256_BYTES) : 0
        }
        switch result {
        case 1: return signature
        case WEIR_ES256_NO_KEY: throw .noKey
        case WEIR_ES256_OTHER_KEY: throw .otherKey
        default: throw .damagedKey
        }
    }
}
