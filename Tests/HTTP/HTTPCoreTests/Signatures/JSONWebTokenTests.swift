import Foundation
@testable import HTTPCore
import TestSupport
import Testing

@Suite("JSON Web Tokens", .timeLimit(.minutes(10)))
struct JSONWebTokenTests {
    /// The key of RFC 7515 §A.3 in PKCS #8 and in SEC 1, and its public part.
    private static let key = pem(
        "PRIVATE KEY",
        """
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgjpsQnnGQmL+YBIff
        H1136cspYG6+0iY7X1fCE9+E9LKhRANCAAR/zc4ncPbEXUGDy+5v20t7WAczNXvp
        7xO6z248e9FURcfxRM0bvZt+hyzf7bnuufSzaV1uqQskrYpGIyiFiOWt
        """)
    private static let sec1Key = pem(
        "EC PRIVATE KEY",
        """
        MHcCAQEEII6bEJ5xkJi/mASH3x9dd+nLKWBuvtImO19XwhPfhPSyoAoGCCqGSM49
        AwEHoUQDQgAEf83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEXH8UTNG72b
        focs3+257rn0s2ldbqkLJK2KRiMohYjlrQ==
        """)
    private static let publicKey = pem(
        "PUBLIC KEY",
        """
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEf83OJ3D2xF1Bg8vub9tLe1gHMzV7
        6e8Tus9uPHvRVEXH8UTNG72bfocs3+257rn0s2ldbqkLJK2KRiMohYjlrQ==
        """)

    private static func pem(_ label: String, _ text: String) -> String {
        "-----BEGIN \(label)-----\n\(text)\n-----END \(label)-----\n"
    }

    private static func bytes(base64URL text: some StringProtocol) -> [UInt8] {
        let base64 = String(text).replacing("-", with: "+").replacing("_", with: "/")
        return [UInt8](
            Data(base64Encoded: base64 + String(repeating: "=", count: (4 - base64.count % 4) % 4)) ?? Data())
    }

    private static func json(base64URL text: some StringProtocol) throws -> NSDictionary {
        try #require(try JSONSerialization.jsonObject(with: Data(bytes(base64URL: text))) as? NSDictionary)
    }

    /// Returns the DER of R and S, as openssl wants it.
    private static func der(_ signature: [UInt8]) -> [UInt8] {
        func integer(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
            var digits = Array(bytes.drop { $0 == 0 })
            if digits.first ?? 0x80 >= 0x80 { digits.insert(0, at: 0) }
            return [2, UInt8(digits.count)] + digits
        }
        let both = integer(signature[..<32]) + integer(signature[32...])
        return [0x30, UInt8(both.count)] + both
    }

    /// Whether openssl finds that a signature is that of `message`.
    private static func verifies(
        _ signature: [UInt8], of message: [UInt8], in folder: TemporaryFolder
    ) throws -> Bool {
        let files = [
            try folder.write(publicKey, to: "public.pem"), try folder.write(Data(der(signature)), to: "signature"),
            try folder.write(Data(message), to: "message"),
        ]
        let words = ["openssl", "dgst", "-sha256", "-verify", files[0], "-signature", files[1], files[2]]
        return try Tool.run(words).status == 0
    }

    @Test("The signature of RFC 7515 §A.3 verifies, so that the test below can trust openssl")
    func example() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let signed = """
            eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ
            """
        let signature = Self.bytes(
            base64URL: "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q")
        #expect(try Self.verifies(signature, of: Array(signed.utf8), in: folder))
        #expect(try !Self.verifies(signature, of: Array("\(signed)x".utf8), in: folder))
    }

    @Test("openssl verifies signatures with the key of RFC 7515 §A.3, also those whose R or S starts with zeros")
    func openssl() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let keys = try [Self.key, Self.sec1Key].map { try ES256Key(pem: Secret($0)) }
        var short: [(message: [UInt8], signature: [UInt8])] = []
        // One of 256 numbers starts with a zero byte.
        for number in 0..<4000 where short.count < 6 {
            let message = Array("message \(number)".utf8)
            let signature = keys[number % 2].signature(of: message)
            #expect(signature.count == 64)
            if number < 2 || signature[0] == 0 || signature[32] == 0 { short.append((message, signature)) }
        }
        #expect(short.count == 6)
        for (message, signature) in short {
            #expect(try Self.verifies(signature, of: message, in: folder))
            #expect(try !Self.verifies(signature, of: message + [0], in: folder))
        }
    }

    @Test("A token has the header and the claims of WeatherKit, and a signature that openssl verifies")
    func token() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let maker = JSONWebToken(
            key: try ES256Key(pem: Secret(Self.key)), keyID: "ABC123DEFG", issuer: "TEAM123456",
            subject: "com.example.\"weather\\é\n", id: "TEAM123456.com.example.weather", lifetime: 3600)
        let secret = maker.token(at: 1_700_000_000)
        #expect("\(secret) \(maker)".contains("***"))
        let token = secret.withExposedText { $0 }
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        try #require(parts.count == 3)
        #expect(token.wholeMatch(of: /[A-Za-z0-9_.\-]+/) != nil)
        let header = [
            "alg": "ES256", "typ": "JWT", "kid": "ABC123DEFG", "id": "TEAM123456.com.example.weather",
        ]
        #expect(try Self.json(base64URL: parts[0]) == header as NSDictionary)
        let claims: NSDictionary = [
            "iss": "TEAM123456", "sub": "com.example.\"weather\\é\n", "iat": 1_700_000_000, "exp": 1_700_003_600,
        ]
        #expect(try Self.json(base64URL: parts[1]) == claims)
        let signed = Array("\(parts[0]).\(parts[1])".utf8)
        #expect(try Self.verifies(Self.bytes(base64URL: parts[2]), of: signed, in: folder))
        let other = JSONWebToken(
            key: try ES256Key(pem: Secret(Self.key)), keyID: "k", issuer: "i", subject: "s", lifetime: 1)
        let text = other.token(at: 0).withExposedText { $0 }
        #expect(try Self.json(base64URL: text.prefix { $0 != "." })["id"] == nil)
    }

    /// A program that verifies the tokens in its input, and prints what it would sign for the same claims.
    private static let program = """
        import sys, json, jwt
        key, public = open(sys.argv[1]).read(), open(sys.argv[2]).read()
        for line in open(sys.argv[3]):
            token = line.strip()
            claims = jwt.decode(token, public, algorithms=["ES256"], options={"verify_exp": False, "verify_iat": False})
            header = jwt.get_unverified_header(token)
            again = jwt.encode(claims, key, algorithm="ES256", headers={k: header[k] for k in ("kid", "id")})
            print(json.dumps([claims, header, jwt.get_unverified_header(again) == header,
                jwt.decode(again, public, algorithms=["ES256"], options={"verify_exp": False, "verify_iat": False}) == claims]))
        """

    private static let python = Tool.python(with: "jwt, cryptography")

    @Test(
        "PyJWT verifies the tokens, and reads from them what it would write",
        .enabled(if: python != nil, "there is no python3 with PyJWT and cryptography"))
    func pyJWT() throws {
        let python = try #require(Self.python)
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let key = try ES256Key(pem: Secret(Self.key))
        var random = SplitMix64(seed: 7519)
        func text() -> String {
            let any = " !\"#$%&'()*+,-./09:;<=>?@AZ[\\]^_`az{|}~é€\u{1F600}\u{7}"
            return String(
                (0..<Int.random(in: 1...30, using: &random)).compactMap { _ in any.randomElement(using: &random) })
        }
        let rows = (0..<100).map { _ in
            (
                keyID: text(), issuer: text(), subject: text(), id: text(),
                time: Int.random(in: 0...2_000_000_000, using: &random)
            )
        }
        let tokens = rows.map { row in
            JSONWebToken(
                key: key, keyID: row.keyID, issuer: row.issuer, subject: row.subject, id: row.id, lifetime: 1200
            ).token(at: row.time).withExposedText { $0 }
        }
        let result = try Tool.run([
            python, "-c", Self.program, try folder.write(Self.key, to: "key.pem"),
            try folder.write(Self.publicKey, to: "public.pem"),
            try folder.write(tokens.joined(separator: "\n"), to: "tokens"),
        ])
        try #require(result.status == 0, "\(result.errors)")
        let lines = result.text.split(separator: "\n")
        #expect(lines.count == rows.count)
        for (row, line) in zip(rows, lines) {
            let read = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? NSArray
            let claims: NSDictionary = [
                "iss": row.issuer, "sub": row.subject, "iat": row.time, "exp": row.time + 1200,
            ]
            let header: NSDictionary = ["alg": "ES256", "typ": "JWT", "kid": row.keyID, "id": row.id]
            #expect(read == [claims, header, true, true])
        }
    }

    @Test("A damaged key is refused, or signs; it never ends the process")
    func damagedKeys() throws {
        let lines = Self.key.split(separator: "\n")
        let der = Self.bytes(base64URL: lines.dropFirst().dropLast().joined())
        // The private number, which must be between 1 and the order of the curve.
        let scalar = try #require(
            der.firstRange(of: Self.bytes(base64URL: "jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI")))
        let order = Self.bytes(base64URL: "_____wAAAAD__________7zm-q2nF56E87nKwvxjJVE")
        func signs(_ der: [UInt8]) -> Bool {
            let pem = Self.pem("PRIVATE KEY", Data(der).base64EncodedString(options: .lineLength64Characters))
            guard let key = try? ES256Key(pem: Secret(pem)) else { return false }
            return key.signature(of: Array("message".utf8)).count == 64
        }
        #expect(signs(der))
        for number in [[UInt8](repeating: 0, count: 32), [UInt8](repeating: 0xFF, count: 32), order] {
            var changed = der
            changed.replaceSubrange(scalar, with: number)
            #expect(!signs(changed))
        }
        var random = SplitMix64(seed: 5915)
        var refused = 0
        for _ in 0..<2000 {
            var changed = der
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                changed[Int.random(in: changed.indices, using: &random)] = UInt8.random(
                    in: .min ... .max, using: &random)
            }
            if Bool.random(using: &random) { changed.removeLast(Int.random(in: 1...changed.count, using: &random)) }
            if !signs(changed) { refused += 1 }
        }
        #expect(refused >= 1000)
    }

    @Test("Other texts are no keys, for a reason that does not quote them")
    func malformedKeys() throws {
        func fault(_ text: String) -> ES256Key.Fault? {
            do throws(ES256Key.Fault) {
                _ = try ES256Key(pem: Secret(text))
                return nil
            } catch {
                return error
            }
        }
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        func generate(_ options: String) throws -> String {
            let result = try Tool.run(["openssl", "genpkey"] + options.split(separator: " ").map(String.init))
            return result.text
        }
        #expect(fault(Self.key) == nil)
        #expect(fault("comment\n\(Self.key)\n\n") == nil)
        #expect(fault(Self.key.replacing("\n", with: "\r\n")) == nil)
        let broken = [
            "", "key", Self.publicKey, String(Self.key.dropLast(40)), Self.key.replacing("MIGHAgEA", with: "MIGIAgEA"),
            Self.key.replacing("\n", with: ""), String(repeating: "-", count: 100_000),
            Self.key.replacing("MIG", with: "\0\u{FF}G"),
        ]
        for text in broken { #expect(fault(text) == .noPrivateKey, "\(text.prefix(40))") }
        let others = [
            "-algorithm EC -pkeyopt ec_paramgen_curve:P-384", "-algorithm EC -pkeyopt ec_paramgen_curve:secp256k1",
            "-algorithm ED25519", "-algorithm RSA -pkeyopt rsa_keygen_bits:1024",
        ]
        for options in others { #expect(fault(try generate(options)) == .otherKind, "\(options)") }
        #expect(fault(try generate("-algorithm EC -pkeyopt ec_paramgen_curve:P-256")) == nil)
        let encrypted = try generate("-algorithm EC -pkeyopt ec_paramgen_curve:P-256 -aes128 -pass pass:word")
        #expect(fault(encrypted) == .encrypted)
        let texts = [ES256Key.Fault.noPrivateKey, .encrypted, .otherKind, .damaged].map { "\($0)" }
        #expect(Set(texts).count == 4 && texts.allSatisfy { $0.hasPrefix("it is ") })
    }
}
