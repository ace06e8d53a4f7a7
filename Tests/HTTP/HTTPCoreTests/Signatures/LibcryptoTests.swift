import Testing

@testable import HTTPCore

struct LibcryptoTests {
    @Test(
        "HMAC-SHA1 is that of RFC 2202 §3",
        arguments: [
            ([UInt8](repeating: 0x0B, count: 20), Array("Hi There".utf8), "b617318655057264e28bc0b6fb378c8ef146be00"),
            (
                Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
                "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"
            ),
            (
                [UInt8](repeating: 0xAA, count: 80),
                Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
                "aa4ae5e15272d00e95705637ce8a3b55ed402112"
            ),
        ])
    func hmac(_ key: [UInt8], _ message: [UInt8], _ expected: String) {
        let digits = HMAC.sha1(of: message, key: key).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        #expect(digits.joined() == expected)
    }

    @Test("An empty message has an HMAC")
    func emptyMessage() {
        #expect(Base64.encode(HMAC.sha1(of: [], key: [0])) == "+9sdGxiqbAgyS31ktx+3Y3BpDh0=")
    }

    @Test(
        "Base64 is that of RFC 4648 §10",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"), ("a?b>c~\u{FF}", "YT9iPmN+w78="),
        ])
    func base64(_ text: String, _ expected: String) { #expect(Base64.encode(Array(text.utf8)) == expected) }
}
