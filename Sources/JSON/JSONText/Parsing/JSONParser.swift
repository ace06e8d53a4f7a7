/// A parser of JSON text, which it reads in one pass onto a tape.
///
/// It is strict (RFC 8259) unless its options say otherwise. Making one is free. A parser is used by one thread at a
/// time.
///
///     var parser = JSONParser()
///     let title = try parser.withDocument(bytes) { root in root["title"]?.string }
public struct JSONParser: ~Copyable {
    private let options: JSONOptions
    /// The repairs of the last document's text.
    package private(set) var textRepairs = TextRepairs()

    /// A parser with the given leniencies and limits.
    ///
    ///     var parser = JSONParser(options: JSONOptions(leniency: .comments))
    public init(options: JSONOptions = JSONOptions()) { self.options = options }

    /// Parses `bytes` and passes the root value to `body`.
    ///
    /// The nodes are valid only until `body` returns.
    ///
    ///     let sum = try parser.withDocument(Array("[1,2]".utf8)) { root in
    ///         root.elements.reduce(0) { $0 + ($1.int64 ?? 0) }
    ///     }  // 3
    ///
    /// - Throws: `JSONSyntaxError`, or what `body` throws.
    public mutating func withDocument<Result>(
        _ bytes: [UInt8], _ body: (JSONNode) throws -> Result
    ) throws -> Result {
        try bytes.withUnsafeBufferPointer { try withDocument($0, body) }
    }

    /// Parses `bytes`, which must not change meanwhile, and passes the root value to `body`.
    ///
    /// Copies the bytes only if strings must be repaired. The nodes are valid only until `body` returns.
    ///
    /// - Throws: `JSONSyntaxError`, or what `body` throws.
    public mutating func withDocument<Result>(
        _ bytes: UnsafeBufferPointer<UInt8>, _ body: (JSONNode) throws -> Result
    ) throws -> Result {
        try read(bytes) { reading in
            let root = try reading.next()
            try reading.expectEnd()
            return try body(root)
        }
    }

    /// Parses the values that follow one another in `bytes`, and passes each to `body` in turn.
    ///
    /// Without `JSONLeniency.concatenated`, a second value is an error. The values before an error have been passed on
    /// when it is thrown. The nodes are valid only until `body` returns.
    ///
    ///     var parser = JSONParser(options: JSONOptions(leniency: .concatenated))
    ///     try parser.withDocuments(Array("{} [1]".utf8)) { root in print(root.kind) }  // object, then array
    ///
    /// - Throws: `JSONSyntaxError`, whose offset counts from the start of `bytes`, or what `body` throws.
    public mutating func withDocuments(_ bytes: [UInt8], _ body: (JSONNode) throws -> Void) throws {
        try bytes.withUnsafeBufferPointer { bytes in
            let isSingle = !options.leniency.contains(.concatenated)
            try read(bytes) { reading in
                repeat {
                    let root = try reading.next()
                    if isSingle { try reading.expectEnd() }
                    try body(root)
                } while try !reading.isAtEnd()
            }
        }
    }

    /// Passes the pass over a document to `body`, and keeps the repairs of its text.
    private mutating func read<Result>(
        _ bytes: UnsafeBufferPointer<UInt8>, _ body: (inout DocumentReading) throws -> Result
    ) throws -> Result {
        var repairs = TextRepairs()
        defer { textRepairs = repairs }
        return try withUTF8(bytes) { bytes, encoding in
            var reading = try DocumentReading(bytes, encoding, options)
            defer {
                repairs = reading.repairs
                reading.deallocate()
            }
            return try body(&reading)
        }
    }

    /// Passes a document in UTF-8 to `read`, with the encoding that it was converted from, if it was.
    ///
    /// Ill-formed text is passed as it is: the parser reports an error on it.
    private func withUTF8<Result>(
        _ bytes: UnsafeBufferPointer<UInt8>, _ read: (UnsafeBufferPointer<UInt8>, DocumentEncoding?) throws -> Result
    ) throws -> Result {
        guard options.leniency.contains(.otherEncodings), bytes.count <= options.maximumBytes,
            let encoding = DocumentEncoding(of: bytes), let converted = encoding.convertedToUTF8(bytes)
        else { return try read(bytes, nil) }
        return try converted.withUnsafeBufferPointer { try read($0, encoding) }
    }
}

/// One pass over the values of a document.
///
/// Unsafe: owns the tape, and the repaired copy of the document if there is one; the parser frees them when the nodes
/// are no longer used.
private struct DocumentReading {
    typealias Cursor = UnsafePointer<UInt8>

    private let original: UnsafeBufferPointer<UInt8>
    private let encoding: DocumentEncoding?
    private let options: JSONOptions
    private let tape: Tape
    private var start: Cursor
    private var end: Cursor
    private var repaired: UnsafeMutableBufferPointer<UInt8>?
    private(set) var repairs = TextRepairs()
    /// The offset behind the last value.
    private var offset = 0

    init(
        _ bytes: UnsafeBufferPointer<UInt8>, _ encoding: DocumentEncoding?, _ options: JSONOptions
    ) throws(JSONSyntaxError) {
        guard bytes.count <= options.maximumBytes else {
            let limit = options.maximumBytes
            throw JSONSyntaxError(.tooLarge(limit: limit), offset: limit, in: bytes, encoding)
        }
        guard let base = bytes.baseAddress else { throw JSONSyntaxError(.empty, offset: 0, in: bytes, encoding) }
        if options.isExpired?() == true { throw JSONSyntaxError(.expired, offset: 0, in: bytes, encoding) }
        original = bytes
        self.encoding = encoding
        start = base
        end = base + bytes.count
        self.options = options
        tape = Tape(forBytes: bytes.count, isExpired: options.isExpired)
        skipMarks()
    }

    /// Skips byte order marks, of which joined files have several.
    private mutating func skipMarks() {
        guard options.leniency.contains(.byteOrderMark) else { return }
        let document = UnsafeBufferPointer(start: start, count: end - start)
        while document.dropFirst(offset).starts(with: [0xEF, 0xBB, 0xBF]) {
            offset += 3
            repairs.hasByteOrderMark = true
        }
    }

    func deallocate() {
        repaired?.deallocate()
        tape.deallocate()
    }

    /// Returns the next value, valid until the one after it is read.
    mutating func next() throws(JSONSyntaxError) -> JSONNode {
        do throws(ParseFault) {
            return try parse()
        } catch {
            guard repaired == nil, isRepairable(error.cause) else { throw failure(error) }
            try repair()
            tape.nonFiniteNumbers = repairs.nonFiniteNumbers
            do throws(ParseFault) {
                return try parse()
            } catch {
                throw failure(error)
            }
        }
    }

    /// Returns whether only white space follows, and byte order marks between several documents.
    mutating func isAtEnd() throws(JSONSyntaxError) -> Bool {
        do throws(ParseFault) {
            try skipSpace()
            if options.leniency.contains(.concatenated) {
                skipMarks()
                try skipSpace()
            }
        } catch {
            throw failure(error)
        }
        return start + offset == end
    }

    /// Throws if something other than white space follows the last value.
    mutating func expectEnd() throws(JSONSyntaxError) {
        guard try !isAtEnd() else { return }
        throw JSONSyntaxError(.trailingData, offset: originalOffset(of: offset), in: original, encoding)
    }

    private mutating func parse() throws(ParseFault) -> JSONNode {
        try skipSpace()
        guard start + offset < end else { throw ParseFault(.empty, at: end) }
        offset = try Grammar(start: start, end: end, options: options).parse(start + offset, onto: tape) - start
        repairs.nonFiniteNumbers = tape.nonFiniteNumbers
        return JSONNode(source: start, tape: UnsafePointer(tape.words), index: Tape.rootIndex)
    }

    private mutating func skipSpace() throws(ParseFault) {
        offset = try Leniencies(options, end, tape).skipSpace(start + offset) - start
    }

    private func isRepairable(_ cause: ParseFault.Cause) -> Bool {
        switch cause {
        case .invalidUTF8: options.leniency.contains(.invalidUTF8)
        case .controlCharacter: options.leniency.contains(.controlCharacters)
        default: false
        }
    }

    /// Goes on in a repaired copy of the document.
    ///
    /// What was read before had no fault, so it has the same length in the copy.
    private mutating func repair() throws(JSONSyntaxError) {
        guard let copy = DocumentRepair(original, options.leniency).repaired(&repairs), let base = copy.baseAddress
        else {
            throw JSONSyntaxError(.tooLarge(limit: Tape.maximumLength), offset: original.count, in: original, encoding)
        }
        repaired = copy
        start = UnsafePointer(base)
        end = start + copy.count
    }

    private func originalOffset(of offset: Int) -> Int {
        repaired == nil ? offset : DocumentRepair(original, options.leniency).sourceOffset(of: offset)
    }

    private func failure(_ fault: ParseFault) -> JSONSyntaxError {
        JSONSyntaxError(fault.reason(options), offset: originalOffset(of: fault.cursor - start), in: original, encoding)
    }
}
