import CScan

/// The grammar of RFC 8259 over a document's bytes.
///
/// Iterates: nesting takes neither stack nor memory beyond the tape. Strict where it is fast; what does not fit is
/// handed to `Leniencies`, which throws or says how to go on.
// The steps are transparent because the state must stay in registers: when the inliner leaves one of them a call, as
// it does with `@inline(__always)` here, the parse takes half as long again.
struct Grammar {
    typealias Cursor = UnsafePointer<UInt8>

    let start: Cursor
    let end: Cursor
    let options: JSONOptions

    /// Puts the value that begins at `first`, where no white space is, on the tape.
    ///
    /// Returns the cursor behind it.
    func parse(_ first: Cursor, onto tape: Tape) throws(ParseFault) -> Cursor {
        let (end, maximumDepth, lenient) = (end, options.maximumDepth, Leniencies(options, end))
        var builder = TapeBuilder(tape, start, end)
        var cursor = first
        while true {
            if builder.isFull { builder.grow(tape) }
            // In an object every turn takes a key first.
            let isValue = builder.isObject ? try Self.key(&cursor, end, &builder, lenient) : true
            if isValue, try Self.value(&cursor, end, &builder, lenient, maximumDepth) { continue }
            if try Self.separator(&cursor, end, &builder, lenient) { return cursor }
        }
    }

    /// Takes a value; true when that opened a container with something in it.
    @_transparent
    private static func value(
        _ cursor: inout Cursor, _ end: Cursor, _ builder: inout TapeBuilder, _ lenient: Leniencies, _ maximumDepth: Int
    ) throws(ParseFault) -> Bool {
        while true {
            guard cursor < end else { throw ParseFault(.unexpectedEnd, at: end) }
            switch cursor.pointee {
            case UInt8(ascii: "\""): cursor = try string(cursor, end, &builder)
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                cursor = try number(cursor, end, &builder, lenient)
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                guard builder.depth < maximumDepth else { throw ParseFault(.tooDeep, at: cursor) }
                return open(&cursor, end, &builder)
            case UInt8(ascii: "t"): cursor = try literal(.true, cursor, end, &builder)
            case UInt8(ascii: "f"): cursor = try literal(.false, cursor, end, &builder)
            case UInt8(ascii: "n"): cursor = try literal(.null, cursor, end, &builder)
            default: if try other(&cursor, &builder, lenient) { continue }
            }
            return false
        }
    }

    /// Goes from behind a value to behind the next comma, closing containers on the way; true when the root is complete.
    @_transparent
    private static func separator(
        _ cursor: inout Cursor, _ end: Cursor, _ builder: inout TapeBuilder, _ lenient: Leniencies
    ) throws(ParseFault) -> Bool {
        while !builder.isAtRoot {
            cursor = skipSpace(cursor, end)
            guard cursor < end else { throw ParseFault(.unexpectedEnd, at: end) }
            if cursor.pointee == UInt8(ascii: ",") {
                builder.countMember()
                cursor = skipSeparator(cursor, end)
                return false
            }
            if cursor.pointee == (builder.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
                builder.countMember()
                cursor = builder.close(at: cursor)
            } else {
                cursor = try lenient.comment(at: cursor, orElse: builder.isObject ? .afterMember : .afterElement)
            }
        }
        return true
    }

    /// Opens a container; false when it is closed again at once.
    @_transparent
    private static func open(_ cursor: inout Cursor, _ end: Cursor, _ builder: inout TapeBuilder) -> Bool {
        let bracket = cursor.pointee
        builder.open(bracket == UInt8(ascii: "{") ? .object : .array, at: cursor)
        cursor = skipSpace(cursor + 1, end)
        // The closing brackets come two after the opening ones.
        guard cursor < end, cursor.pointee == bracket + 2 else { return true }
        cursor = builder.close(at: cursor)
        return false
    }

    /// Takes what no strict value begins with; true when the value is still to come.
    @_transparent
    private static func other(
        _ cursor: inout Cursor, _ builder: inout TapeBuilder, _ lenient: Leniencies
    ) throws(ParseFault) -> Bool {
        switch try lenient.value(at: cursor, closes: !builder.isAtRoot && !builder.isObject, builder.members) {
        case .goOn(let next):
            cursor = next
            return true
        case .number(let last):
            builder.append(.number, cursor, last)
            cursor = last
        case .close: cursor = builder.close(at: cursor)
        }
        return false
    }

    /// Takes a key with its colon; false when the object ends instead, which is closed then.
    @_transparent
    private static func key(
        _ cursor: inout Cursor, _ end: Cursor, _ builder: inout TapeBuilder, _ lenient: Leniencies
    ) throws(ParseFault) -> Bool {
        if cursor == end || cursor.pointee != UInt8(ascii: "\"") {
            cursor = try lenient.key(at: cursor, isFirst: builder.members == 0)
            if cursor.pointee == UInt8(ascii: "}") {
                cursor = builder.close(at: cursor)
                return false
            }
        }
        let first = cursor + 1
        let text = try StringText.scan(first, end)
        builder.append(text.isEscaped ? .escapedString : .string, first, text.end)
        builder.noteKey(first, text.end, isEscaped: text.isEscaped)
        cursor = text.end + 1
        if cursor == end || cursor.pointee != UInt8(ascii: ":") {
            cursor = skipSpace(cursor, end)
            if cursor == end || cursor.pointee != UInt8(ascii: ":") { cursor = try lenient.colon(at: cursor) }
        }
        cursor = skipSeparator(cursor, end)
        return true
    }

    @_transparent
    private static func string(
        _ opening: Cursor, _ end: Cursor, _ builder: inout TapeBuilder
    ) throws(ParseFault) -> Cursor {
        let text = try StringText.scan(opening + 1, end)
        builder.append(text.isEscaped ? .escapedString : .string, opening + 1, text.end)
        return text.end + 1
    }

    @_transparent
    private static func number(
        _ first: Cursor, _ end: Cursor, _ builder: inout TapeBuilder, _ lenient: Leniencies
    ) throws(ParseFault) -> Cursor {
        let digits = first.pointee == UInt8(ascii: "-") ? first + 1 : first
        var isInteger = false
        var last = weir_scan_decimal(digits, end, &isInteger)
        if last == digits || last - first > lenient.maximumNumberBytes {
            (last, isInteger) = try anyNumber(first, end, lenient)
        }
        builder.append(isInteger ? .integer : .number, first, last)
        return last
    }

    @inline(never)
    private static func anyNumber(
        _ first: Cursor, _ end: Cursor, _ lenient: Leniencies
    ) throws(ParseFault) -> (end: Cursor, isInteger: Bool) {
        guard let scan = NumberText.scan(first, end) else { return (try lenient.negativeInfinity(at: first), false) }
        if scan.end - first > lenient.maximumNumberBytes { throw ParseFault(.numberTooLong, at: first) }
        return (scan.end, scan.isInteger)
    }

    /// Takes a literal by comparing its last four bytes at once.
    @_transparent
    private static func literal(
        _ kind: JSONNode.Kind, _ first: Cursor, _ end: Cursor, _ builder: inout TapeBuilder
    ) throws(ParseFault) -> Cursor {
        let length = kind == .false ? 5 : 4
        // "alse", "true" and "null", first byte lowest.
        let expected: UInt32 = kind == .false ? 0x6573_6C61 : kind == .true ? 0x6575_7274 : 0x6C6C_756E
        guard end - first >= length,
            UnsafeRawPointer(first + length - 4).loadUnaligned(as: UInt32.self) == UInt32(littleEndian: expected)
        else { throw misspelled(kind, first, end) }
        builder.append(kind, first, first + length)
        return first + length
    }

    @inline(never)
    private static func misspelled(_ kind: JSONNode.Kind, _ first: Cursor, _ end: Cursor) -> ParseFault {
        let text: StaticString = kind == .true ? "true" : kind == .false ? "false" : "null"
        let cause: ParseFault.Cause =
            kind == .true ? .literalTrue : kind == .false ? .literalFalse : .literalNull
        var index = 1
        while first + index < end, index < text.utf8CodeUnitCount, first[index] == text.utf8Start[index] { index += 1 }
        return first + index < end ? ParseFault(cause, at: first + index) : ParseFault(.unexpectedEnd, at: end)
    }

    /// Skips a comma or a colon and white space, of which one space is the most common.
    @_transparent
    private static func skipSeparator(_ cursor: Cursor, _ end: Cursor) -> Cursor {
        end - cursor > 2 && cursor[1] == 0x20 && cursor[2] > 0x20 ? cursor + 2 : skipSpace(cursor + 1, end)
    }

    @_transparent
    private static func skipSpace(_ cursor: Cursor, _ end: Cursor) -> Cursor {
        weir_skip_space(cursor, end)
    }
}
