import HTTPClient
import HTTPCore
import Testing

/// The charsets of responses.
@Suite("Charsets of responses")
struct CharsetTests {
    private static func charset(_ type: String) -> Charset? { Charset(HeaderFields([("Content-Type", type)])) }

    @Test(
        "UTF-8, no charset and one that is not known are left as they are",
        arguments: [
            "application/json", "application/json; charset=utf-8", "application/json;charset=\"UTF-8\"",
            "text/plain; charset=",
            "application/json; charset=iso-8859-1//TRANSLIT", "application/json; charset=../../x",
            "application/json; q=iso-8859-1",
            "application/json; charset", ";;;=",
        ])
    func unconverted(type: String) { #expect(Self.charset(type) == nil) }

    @Test(
        "A text becomes UTF-8; a byte that its charset does not have becomes U+FFFD",
        arguments: [
            ("application/json; charset=ISO-8859-1", [0x5B, 0xE9, 0x5D], "[é]"),
            ("application/json;charset=windows-1252", [0x80, 0x81, 0x41], "€\u{FFFD}A"),
            ("text/json; x=y; Charset=\"utf-16\"", [0xFE, 0xFF, 0x00, 0x41, 0xD8, 0x3D, 0xDE, 0x00], "A😀"),
            ("a/b; charset=utf-16", [0x41, 0x00, 0xE9, 0x00], "Aé"), ("a/b; charset=utf-16", [0x00, 0x41], "A"),
            ("a/b; charset=utf-16le", [0x41, 0x00, 0x42], "A\u{FFFD}"),
            ("a/b; charset=shift_jis", [0x83, 0x41, 0x83], "ア\u{FFFD}"), ("a/b; charset=koi8-r", [], ""),
            ("a/b; charset=SJIS", [0x5C, 0x7E, 0x87, 0x40], "\\~①"), ("a/b; charset=x-cp1251", [0xC0], "А"),
            ("a/b; charset=utf-16", [0xFF, 0xFE, 0x3D, 0xD8, 0x22, 0x00], "\u{FFFD}\""),
            ("a/b; charset=utf-16be", [0xFF, 0xFE, 0x41, 0x00], "A"), ("a/b; charset=ISO8859-1", [0xE9], "é"),
            ("a/b; charset=ks_c_5601-1987", [0xB0, 0xA1], "가"),
            ("a/b; charset=utf-32", [0x41, 0, 0, 0, 0, 0xD8, 0, 0], "A\u{FFFD}"),
        ] as [(String, [UInt8], String)])
    func converted(type: String, bytes: [UInt8], text: String) throws {
        let charset = try #require(Self.charset(type))
        let converted = try #require(charset.convertedToUTF8(bytes))
        #expect(String(decoding: converted.text, as: UTF8.self) == text)
        #expect(converted.replaced == text.unicodeScalars.count { $0 == "\u{FFFD}" })
        #expect(converted.text.count <= Charset.maximumBytes(of: bytes.count))
    }

    @Test("A long text is converted whole")
    func long() throws {
        let charset = try #require(Self.charset("a/b; charset=latin1"))
        let bytes = [UInt8](repeating: 0xFF, count: 100_000)
        #expect(charset.convertedToUTF8(bytes)?.text == Array(String(repeating: "ÿ", count: 100_000).utf8))
    }

    @Test("The mark of UTF-8 wins over the name")
    func mark() throws {
        #expect(try #require(Self.charset("a/b; charset=latin1")).convertedToUTF8([0xEF, 0xBB, 0xBF, 0x41]) == nil)
    }
}
