import JSONText
import Testing

@Suite("Writing strings")
struct StringWritingTests {
    @Test(
        "Only the characters that JSON requires to be escaped are escaped, in the short form if there is one",
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

    @Test("Every code point below U+0800 and one of every block above reads back unchanged")
    func everyScalar() throws {
        let scalars = (UInt32(0)..<0x800).map { $0 } + stride(from: 0x800, through: 0x10FFFF, by: 0xFF)
        let text = String(String.UnicodeScalarView(scalars.compactMap(Unicode.Scalar.init)))
        #expect(try reading(written { $0.write(text) }) { $0.string } == text)
    }

    @Test("A string on the tape is copied with its escapes")
    func copied() throws {
        let document = #""a\u0041\/\n\ud83d\ude00 é""#
        #expect(try reading(document) { node in written { $0.write(stringOf: node) } } == document)
    }

    @Test(
        "An escaped lone surrogate is copied as an escaped U+FFFD",
        arguments: [
            (#""\ud83d""#, #""\ufffd""#), (#""\uDE00\\ud83d""#, #""\ufffd\\ud83d""#),
            (#""\ud83d\ud83d\ude00""#, #""\ufffd\ud83d\ude00""#), (#""\ud83d\u0041""#, #""\ufffd\u0041""#),
        ])
    func copiedSurrogates(document: String, expected: String) throws {
        #expect(try reading(document) { node in written { $0.write(stringOf: node) } } == expected)
    }
}

@Suite("Writing integers, literals and raw text")
struct WriterTests {
    @Test(
        "Integers are written up to the limits of their types",
        arguments: [(0, "0"), (-1, "-1"), (10, "10"), (.max, "9223372036854775807"), (.min, "-9223372036854775808")]
            as [(Int64, String)])
    func integers(value: Int64, expected: String) { #expect(written { $0.write(value) } == expected) }

    @Test("Unsigned integers are written up to the limit of their type")
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

    @Test("A writer grows beyond its initial capacity without losing a byte")
    func growth() {
        var writer = JSONWriter(capacity: 1)
        for value in Int64(0)..<10_000 { writer.write(value) }
        #expect(String(decoding: writer.bytes, as: UTF8.self) == (0..<10_000).map(String.init).joined())
        #expect(writer.count == writer.bytes.count)
    }

    @Test("The bytes of a writer can be borrowed or taken, and the writer is then reused")
    func reuse() {
        var writer = JSONWriter(capacity: 1)
        writer.write("first")
        #expect(writer.withBytes { Array($0) } == Array("\"first\"".utf8))
        #expect(writer.takeBytes() == Array("\"first\"".utf8))
        #expect(writer.count == 0)
        writer.write(true)
        writer.reset()
        writer.writeNull()
        #expect(writer.bytes == Array("null".utf8))
    }

    @Test("A document is the same within and beyond the expected capacity", arguments: [0, 64, 65, 1000])
    func intoArray(length: Int) {
        let text = String(repeating: "a", count: length)
        #expect(JSONWriter.bytes(expecting: 64) { $0.write(text) } == Array("\"\(text)\"".utf8))
    }

    @Test("Integers of every length are written as the standard library writes them")
    func everyLength() {
        var wrong: [UInt64] = []
        for power in 0..<20 {
            let ten = (0..<power).reduce(UInt64(1)) { value, _ in value * 10 }
            for value in [ten &- 1, ten, ten &+ 1, ten &* 7] where written({ $0.write(value) }) != "\(value)" {
                wrong.append(value)
            }
        }
        #expect(wrong == [])
    }
}
