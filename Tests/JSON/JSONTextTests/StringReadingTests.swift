import JSONText
import Testing

@Suite("Reading strings")
struct StringReadingTests {
    @Test(
        "Escapes are read as their characters",
        arguments: [
            (#"\" \\ \/"#, "\" \\ /"), (#"\b\f\n\r\t"#, "\u{8}\u{C}\n\r\t"), (#"\u0041\u00e9\u20AC"#, "Aé€"),
            (#"a\u0000b"#, "a\0b"), (#"\uD83D\uDE00"#, "😀"), (#"\ud83d\ude00x"#, "😀x"),
            (#"\uDBFF\uDFFF"#, "\u{10FFFF}"), (#"\uD800\uDC00"#, "\u{10000}"), (#"\uFFFF"#, "\u{FFFF}"),
            (#"é\n💧"#, "é\n💧"), (#"\\u0041"#, "\\u0041"),
        ])
    func escapes(text: String, expected: String) throws {
        #expect(try reading("\"\(text)\"") { $0.string } == expected)
    }

    @Test(
        "A lone surrogate becomes U+FFFD, and the text after it is kept",
        arguments: [
            (#"\uD83D"#, "\u{FFFD}"), (#"\uDE00"#, "\u{FFFD}"), (#"\uD83Dx"#, "\u{FFFD}x"),
            (#"\uD83D\n"#, "\u{FFFD}\n"), (#"\uDE00\uD83D"#, "\u{FFFD}\u{FFFD}"),
            (#"\uD83D\u0041"#, "\u{FFFD}A"), (#"\uD83D\uD83D\uDE00"#, "\u{FFFD}😀"),
            (#"\uD83D\\uDE00"#, "\u{FFFD}\\uDE00"),
        ])
    func loneSurrogates(text: String, expected: String) throws {
        #expect(try reading("\"\(text)\"") { $0.string } == expected)
    }

    @Test(
        "UTF-8 sequences are accepted at the limits of their ranges",
        arguments: [
            [0x7F], [0xC2, 0x80], [0xDF, 0xBF], [0xE0, 0xA0, 0x80], [0xED, 0x9F, 0xBF], [0xEE, 0x80, 0x80],
            [0xEF, 0xBF, 0xBF], [0xF0, 0x90, 0x80, 0x80], [0xF3, 0xBF, 0xBF, 0xBF], [0xF4, 0x8F, 0xBF, 0xBF],
        ] as [[UInt8]])
    func validUTF8(sequence: [UInt8]) {
        #expect(refusal(of: [0x22] + sequence + [0x22]) == nil)
        #expect(refusal(of: Array("{\"".utf8) + sequence + Array("\":1}".utf8)) == nil)
    }

    @Test(
        "Bytes that are not UTF-8 are refused, in a value, in a key, and at the end of the document",
        arguments: [
            // Continuation bytes without a lead byte, and bytes that never occur.
            [0x80], [0xBF], [0xFE], [0xFF], [0xF5, 0x80, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80],
            // Overlong forms.
            [0xC0, 0x80], [0xC0, 0xAF], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF],
            [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x8F, 0xBF, 0xBF],
            // Surrogates, and code points above U+10FFFF.
            [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xF4, 0xBF, 0xBF, 0xBF],
            // Truncated sequences.
            [0xC2], [0xE2], [0xE2, 0x82], [0xF0], [0xF0, 0x9F], [0xF0, 0x9F, 0x98],
            // Another byte in place of a continuation byte.
            [0xC2, 0x41], [0xE2, 0x41, 0x82], [0xE2, 0x82, 0x41], [0xF0, 0x9F, 0x98, 0xC2], [0xC2, 0xC2, 0x80],
        ] as [[UInt8]])
    func invalidUTF8(sequence: [UInt8]) {
        #expect(refusal(of: [0x22] + sequence + [0x22])?.reason == .invalidUTF8)
        #expect(refusal(of: Array("{\"a".utf8) + sequence + Array("\":1}".utf8))?.reason == .invalidUTF8)
        #expect(refusal(of: [0x22] + sequence)?.reason == .invalidUTF8)
    }

    @Test("Validation agrees with the standard library's on every sequence of three bytes")
    func everySequence() {
        var differing: [[UInt8]] = []
        let borders: [UInt8] = [0x00, 0x20, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC2, 0xF0, 0xFF]
        for first in 0x80...0xFF as ClosedRange<UInt8> {
            for second in borders {
                for third in borders {
                    for sequence in [[first, second, third], [first, second, third, 0x80]] {
                        let isValid = String(validating: sequence, as: UTF8.self) != nil
                        // Control characters have an error of their own.
                        guard sequence.allSatisfy({ $0 >= 0x20 }) else { continue }
                        if (refusal(of: [0x22] + sequence + [0x22]) == nil) != isValid { differing.append(sequence) }
                    }
                }
            }
        }
        #expect(differing == [])
    }

    @Test(
        "A special byte is found at every position of a string longer than a 16-byte scan",
        arguments: [
            ("\\n", "\n"), ("\\\"", "\""), ("é", "é"), ("💧", "💧"), ("\\u20ac", "€"), ("\u{7F}", "\u{7F}"),
        ])
    func scan(special: String, meaning: String) throws {
        for length in 0...49 {
            for position in 0...length {
                let before = String(repeating: "a", count: position)
                let after = String(repeating: "z", count: length - position)
                let read = try reading("[\"\(before)\(special)\(after)\",1]") { $0.elements.map(\.string) }
                #expect(read == [before + meaning + after, nil])
            }
        }
    }

    @Test(
        "Control characters and invalid bytes are found anywhere", arguments: [0x00, 0x1F, 0x80, 0xFF] as [UInt8])
    func scanForFaults(fault: UInt8) {
        for length in 1...49 {
            for position in 0..<length {
                var text = [UInt8](repeating: 0x20, count: length)
                text[position] = fault
                #expect(refusal(of: [0x22] + text + [0x22])?.offset == position + 1)
            }
        }
    }

    @Test(
        "A string that spells a number of JSON's grammar is read as that number; any other is not a number",
        arguments: [
            ("10", 10, 10), ("-0.5", -0.5, nil), (" 7 ", 7, 7), ("1e2", 100, 100), ("10.0", 10, 10),
            ("1e400", nil, nil), ("9223372036854775808", 9_223_372_036_854_775_808, nil), ("", nil, nil),
            (" ", nil, nil), ("1 2", nil, nil), ("+1", nil, nil), (".5", nil, nil), ("01", nil, nil),
            ("0x10", nil, nil), ("NaN", nil, nil), ("inf", nil, nil), ("1,5", nil, nil), ("10 °C", nil, nil),
            ("\\t1", nil, nil),
        ] as [(String, Double?, Int64?)])
    func numericStrings(text: String, double: Double?, integer: Int64?) throws {
        let read = try reading("\"\(text)\"") { ($0.numericStringAsDouble, $0.numericStringAsInt64) }
        #expect(read == (double, integer))
    }

    @Test("A string is compared by its characters, independent of escapes")
    func comparison() throws {
        for document in ["\"time\"", "\"\\u0074ime\"", "\"tim\\u0065\""] {
            let equal = try reading(document) { node in ["time", "tim", "times", "Time"].filter { node.equals($0) } }
            #expect(equal == ["time"])
        }
        #expect(try reading("1") { $0.equals("1") } == false)
    }

    @Test("Composed and decomposed letters are different strings, escaped or not")
    func comparisonOfForms() throws {
        for document in ["\"é\"", "\"\\u00e9\""] {
            #expect(try reading(document) { [$0.equals("\u{E9}"), $0.equals("e\u{301}")] } == [true, false])
        }
    }
}
