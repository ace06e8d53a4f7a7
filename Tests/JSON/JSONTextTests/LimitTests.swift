import JSONText
import Testing

@Suite("Limits")
struct LimitTests {
    private func nested(_ depth: Int) -> String {
        String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }

    @Test("512 levels are accepted; the 513th is refused at its opening bracket")
    func depth() throws {
        #expect(refusal(of: nested(512)) == nil)
        let error = try #require(refusal(of: nested(513)))
        #expect(
            error.description
                == "line 1, column 513 (byte 512): arrays and objects are nested deeper than the limit of 512")
    }

    @Test(
        "Objects count as arrays do, and siblings do not add up",
        arguments: [("1", 0), ("[]", 1), ("{\"a\":[1]}", 2), ("[[],[],{}]", 2), ("[{\"a\":{}}]", 3)])
    func depthOfDocuments(document: String, depth: Int) {
        #expect(refusal(of: document, options: JSONOptions(maximumDepth: depth)) == nil)
        guard depth > 0 else { return }
        let reason = refusal(of: document, options: JSONOptions(maximumDepth: depth - 1))?.reason
        #expect(reason == .tooDeep(limit: depth - 1))
    }

    @Test("A million opening brackets are refused at the limit without a crash")
    func openingBrackets() {
        #expect(refusal(of: String(repeating: "[", count: 1_000_000))?.reason == .tooDeep(limit: 512))
        #expect(refusal(of: String(repeating: "{\"\":", count: 500_000))?.reason == .tooDeep(limit: 512))
    }

    @Test("A document at the size limit is accepted; one more byte is refused")
    func bytes() throws {
        let options = JSONOptions(maximumBytes: 5)
        #expect(refusal(of: "[123]", options: options) == nil)
        let error = try #require(refusal(of: "[1234]", options: options))
        #expect(error.explanation == "the document is larger than the limit of 5 bytes")
        #expect(error.offset == 5)
    }

    @Test("A size limit above what a tape can address is lowered to that")
    func loweredLimit() {
        #expect(JSONOptions(maximumBytes: .max).maximumBytes == 268_435_455)
    }

    @Test("A number at the length limit is accepted; a longer one is refused at its first byte", arguments: ["", "-"])
    func numberLength(sign: String) throws {
        let options = JSONOptions(maximumNumberBytes: 10 + sign.utf8.count)
        #expect(refusal(of: "[\(sign)1234567890]", options: options) == nil)
        let error = try #require(refusal(of: "[\(sign)12345678901]", options: options))
        #expect(error.offset == 1)
        #expect(error.reason == .numberTooLong(limit: options.maximumNumberBytes))
    }

    @Test("A number of a million digits is read as the nearest double, or as an integer if it fits")
    func longNumber() throws {
        let digits = String(repeating: "7", count: 1_000_000)
        #expect(try reading(digits) { $0.int64 } == nil)
        #expect(try reading(digits) { $0.double } == nil)
        #expect(try reading("0." + digits) { $0.double } == 7.0 / 9)
        #expect(try reading("1" + String(repeating: "0", count: 999_990) + "e-999990") { $0.int64 } == 1)
    }
}
