import CScan

/// The grammar of RFC 8259 over a document's bytes.
///
/// It iterates, so nesting takes neither stack nor memory beyond the tape. The strict grammar is here; where a document
/// departs from it, `Leniencies` throws or says how to go on.
///
/// Unsafe: moves a pointer along the document, which the parser's caller keeps alive, without bounds checks. Every step
/// compares the cursor with `end` before it reads.
struct Grammar {
    typealias Cursor = UnsafePointer<UInt8>

    /// What comes next.
    private enum Place {
        case key, colon
        /// A value, or the end of an array.
        case value
        /// A comma, or the end of the open container.
        case separator
    }

    let start: Cursor
    let end: Cursor
    let options: JSONOptions

    /// Appends the value that begins at `first` to the tape and returns the end of its text.
    func parse(_ first: Cursor, onto tape: Tape) throws(ParseFault) -> Cursor {
        let lenient = Leniencies(options, end, tape)
        var builder = TapeBuilder(tape, start, end)
        var cursor = first
        var indent = 0
        var place = Place.value
        while true {
            place = try scalars(from: place, &cursor, &builder, &indent, lenient)
            if place == .separator, builder.isAtRoot { return cursor }
            guard builder.hasRoom else {
                guard builder.grow(tape) else { throw ParseFault(.expired, at: cursor) }
                continue
            }
            switch place {
            case .key:
                cursor = try lenient.key(at: cursor, isFirst: builder.members == 0)
                if cursor.pointee == UInt8(ascii: "}") { place = close(&cursor, &builder) }
            case .colon: cursor = try lenient.colon(at: weir_skip_space(cursor, end))
            case .value: place = try container(&cursor, &builder, &indent, lenient)
            case .separator:
                guard cursor < end else { throw ParseFault(.unexpectedEnd, at: end) }
                if cursor.pointee == (builder.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
                    builder.countMember()
                    place = close(&cursor, &builder)
                } else {
                    cursor = try lenient.comment(at: cursor, orElse: builder.isObject ? .afterMember : .afterElement)
                }
            }
        }
    }

    /// Reads keys, colons, scalars and commas from `place` on; returns the place at which something else stands.
    @inline(__always)
    private func scalars(
        from place: Place, _ cursor: inout Cursor, _ builder: inout TapeBuilder, _ indent: inout Int,
        _ lenient: Leniencies
    ) throws(ParseFault) -> Place {
        let end = end
        // The copies stay in registers.
        var place = place, first = cursor, tape = builder, run = indent
        defer { (cursor, builder, indent) = (first, tape, run) }
        while tape.hasRoom {
            if place == .key {
                guard first < end, first.pointee == UInt8(ascii: "\"") else { return .key }
                first = try Self.string(first, end, &tape)
                place = .colon
            }
            if place == .colon {
                guard first < end, first.pointee == UInt8(ascii: ":") else { return .colon }
                first = Self.skipColon(first, end)
                place = .value
            }
            if place == .value {
                guard first < end else { throw ParseFault(.unexpectedEnd, at: end) }
                switch first.pointee {
                case UInt8(ascii: "\""): first = try Self.string(first, end, &tape)
                case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                    first = try Self.number(first, end, &tape, lenient)
                case UInt8(ascii: "t"): first = try Self.literal(.true, "true", first, end, &tape)
                case UInt8(ascii: "f"): first = try Self.literal(.false, "false", first, end, &tape)
                case UInt8(ascii: "n"):
                    // `nan` is for the lenient steps.
                    guard Self.isNull(first, end) else { return .value }
                    tape.append(.null, first, first + 4)
                    first += 4
                default: return .value
                }
            }
            first = weir_skip_indent(first, end, &run)
            guard first < end, first.pointee == UInt8(ascii: ","), !tape.isAtRoot else { return .separator }
            tape.countMember()
            first = weir_skip_indent(first + 1, end, &run)
            place = tape.isObject ? .key : .value
        }
        return place
    }

    /// Opens the container at the cursor, or handles a byte with which no strict value begins.
    private func container(
        _ cursor: inout Cursor, _ builder: inout TapeBuilder, _ indent: inout Int, _ lenient: Leniencies
    ) throws(ParseFault) -> Place {
        let bracket = cursor.pointee
        if bracket == UInt8(ascii: "{") || bracket == UInt8(ascii: "[") {
            guard builder.depth < options.maximumDepth else { throw ParseFault(.tooDeep, at: cursor) }
            builder.open(bracket == UInt8(ascii: "{") ? .object : .array, at: cursor)
            cursor = weir_skip_indent(cursor + 1, end, &indent)
            // In ASCII, each closing bracket is two after its opening one.
            if cursor < end, cursor.pointee == bracket + 2 { return close(&cursor, &builder) }
            return builder.isObject ? .key : .value
        }
        switch try lenient.value(at: cursor, closes: !builder.isAtRoot && !builder.isObject, builder.members) {
        case .goOn(let next):
            cursor = next
            return .value
        case .number(let last):
            builder.append(.number, cursor, last)
            cursor = last
            return .separator
        case .close: return close(&cursor, &builder)
        }
    }

    /// Closes the open container, whose closing bracket is at the cursor.
    private func close(_ cursor: inout Cursor, _ builder: inout TapeBuilder) -> Place {
        builder.close(at: cursor)
        cursor += 1
        return .separator
    }

    @inline(__always)
    private static func string(_ quote: Cursor, _ end: Cursor, _ tape: inout TapeBuilder) throws(ParseFault) -> Cursor {
        let text = try StringText.scan(quote + 1, end)
        tape.append(text.isEscaped ? .escapedString : .string, quote + 1, text.end)
        return text.end + 1
    }

    @inline(__always)
    private static func number(
        _ first: Cursor, _ end: Cursor, _ tape: inout TapeBuilder, _ lenient: Leniencies
    ) throws(ParseFault) -> Cursor {
        let digits = first.pointee == UInt8(ascii: "-") ? first + 1 : first
        var isInteger = false
        var last = weir_scan_decimal(digits, end, &isInteger)
        if last == digits || last - first > lenient.maximumNumberBytes {
            (last, isInteger) = try anyNumber(first, end, lenient)
        }
        tape.append(isInteger ? .integer : .number, first, last)
        return last
    }

    @inline(never)
    private static func anyNumber(
        _ first: Cursor, _ end: Cursor, _ lenient: Leniencies
    ) throws(ParseFault) -> (end: Cursor, isInteger: Bool) {
        guard let scan = NumberText.scan(first, end) else { return (try lenient.nonFinite(at: first), false) }
        if scan.end - first > lenient.maximumNumberBytes { throw ParseFault(.numberTooLong, at: first) }
        return (scan.end, scan.isInteger)
    }

    @inline(__always)
    private static func literal(
        _ kind: JSONNode.Kind, _ text: StaticString, _ first: Cursor, _ end: Cursor, _ tape: inout TapeBuilder
    ) throws(ParseFault) -> Cursor {
        let length = text.utf8CodeUnitCount
        guard end - first >= length, weir_equal(first, text.utf8Start, length) else {
            throw misspelled(kind, text, first, end)
        }
        tape.append(kind, first, first + length)
        return first + length
    }

    @inline(__always)
    private static func isNull(_ first: Cursor, _ end: Cursor) -> Bool {
        let text: StaticString = "null"
        return end - first >= 4 && weir_equal(first, text.utf8Start, 4)
    }

    /// Returns the fault of a word that begins as `null`.
    static func misspelledNull(_ first: Cursor, _ end: Cursor) -> ParseFault { misspelled(.null, "null", first, end) }

    @inline(never)
    private static func misspelled(
        _ kind: JSONNode.Kind, _ text: StaticString, _ first: Cursor, _ end: Cursor
    ) -> ParseFault {
        let cause: ParseFault.Cause = kind == .true ? .literalTrue : kind == .false ? .literalFalse : .literalNull
        var index = 1
        while first + index < end, index < text.utf8CodeUnitCount, first[index] == text.utf8Start[index] { index += 1 }
        return first + index < end ? ParseFault(cause, at: first + index) : ParseFault(.unexpectedEnd, at: end)
    }

    /// Skips a colon and the white space behind it, which is most often a single space.
    @inline(__always)
    private static func skipColon(_ colon: Cursor, _ end: Cursor) -> Cursor {
        end - colon > 2 && colon[1] == 0x20 && colon[2] > 0x20 ? colon + 2 : weir_skip_space(colon + 1, end)
    }
}
