import CSystem

/// Parses JSON text to a tape in one pass.
///
/// Strict RFC 8259 unless its options say otherwise.
///
/// A parser keeps its memory from one document to the next. It is used by one thread at a time.
///
///     var parser = JSONParser()
///     let title = try parser.withDocument(bytes) { root in root["title"]?.string }
public struct JSONParser: ~Copyable {
    typealias Cursor = UnsafePointer<UInt8>

    /// What may come next.
    private enum Expectation { case value, valueOrClose, key, keyOrClose, afterValue, end }

    let options: JSONOptions
    var tape = Tape()
    /// Tape indices of the containers that are still open, outermost first.
    private var open: [Int] = []
    private var expectation = Expectation.value
    var source = UnsafeBufferPointer<UInt8>(start: nil, count: 0)

    /// A parser with the given leniencies and limits.
    public init(options: JSONOptions = JSONOptions()) { self.options = options }

    /// Parses `bytes` and hands the root value to `body`.
    ///
    /// The nodes are valid only until `body` returns.
    /// - Throws: `JSONSyntaxError`, or what `body` throws.
    public mutating func withDocument<Result>(
        _ bytes: [UInt8], _ body: (JSONNode) throws -> Result
    ) throws -> Result {
        try bytes.withUnsafeBufferPointer { buffer in
            try parse(buffer)
            // An empty buffer has no address; it was refused above.
            guard let base = buffer.baseAddress else { throw JSONSyntaxError(.empty, offset: 0, in: buffer) }
            return try body(JSONNode(source: base, tape: UnsafePointer(tape.words), index: 0))
        }
    }

    private mutating func parse(_ buffer: UnsafeBufferPointer<UInt8>) throws(JSONSyntaxError) {
        source = buffer
        guard buffer.count <= options.maximumBytes else {
            throw JSONSyntaxError(.tooLarge(limit: options.maximumBytes), offset: options.maximumBytes, in: buffer)
        }
        guard let start = buffer.baseAddress else { throw JSONSyntaxError(.empty, offset: 0, in: buffer) }
        let end = start + buffer.count
        tape.reset(expecting: buffer.count / 6 + 16)
        open.removeAll(keepingCapacity: true)
        expectation = .value
        var cursor = try skipSpace(from: start, end)
        if cursor == end { throw failure(.empty, at: cursor) }
        while expectation != .end {
            cursor = try step(cursor, end)
            cursor = try skipSpace(from: cursor, end)
        }
        if cursor != end { throw failure(.trailingData, at: cursor) }
    }

    /// Consumes one token: a scalar, an opening or closing bracket, a key with its colon, or a comma.
    @inline(__always)
    private mutating func step(_ cursor: Cursor, _ end: Cursor) throws(JSONSyntaxError) -> Cursor {
        guard cursor < end else { throw failure(.unexpectedEnd, at: end) }
        switch expectation {
        case .valueOrClose where cursor.pointee == UInt8(ascii: "]"): return close(at: cursor)
        case .value, .valueOrClose: return try value(cursor, end)
        case .keyOrClose where cursor.pointee == UInt8(ascii: "}"): return close(at: cursor)
        case .key, .keyOrClose: return try key(cursor, end)
        case .afterValue: return try separator(cursor)
        case .end: return cursor
        }
    }

    @inline(__always)
    private mutating func value(_ cursor: Cursor, _ end: Cursor) throws(JSONSyntaxError) -> Cursor {
        switch cursor.pointee {
        case UInt8(ascii: "\""):
            let after = try string(cursor, end)
            finishValue()
            return after
        case UInt8(ascii: "{"): return try openContainer(.object, at: cursor)
        case UInt8(ascii: "["): return try openContainer(.array, at: cursor)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            let after = try number(cursor, end)
            finishValue()
            return after
        case UInt8(ascii: "t"): return try literal("true", .true, cursor, end)
        case UInt8(ascii: "f"): return try literal("false", .false, cursor, end)
        case UInt8(ascii: "n"): return try literal("null", .null, cursor, end)
        default: throw unexpected(cursor, expected: "a value")
        }
    }

    @inline(__always)
    private mutating func finishValue() { expectation = open.isEmpty ? .end : .afterValue }

    private mutating func openContainer(_ kind: JSONNode.Kind, at cursor: Cursor) throws(JSONSyntaxError) -> Cursor {
        if open.count >= options.maximumDepth { throw failure(.tooDeep(limit: options.maximumDepth), at: cursor) }
        open.append(tape.count)
        tape.append(Tape.word(kind, length: 0, offset: offset(of: cursor)))
        tape.append(0)
        expectation = kind == .object ? .keyOrClose : .valueOrClose
        return cursor + 1
    }

    private mutating func close(at cursor: Cursor) -> Cursor {
        let start = open.removeLast()
        let end = UInt64(truncatingIfNeeded: offset(of: cursor) + 1)
        tape.replace(at: start + 1, with: end << 32 | UInt64(truncatingIfNeeded: tape.count))
        finishValue()
        return cursor + 1
    }

    private mutating func key(_ cursor: Cursor, _ end: Cursor) throws(JSONSyntaxError) -> Cursor {
        guard cursor.pointee == UInt8(ascii: "\"") else { throw unexpected(cursor, expected: "a key in quotes") }
        countElement()
        let after = try skipSpace(from: string(cursor, end), end)
        guard after < end else { throw failure(.unexpectedEnd, at: end) }
        guard after.pointee == UInt8(ascii: ":") else { throw unexpected(after, expected: "\":\"") }
        expectation = .value
        return after + 1
    }

    @inline(__always)
    private mutating func separator(_ cursor: Cursor) throws(JSONSyntaxError) -> Cursor {
        let isObject = tape.words[open[open.count - 1]] >> 60 == UInt64(JSONNode.Kind.object.rawValue)
        switch cursor.pointee {
        case UInt8(ascii: ","):
            if !isObject { countElement() }
            expectation = isObject ? .key : .value
            return cursor + 1
        case UInt8(ascii: "}") where isObject, UInt8(ascii: "]") where !isObject:
            if !isObject { countElement() }
            return close(at: cursor)
        default: throw unexpected(cursor, expected: isObject ? "\",\" or \"}\"" : "\",\" or \"]\"")
        }
    }

    @inline(__always)
    private func countElement() {
        let start = open[open.count - 1]
        let word = tape.words[start]
        if word >> 32 & UInt64(Tape.maximumLength) < UInt64(Tape.maximumLength) {
            tape.replace(at: start, with: word + (1 << 32))
        }
    }

    private mutating func literal(
        _ text: StaticString, _ kind: JSONNode.Kind, _ cursor: Cursor, _ end: Cursor
    ) throws(JSONSyntaxError) -> Cursor {
        let length = text.utf8CodeUnitCount
        for index in 0..<length {
            if cursor + index == end { throw failure(.unexpectedEnd, at: end) }
            if cursor[index] != text.utf8Start[index] { throw unexpected(cursor + index, expected: "\(text)") }
        }
        tape.append(Tape.word(kind, length: length, offset: offset(of: cursor)))
        finishValue()
        return cursor + length
    }
}

extension JSONParser {
    @inline(__always)
    func offset(of cursor: Cursor) -> Int {
        // The cursor stems from the source's own address.
        UnsafeRawPointer(cursor) - UnsafeRawPointer(source.baseAddress ?? cursor)
    }

    @inline(never)
    func failure(_ reason: JSONSyntaxError.Reason, at cursor: Cursor) -> JSONSyntaxError {
        JSONSyntaxError(reason, offset: offset(of: cursor), in: source)
    }

    @inline(never)
    func unexpected(_ cursor: Cursor, expected: String) -> JSONSyntaxError {
        failure(.unexpectedByte(cursor.pointee, expected: expected), at: cursor)
    }

    @inline(__always)
    func skipSpace(from start: Cursor, _ end: Cursor) throws(JSONSyntaxError) -> Cursor {
        var cursor = start
        while cursor < end {
            switch cursor.pointee {
            case 0x20, 0x0A, 0x0D, 0x09: cursor += 1
            case UInt8(ascii: "/") where options.allowsComments: cursor = try skipComment(from: cursor, end)
            default: return cursor
            }
        }
        return cursor
    }

    @inline(never)
    private func skipComment(from start: Cursor, _ end: Cursor) throws(JSONSyntaxError) -> Cursor {
        guard start + 1 < end else { throw failure(.unexpectedEnd, at: end) }
        var cursor = start + 2
        switch start[1] {
        case UInt8(ascii: "/"):
            while cursor < end, cursor.pointee != UInt8(ascii: "\n") { cursor += 1 }
            return cursor
        case UInt8(ascii: "*"):
            while cursor + 1 < end {
                if cursor[0] == UInt8(ascii: "*"), cursor[1] == UInt8(ascii: "/") { return cursor + 2 }
                cursor += 1
            }
            throw failure(.unexpectedEnd, at: end)
        default: throw unexpected(start, expected: "a value")
        }
    }
}
