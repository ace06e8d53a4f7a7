/// An error in the JSON text of a document, with its place.
///
///     do {
///         try parser.withDocument(Array("[1,]".utf8)) { _ in }
///     } catch let error as JSONSyntaxError {
///         print(error)  // line 1, column 4 (byte 3): expected a value, found "]"
///     }
public struct JSONSyntaxError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What is wrong.
    public enum Reason: Equatable, Sendable {
        /// There is no value: the document is empty or white space.
        case empty
        /// The document ends inside a value.
        case unexpectedEnd
        /// A byte that the grammar does not allow here, and what it allows.
        case unexpectedByte(UInt8, expected: String)
        /// A number that breaks the grammar, such as `01` or `1.`.
        case invalidNumber
        /// A number is longer than the limit in bytes.
        case numberTooLong(limit: Int)
        /// A backslash before a character that RFC 8259, section 7, does not list.
        case invalidEscape
        /// A control character in a string that is not escaped.
        case controlCharacter(UInt8)
        /// Bytes in a string that are not UTF-8.
        case invalidUTF8
        /// More text follows the document's value.
        case trailingData
        /// More nested arrays and objects than the limit.
        case tooDeep(limit: Int)
        /// More bytes than the limit.
        case tooLarge(limit: Int)
        /// `JSONOptions.isExpired` returned true; the document may have no fault.
        case expired
    }

    /// What is wrong.
    public let reason: Reason
    /// The offset in bytes from the start of the document.
    public let offset: Int
    /// The line, from 1.
    public let line: Int
    /// The column in Unicode code points, from 1.
    public let column: Int

    /// An error at an offset of `bytes`, which are the document, or its conversion from `encoding`.
    init(_ reason: Reason, offset: Int, in bytes: UnsafeBufferPointer<UInt8>, _ encoding: DocumentEncoding? = nil) {
        self.reason = reason
        self.offset = encoding?.offset(of: offset, inConverted: bytes) ?? offset
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

    /// What is wrong, without the place: `expected a value, found "]"`.
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
        case .expired: "there was not enough time to read the document"
        }
    }

    private static func name(of byte: UInt8) -> String {
        if (0x21...0x7E).contains(byte) { return "\"\(Character(Unicode.Scalar(byte)))\"" }
        let digits = String(byte, radix: 16, uppercase: true)
        return "byte 0x\(digits.count < 2 ? "0" : "")\(digits)"
    }
}

/// The cause and place of a parse failure, small enough to be thrown through the parser's steps at no cost.
///
/// `JSONParser` makes a `JSONSyntaxError` of it.
// Unchecked: a fault neither leaves its thread nor outlives the document that it points into.
struct ParseFault: Error, @unchecked Sendable {
    enum Cause: UInt8 {
        case empty, unexpectedEnd, value, key, colon, afterElement, afterMember, literalTrue, literalFalse, literalNull
        case number, numberTooLong, escape, controlCharacter, invalidUTF8, tooDeep, expired
    }

    let cause: Cause
    let cursor: UnsafePointer<UInt8>

    @inline(never)
    init(_ cause: Cause, at cursor: UnsafePointer<UInt8>) {
        self.cause = cause
        self.cursor = cursor
    }

    /// Returns the public form of the cause.
    ///
    /// The cursor is before the end for every cause that names a byte.
    func reason(_ options: JSONOptions) -> JSONSyntaxError.Reason {
        switch cause {
        case .empty: .empty
        case .unexpectedEnd: .unexpectedEnd
        case .value: .unexpectedByte(cursor.pointee, expected: "a value")
        case .key: .unexpectedByte(cursor.pointee, expected: "a key in quotes")
        case .colon: .unexpectedByte(cursor.pointee, expected: "\":\"")
        case .afterElement: .unexpectedByte(cursor.pointee, expected: "\",\" or \"]\"")
        case .afterMember: .unexpectedByte(cursor.pointee, expected: "\",\" or \"}\"")
        case .literalTrue: .unexpectedByte(cursor.pointee, expected: "true")
        case .literalFalse: .unexpectedByte(cursor.pointee, expected: "false")
        case .literalNull: .unexpectedByte(cursor.pointee, expected: "null")
        case .number: .invalidNumber
        case .numberTooLong: .numberTooLong(limit: options.maximumNumberBytes)
        case .escape: .invalidEscape
        case .controlCharacter: .controlCharacter(cursor.pointee)
        case .invalidUTF8: .invalidUTF8
        case .tooDeep: .tooDeep(limit: options.maximumDepth)
        case .expired: .expired
        }
    }
}
