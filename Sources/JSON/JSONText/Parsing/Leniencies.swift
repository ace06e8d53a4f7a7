import CScan

/// The parse steps for places where a document departs from the strict grammar.
///
/// They are functions of their own, without access to the parse state, so that strict documents do not pay for them.
///
/// Unsafe: reads through cursors of `Grammar`, and compares them with `end` first. The parser keeps the tape alive longer.
struct Leniencies {
    typealias Cursor = UnsafePointer<UInt8>

    /// How to go on at a place where a value was expected.
    enum Step {
        /// Look again at the cursor.
        case goOn(Cursor)
        /// A non-finite number ends at the cursor.
        case number(Cursor)
        /// The array ends here.
        case close
    }

    private let allowed: JSONLeniency
    private let end: Cursor
    let maximumNumberBytes: Int
    /// The tape, which counts the numbers that are not finite.
    private unowned(unsafe) let tape: Tape

    init(_ options: JSONOptions, _ end: Cursor, _ tape: Tape) {
        allowed = options.leniency
        maximumNumberBytes = options.maximumNumberBytes
        self.end = end
        self.tape = tape
    }

    /// Returns how to go on at a place where a value was expected.
    ///
    /// `closes` is whether an array is open, `elements` its number of elements so far.
    @inline(never)
    func value(at cursor: Cursor, closes: Bool, _ elements: Int) throws(ParseFault) -> Step {
        switch cursor.pointee {
        case UInt8(ascii: "/"): return .goOn(try comment(at: cursor, orElse: .value))
        // Before the first element, only a comment can have brought the parse here.
        case UInt8(ascii: "]") where closes && (elements == 0 || allowed.contains(.trailingCommas)): return .close
        default: break
        }
        if let last = endOfNonFinite(at: cursor) { return .number(last) }
        throw cursor.pointee == UInt8(ascii: "n") ? Grammar.misspelledNull(cursor, end) : ParseFault(.value, at: cursor)
    }

    /// Returns the end of a number that is not finite at a place where a number was expected.
    @inline(never)
    func nonFinite(at cursor: Cursor) throws(ParseFault) -> Cursor {
        guard let last = endOfNonFinite(at: cursor) else { throw ParseFault(.number, at: cursor) }
        return last
    }

    /// Returns the cursor of the next key, or of the closing bracket in its place.
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

    /// Returns the cursor of the next colon.
    @inline(never)
    func colon(at cursor: Cursor) throws(ParseFault) -> Cursor {
        var cursor = cursor
        while cursor < end {
            if cursor.pointee == UInt8(ascii: ":") { return cursor }
            cursor = try comment(at: cursor, orElse: .colon)
        }
        throw ParseFault(.unexpectedEnd, at: end)
    }

    /// Skips a comment and the white space behind it, or throws `cause` if comments are not allowed.
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

    /// Skips white space, and comments if they are allowed.
    func skipSpace(_ cursor: Cursor) throws(ParseFault) -> Cursor {
        var cursor = weir_skip_space(cursor, end)
        while cursor < end, cursor.pointee == UInt8(ascii: "/"), allowed.contains(.comments) {
            cursor = try comment(at: cursor, orElse: .value)
        }
        return cursor
    }

    /// Returns the end of the comment that begins with the slash at `cursor`, or nil if it has none.
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

    /// Returns the end of the number at `cursor` that is not finite, or nil if there is none or it is not allowed.
    private func endOfNonFinite(at cursor: Cursor) -> Cursor? {
        guard allowed.contains(.notANumber) else { return nil }
        let isSigned = cursor.pointee == UInt8(ascii: "-") || cursor.pointee == UInt8(ascii: "+")
        let first = isSigned ? cursor + 1 : cursor
        var last = first
        while last < end, UInt8(ascii: "a")...UInt8(ascii: "z") ~= last.pointee | 0x20, last - first < 9 { last += 1 }
        let word = UnsafeBufferPointer(start: first, count: last - first)
        let isKnown = ["nan", "inf", "infinity"].contains { known in
            known.utf8.elementsEqual(word.lazy.map { $0 | 0x20 })
        }
        guard isKnown else { return nil }
        tape.nonFiniteNumbers += 1
        return last
    }
}
