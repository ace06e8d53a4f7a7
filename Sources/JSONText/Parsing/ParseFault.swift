/// Where and why parsing stopped, in two words that cost nothing to hand up.
///
/// `JSONSyntaxError` is made of it at the edge.
// Unchecked: a fault does not leave the thread, nor outlive the document that it points into.
struct ParseFault: Error, @unchecked Sendable {
    /// What is wrong.
    enum Cause: UInt8 {
        case empty, unexpectedEnd, value, key, colon, afterElement, afterMember, literalTrue, literalFalse, literalNull
        case number, numberTooLong, escape, controlCharacter, invalidUTF8, tooDeep
    }

    let cause: Cause
    let cursor: UnsafePointer<UInt8>

    @inline(never)
    init(_ cause: Cause, at cursor: UnsafePointer<UInt8>) {
        self.cause = cause
        self.cursor = cursor
    }

    /// The public form of the cause.
    ///
    /// The byte at the cursor is there for every cause that names one.
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
        }
    }
}
