// Unsafe: libcrypto's C interface. It gets pointers into arrays for the duration of a call, with their lengths.
import CCrypto

/// A private key on the curve P-256, for ES256 (RFC 7518 §3.4).
public struct ES256Key: Sendable, Equatable {
    /// Why a text is no such key; the descriptions are clauses without the text.
    public enum Fault: Error, Equatable, CustomStringConvertible {
        /// The text is no PEM, or the PEM has no private key.
        case noPrivateKey
        /// The key needs a password.
        case encrypted
        /// The key is an RSA key, or an EC key on another curve.
        case otherKind
        /// The private number is out of range, or the public key belongs to another one.
        case damaged

        /// A clause such as `it is encrypted`.
        public var description: String {
            switch self {
            case .noPrivateKey: "it is not a private key in PEM (PKCS #8)"
            case .encrypted: "it is encrypted; decrypt it with openssl pkcs8"
            case .otherKind: "it is not an EC key on the curve P-256"
            case .damaged: "it is damaged: its numbers do not belong together"
            }
        }
    }

    private let pem: Secret

    /// Reads a key in PEM: PKCS #8 (RFC 5958), or SEC 1.
    public init(pem: Secret) throws(Fault) {
        self.pem = pem
        _ = try sign([])
    }

    /// Returns the 64 bytes R and S of the signature of `message`.
    func signature(of message: [UInt8]) -> [UInt8] {
        // The key was usable in `init`; only without memory there is no signature, and the upstream answers 401.
        (try? sign(message)) ?? []
    }

    private func sign(_ message: [UInt8]) throws(Fault) -> [UInt8] {
        let (pem, isEncrypted) = self.pem.withExposedText { (Array($0.utf8), $0.contains("ENCRYPTED")) }
        var result = WEIR_ES256_FAILED
        let signature = [UInt8](unsafeUninitializedCapacity: Int(WEIR_ES256_BYTES)) { output, count in
            result = weir_es256(pem, pem.count, message, message.count, output.baseAddress)
            count = result == 1 ? Int(WEIR_ES256_BYTES) : 0
        }
        switch result {
        case 1: return signature
        case WEIR_ES256_NO_KEY: throw isEncrypted ? .encrypted : .noPrivateKey
        case WEIR_ES256_OTHER_KEY: throw .otherKind
        default: throw .damaged
        }
    }
}

/// Makes JSON Web Tokens (RFC 7519) with which requests are authorized, signed with ES256.
public struct JSONWebToken: Sendable, Equatable {
    private let key: ES256Key
    private let keyID: String, issuer: String, subject: String
    private let id: String?
    /// The seconds for which a token is valid.
    public let lifetime: Int

    /// A maker of tokens with these claims and, in the header, `keyID` as `kid` and `id` as `id`.
    public init(key: ES256Key, keyID: String, issuer: String, subject: String, id: String? = nil, lifetime: Int) {
        (self.key, self.keyID, self.issuer, self.subject) = (key, keyID, issuer, subject)
        (self.id, self.lifetime) = (id, lifetime)
    }

    /// The texts that name the account, which are no secrets.
    package var account: String { "\(issuer) \(subject)" }

    /// Returns a token in the compact form (RFC 7515 §7.1), made at `time` in unix seconds.
    public func token(at time: Int) -> Secret {
        let names = [("alg", "ES256"), ("typ", "JWT"), ("kid", keyID)] + (id.map { [("id", $0)] } ?? [])
        let header = names.map { "\(Self.text($0)):\(Self.text($1))" }.joined(separator: ",")
        let claims =
            #""iss":\#(Self.text(issuer)),"sub":\#(Self.text(subject)),"iat":\#(time),"exp":\#(time + lifetime)"#
        let signed = [header, claims].map { Base64.encodeURL(Array("{\($0)}".utf8)) }.joined(separator: ".")
        return Secret(signed + "." + Base64.encodeURL(key.signature(of: Array(signed.utf8))))
    }

    /// Returns a string of JSON (RFC 8259 §7).
    private static func text(_ text: String) -> String {
        let escaped = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"", "\\": "\\\(scalar)"
            case "\0"..."\u{1F}": "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: "\(scalar)"
            }
        }
        return "\"\(escaped.joined())\""
    }
}

extension Base64 {
    /// Returns the base64 of `bytes` for URLs, without padding (RFC 4648 §5, RFC 7515 §2).
    static func encodeURL(_ bytes: [UInt8]) -> String {
        encode(bytes).replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
