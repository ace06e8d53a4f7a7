import CScan

/// What happens where a document does not fit the strict grammar.
///
/// Out of line and by value, so that the strict path does not pay for it.
struct Leniencies {
    typealias Cursor = UnsafePointer<UInt8>

    /// How to go on where a value was expected.
    enum Step {
        /// From another place.
        case goOn(Cursor)
        /// A number that is none, up to the cursor.
        case number(Cursor)
        /// The array ends here.
        case close
    }

    private let allowed: JSONLeniency
    private let end: Cursor
    let maximumNumberBytes: Int

    init(_ options: JSONOptions, _ end: Cursor) {
        allowed = options.leniency
        maximumNumberBytes = options.maximumNumberBytes
        self.end = end
    }

    /// Where a value was expected.
    ///
    /// `closes` says whether an array is open, `elements` how many it has got before this one.
    @inline(never)
    func value(at cursor: Cursor, closes: Bool, _ elements: Int) throws(ParseFault) -> Step {
        switch cursor.pointee {
        case UInt8(ascii: "/"): return .goOn(try comment(at: cursor, orElse: .value))
        // Without elements only a comment can have come between the brackets.
        case UInt8(ascii: "]") where closes && (elements == 0 || allowed.contains(.trailingCommas)): return .close
        case UInt8(ascii: "N"):
            if let last = match("NaN", cursor) { return .number(last) }
        case UInt8(ascii: "I"):
            if let last = match("Infinity", cursor) { return .number(last) }
        default: break
        }
        throw ParseFault(.value, at: cursor)
    }

    /// Where a number was expected because of its sign or digit.
    @inline(never)
    func negativeInfinity(at cursor: Cursor) throws(ParseFault) -> Cursor {
        guard let last = match("-Infinity", cursor) else { throw ParseFault(.number, at: cursor) }
        return last
    }

    /// Where a key was expected: the cursor of one, or of the closing bracket that may come instead.
    @inline(never)
    func key(at cursor: Cursor, isFirst: Bool) throws(ParseFault) -> Cursor {
        var cursor = cursor
        while cursor < end {
            switch cursor.pointee {
            case UInt8(ascii: "\""): return cursor
            case UInt8(ascii: "}") where isFirst || allowed.contains(.trailingCommas): return cursor
            default: cursor = try comment(at: cursor, orElse: .key)
            }
        }
        throw ParseFault(.unexpectedEnd, at: end)
    }

    /// Where a colon was expected: its cursor.
    @inline(never)
    func colon(at cursor: Cursor) throws(ParseFault) -> Cursor {
        var cursor = cursor
        while cursor < end {
            if cursor.pointee == UInt8(ascii: ":") { return cursor }
            cursor = try comment(at: cursor, orElse: .colon)
        }
        throw ParseFault(.unexpectedEnd, at: end)
    }

    /// Skips a comment and the white space behind it.
    @inline(never)
    func comment(at cursor: Cursor, orElse cause: ParseFault.Cause) throws(ParseFault) -> Cursor {
        guard allowed.contains(.comments), cursor.pointee == UInt8(ascii: "/") else {
            throw ParseFault(cause, at: cursor)
        }
        guard let last = Self.endOfComment(at: cursor, end) else {
            throw cursor + 1 < end && cursor[1] != UInt8(ascii: "*")
                ? ParseFault(cause, at: cursor) : ParseFault(.unexpectedEnd, at: end)
        }
        return weir_skip_space(last, end)
    }

    /// Skips white space, and comments where they are allowed.
    func skipSpace(_ cursor: Cursor) throws(ParseFault) -> Cursor {
        var cursor = weir_skip_space(cursor, end)
        while cursor < end, cursor.pointee == UInt8(ascii: "/"), allowed.contains(.comments) {
            cursor = try comment(at: cursor, orElse: .value)
        }
        return cursor
    }

    /// The cursor behind the comment that begins with the slash at `cursor`; nil when it has no end or is none.
    static func endOfComment(at cursor: Cursor, _ end: Cursor) -> Cursor? {
        guard cursor + 1 < end else { return nil }
        var last = cursor + 2
        switch cursor[1] {
        case UInt8(ascii: "/"):
            while last < end, last.pointee != UInt8(ascii: "\n") { last += 1 }
            return last
        case UInt8(ascii: "*"):
            while last + 1 < end {
                if last[0] == UInt8(ascii: "*"), last[1] == UInt8(ascii: "/") { return last + 2 }
                last += 1
            }
            return nil
        default: return nil
        }
    }

    private func match(_ text: StaticString, _ cursor: Cursor) -> Cursor? {
        let length = text.utf8CodeUnitCount
        guard allowed.contains(.notANumber), end - cursor >= length, weir_equal(cursor, text.utf8Start, length)
        else { return nil }
        return cursor + length
    }
}
