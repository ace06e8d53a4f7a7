/// A document that is not JSON: what is wrong with it, and where.
///
///     do {
///         try parser.withDocument(Array("[1,]".utf8)) { _ in }
///     } catch let error as JSONSyntaxError {
///         print(error)  // line 1, column 4 (byte 3): expected a value, found "]"
///     }
public struct JSONSyntaxError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What is wrong.
    ///
    ///     if case .tooDeep(let limit) = syntaxError.reason { print("more than \(limit) levels") }
    public enum Reason: Equatable, Sendable {
        /// No value at all: the document is empty or white space.
        case empty
        /// The document ends in the middle of a value.
        case unexpectedEnd
        /// A byte that cannot stand here, with what could.
        case unexpectedByte(UInt8, expected: String)
        /// A number that breaks the grammar, such as `01`, `1.` or `+1`.
        case invalidNumber
        /// A number longer than the limit, in bytes.
        case numberTooLong(limit: Int)
        /// A backslash followed by something RFC 8259 section 7 does not know.
        case invalidEscape
        /// A raw byte below 0x20 inside a string.
        case controlCharacter(UInt8)
        /// Bytes inside a string that are not UTF-8.
        case invalidUTF8
        /// Something follows the document's one value.
        case trailingData
        /// More nested arrays and objects than the limit.
        case tooDeep(limit: Int)
        /// More bytes than the limit.
        case tooLarge(limit: Int)
    }

    /// What is wrong.
    ///
    ///     syntaxError.reason == .unexpectedEnd
    public let reason: Reason
    /// Where, in bytes from the start of the document; 0 is the first.
    ///
    ///     let before = bytes.prefix(syntaxError.offset)
    public let offset: Int
    /// The line, from 1.
    ///
    ///     print("\(syntaxError.line):\(syntaxError.column)")
    public let line: Int
    /// The column in Unicode code points, from 1.
    ///
    ///     print("\(syntaxError.line):\(syntaxError.column)")
    public let column: Int

    init(_ reason: Reason, offset: Int, in bytes: UnsafeBufferPointer<UInt8>) {
        self.reason = reason
        self.offset = offset
        var line = 1
        var column = 1
        for byte in bytes.prefix(offset) {
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
        self.line = line
        self.column = column
    }

    /// One line: `line 3, column 7 (byte 41): expected a value, found "]"`.
    public var description: String { "line \(line), column \(column) (byte \(offset)): \(explanation)" }

    /// What is wrong, without the place.
    ///
    ///     syntaxError.explanation  // expected a value, found "]"
    public var explanation: String {
        switch reason {
        case .empty: "the document is empty"
        case .unexpectedEnd: "the document ends in the middle of a value"
        case .unexpectedByte(let byte, let expected): "expected \(expected), found \(Self.name(of: byte))"
        case .invalidNumber: "invalid number"
        case .numberTooLong(let limit): "a number is longer than the limit of \(limit) bytes"
        case .invalidEscape: "invalid escape in a string"
        case .controlCharacter(let byte): "\(Self.name(of: byte)) must be escaped in a string"
        case .invalidUTF8: "a string is not valid UTF-8"
        case .trailingData: "something follows the end of the document"
        case .tooDeep(let limit): "arrays and objects are nested deeper than the limit of \(limit)"
        case .tooLarge(let limit): "the document is larger than the limit of \(limit) bytes"
        }
    }

    private static func name(of byte: UInt8) -> String {
        if (0x21...0x7E).contains(byte) { return "\"\(Character(Unicode.Scalar(byte)))\"" }
        let digits = String(byte, radix: 16, uppercase: true)
        return "byte 0x\(digits.count < 2 ? "0" : "")\(digits)"
    }
}
