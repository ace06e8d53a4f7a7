import CScan

/// The grammar of RFC 8259 over a document's bytes.
///
/// It iterates, so nesting takes neither stack nor memory beyond the tape. The strict grammar is here; where a document
/// departs from it, `Leniencies` throws or says how to go on.
///
/// Unsafe: moves a pointer along the document, which the parser's caller keeps alive, without bounds checks. Every step
/// compares the cursor with `end` before it reads.
// The steps are transparent because the state must stay in registers: with `@inline(__always)` the inliner leaves some of
// them a call, and a parse takes 18 to 23 % longer.
struct Grammar {
    typealias Cursor = UnsafePointer<UInt8>

    let start: Cursor
    let end: Cursor
    let options: JSONOptions

    /// Appends the value that begins at `first` to the tape and returns the end of its text.
    func parse(_ first: Cursor, onto tape: Tape) throws(ParseFault) -> Cursor {
        let (end, maximumDepth, lenient) = (end, options.maximumDepth, Leniencies(options, end))
        var builder = TapeBuilder(tape, start, end)
        var cursor = first
        while true {
            guard builder.reserveStep(tape) else { throw ParseFault(.expired, at: cursor) }
            let isValue = builder.isObject ? try Self.key(&cursor, end, &builder, lenient) : true
            if isValue, try Self.value(&cursor, end, &builder, lenient, maximumDepth) { continue }
            if try Self.separator(&cursor, end, &builder, lenient) { return cursor }
        }
    }

    /// Reads a value and returns whether it opened a container that is not empty.
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
            case UInt8(ascii: "t"): cursor = try literal(.true, "true", cursor, end, &builder)
            case UInt8(ascii: "f"): cursor = try literal(.false, "false", cursor, end, &builder)
            case UInt8(ascii: "n"): cursor = try literal(.null, "null", cursor, end, &builder)
            default: if try other(&cursor, &builder, lenient) { continue }
            }
            return false
        }
    }

    /// Moves past the next comma, closes the containers that end before it, and returns whether the root is complete.
    @_transparent
    private static func separator(
        _ cursor: inout Cursor, _ end: Cursor, _ builder: inout TapeBuilder, _ lenient: Leniencies
    ) throws(ParseFault) -> Bool {
        while !builder.isAtRoot {
            cursor = weir_skip_space(cursor, end)
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

    /// Opens a container and returns whether it stays open, which an empty one does not.
    @_transparent
    private static func open(_ cursor: inout Cursor, _ end: Cursor, _ builder: inout TapeBuilder) -> Bool {
        let bracket = cursor.pointee
        builder.open(bracket == UInt8(ascii: "{") ? .object : .array, at: cursor)
        cursor = weir_skip_space(cursor + 1, end)
        // In ASCII, each closing bracket is two after its opening one.
        guard cursor < end, cursor.pointee == bracket + 2 else { return true }
        cursor = builder.close(at: cursor)
        return false
    }

    /// Handles a byte with which no strict value begins, and returns whether the value is still to come.
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

    /// Reads a key with its colon, or closes the object if it ends, and returns whether it was a key.
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
        cursor = text.end + 1
        if cursor == end || cursor.pointee != UInt8(ascii: ":") {
            cursor = weir_skip_space(cursor, end)
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

    @_transparent
    private static func literal(
        _ kind: JSONNode.Kind, _ text: StaticString, _ first: Cursor, _ end: Cursor, _ builder: inout TapeBuilder
    ) throws(ParseFault) -> Cursor {
        let length = text.utf8CodeUnitCount
        guard end - first >= length, weir_equal(first, text.utf8Start, length) else {
            throw misspelled(kind, text, first, end)
        }
        builder.append(kind, first, first + length)
        return first + length
    }

    @inline(never)
    private static func misspelled(
        _ kind: JSONNode.Kind, _ text: StaticString, _ first: Cursor, _ end: Cursor
    ) -> ParseFault {
        let cause: ParseFault.Cause = kind == .true ? .literalTrue : kind == .false ? .literalFalse : .literalNull
        var index = 1
        while first + index < end, index < text.utf8CodeUnitCount, first[index] == text.utf8Start[index] { index += 1 }
        return first + index < end ? ParseFault(cause, at: first + index) : ParseFault(.unexpectedEnd, at: end)
    }

    /// Skips a comma or a colon and the white space behind it.
    ///
    /// A single space is the most common: looking for it first makes parsing of such documents 5 % faster.
    @_transparent
    private static func skipSeparator(_ cursor: Cursor, _ end: Cursor) -> Cursor {
        end - cursor > 2 && cursor[1] == 0x20 && cursor[2] > 0x20 ? cursor + 2 : weir_skip_space(cursor + 1, end)
    }
}
