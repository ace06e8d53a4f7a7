import JSONText
import Testing

@Suite("Strings are written")
struct StringWritingTests {
    @Test(
        "What JSON asks to escape is escaped, in its short form where there is one; the rest stays",
        arguments: [
            ("", #""""#), ("a", #""a""#), ("\"", #""\"""#), ("\\", #""\\""#), ("/", #""/""#),
            ("\u{8}\u{C}\n\r\t", #""\b\f\n\r\t""#), ("\0", #""\u0000""#),
            ("\u{1}\u{B}\u{1F}", #""\u0001\u000b\u001f""#), ("\u{7F}", "\"\u{7F}\""), ("é", "\"é\""), ("💧", "\"💧\""),
            ("\u{2028}", "\"\u{2028}\""), ("</script>", #""</script>""#), ("\\u0041", #""\\u0041""#),
        ])
    func escapes(text: String, expected: String) { #expect(written { $0.write(text) } == expected) }

    @Test("A character to escape is found at every position of a string longer than a 16-byte scan")
    func scan() throws {
        for special in ["\"", "\\", "\n", "\u{1F}", "\0", "é", " "] {
            for length in 0...40 {
                for position in 0...length {
                    let after = String(repeating: "ü", count: length - position)
                    let text = String(repeating: "a", count: position) + special + after
                    #expect(try reading(written { $0.write(text) }) { $0.string } == text)
                }
            }
        }
    }

    @Test("Every code point below U+0800 and one of every block above is read back as it was written")
    func everyScalar() throws {
        let scalars = (UInt32(0)..<0x800).map { $0 } + stride(from: 0x800, through: 0x10FFFF, by: 0xFF)
        let text = String(String.UnicodeScalarView(scalars.compactMap(Unicode.Scalar.init)))
        #expect(try reading(written { $0.write(text) }) { $0.string } == text)
    }

    @Test("A string on the tape is copied with its escapes")
    func copied() throws {
        let document = #""a\u0041\/\n\ud83d é""#
        #expect(try reading(document) { node in written { $0.write(stringOf: node) } } == document)
    }
}

@Suite("Integers, literals and raw text are written")
struct WriterTests {
    @Test(
        "Integers are written to the borders of their types",
        arguments: [(0, "0"), (-1, "-1"), (10, "10"), (.max, "9223372036854775807"), (.min, "-9223372036854775808")]
            as [(Int64, String)])
    func integers(value: Int64, expected: String) { #expect(written { $0.write(value) } == expected) }

    @Test("Unsigned integers are written to the border of their type")
    func unsigned() { #expect(written { $0.write(UInt64.max) } == "18446744073709551615") }

    @Test("Literals are written as JSON spells them")
    func literals() {
        let text = written {
            $0.write(true)
            $0.write(byte: UInt8(ascii: ","))
            $0.write(false)
            $0.write(raw: ",")
            $0.writeNull()
        }
        #expect(text == "true,false,null")
    }

    @Test("A writer grows past its first room without losing a byte")
    func growth() {
        var writer = JSONWriter(capacity: 1)
        for value in Int64(0)..<10_000 { writer.write(value) }
        #expect(String(decoding: writer.bytes, as: UTF8.self) == (0..<10_000).map(String.init).joined())
        #expect(writer.count == writer.bytes.count)
    }
}
