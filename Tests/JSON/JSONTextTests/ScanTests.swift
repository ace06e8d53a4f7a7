import CScan
import TestSupport
import Testing

/// The scans that use vectors, compared with their versions in plain C.
@Suite("Scans of 16 bytes at a time")
struct ScanTests {
    /// Calls `body` with random texts of the characters of `alphabet`.
    private static func texts(
        of alphabet: String, _ body: (_ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, String) -> Void
    ) {
        var random = SplitMix64(seed: 11)
        let alphabet = Array(alphabet.utf8)
        for count in 1...1000 {
            let bytes = (0..<count % 70 + 1).map { _ in alphabet.randomElement(using: &random) ?? 0 }
            bytes.withUnsafeBufferPointer {
                guard let start = $0.baseAddress else { return }
                body(start, start + bytes.count, String(decoding: bytes, as: UTF8.self))
            }
        }
    }

    @Test(
        "A number ends where plain C finds its end",
        arguments: ["0123456789.,", "0.1,", "05.eE-+ ", "123456789012345678.]"])
    func decimals(alphabet: String) {
        Self.texts(of: alphabet) { start, end, text in
            var (isInteger, isPlainInteger) = (false, false)
            let found = weir_scan_decimal(start, end, &isInteger)
            let expected = weir_scan_decimal_plain(start, end, &isPlainInteger)
            #expect(found == expected, "\(text)")
            if found > start { #expect(isInteger == isPlainInteger, "\(text)") }
        }
    }

    @Test("White space ends where plain C finds its end, whatever the length of the last run")
    func whiteSpace() {
        Self.texts(of: "      \n\t\ra\u{1}") { start, end, text in
            let expected = weir_skip_space_plain(start, end)
            #expect(weir_skip_space(start, end) == expected, "\(text)")
            for last in 0..<16 {
                var run = last
                #expect(weir_skip_indent(start, end, &run) == expected, "\(last) \(text)")
                #expect(0..<16 ~= run)
            }
        }
    }

    @Test("Plain text of a string ends where plain C finds its end")
    func strings() {
        Self.texts(of: "aaaaaaaaaaaaaaaaaaaaaa\"\\é\u{1}") { start, end, text in
            #expect(weir_scan_string(start, end) == weir_scan_string_plain(start, end), "\(text)")
        }
    }

    @Test("Long keys are equal if all of their bytes are")
    func keys() {
        for length in 17...40 {
            let key = (0..<length).map { UInt8($0) + 40 }
            #expect(weir_equal_keys(key, key, length))
            // The ends have been compared before.
            for index in 8..<length - 8 {
                var other = key
                other[index] ^= 1
                #expect(!weir_equal_keys(key, other, length), "\(length) \(index)")
            }
        }
    }
}
