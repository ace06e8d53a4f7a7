/// One pass over the values of a document.
///
/// Holds the repaired copy of the document where one had to be made, and the tape.
struct DocumentReading {
    typealias Cursor = UnsafePointer<UInt8>

    private let original: UnsafeBufferPointer<UInt8>
    private let options: JSONOptions
    private let tape: Tape
    private var start: Cursor
    private var end: Cursor
    /// The repaired copy, which `finish` frees.
    private var repaired: UnsafeMutablePointer<UInt8>?
    /// Behind the value that was read last.
    private var offset = 0

    /// Takes a tape, which `finish` gives back.
    init(_ bytes: UnsafeBufferPointer<UInt8>, _ options: JSONOptions) throws(JSONSyntaxError) {
        guard bytes.count <= options.maximumBytes else {
            throw JSONSyntaxError(.tooLarge(limit: options.maximumBytes), offset: options.maximumBytes, in: bytes)
        }
        guard let base = bytes.baseAddress else { throw JSONSyntaxError(.empty, offset: 0, in: bytes) }
        original = bytes
        start = base
        end = base + bytes.count
        self.options = options
        tape = Tape.take(forBytes: bytes.count)
        if options.leniency.contains(.byteOrderMark), bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
    }

    /// Gives back what it holds.
    func finish() {
        repaired?.deallocate()
        Tape.giveBack(tape)
    }

    /// The next value, valid until the one after it is read.
    mutating func next() throws(JSONSyntaxError) -> JSONNode {
        do throws(ParseFault) {
            return try parse()
        } catch {
            guard repaired == nil, isRepairable(error.cause) else { throw failure(error) }
            try repair()
            do throws(ParseFault) {
                return try parse()
            } catch {
                throw failure(error)
            }
        }
    }

    /// Whether nothing follows but white space.
    mutating func isAtEnd() throws(JSONSyntaxError) -> Bool {
        do throws(ParseFault) {
            try skipSpace()
        } catch {
            throw failure(error)
        }
        return start + offset == end
    }

    /// Refuses what follows the value that was read last.
    mutating func expectEnd() throws(JSONSyntaxError) {
        guard try !isAtEnd() else { return }
        throw JSONSyntaxError(.trailingData, offset: originalOffset(of: offset), in: original)
    }

    private mutating func parse() throws(ParseFault) -> JSONNode {
        try skipSpace()
        guard start + offset < end else { throw ParseFault(.empty, at: end) }
        offset = try Grammar(start: start, end: end, options: options).parse(start + offset, onto: tape) - start
        return JSONNode(source: start, tape: UnsafePointer(tape.words), index: Tape.rootIndex)
    }

    private mutating func skipSpace() throws(ParseFault) {
        offset = try Leniencies(options, end).skipSpace(start + offset) - start
    }
}

extension DocumentReading {
    private func isRepairable(_ cause: ParseFault.Cause) -> Bool {
        switch cause {
        case .invalidUTF8: options.leniency.contains(.invalidUTF8)
        case .controlCharacter: options.leniency.contains(.controlCharacters)
        default: false
        }
    }

    /// Goes on in a repaired copy.
    ///
    /// What was read before had no fault, so that its length is the same there.
    private mutating func repair() throws(JSONSyntaxError) {
        guard let bytes = DocumentRepair(original, options.leniency).repaired() else {
            throw JSONSyntaxError(.tooLarge(limit: Tape.maximumLength), offset: original.count, in: original)
        }
        let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count)
        bytes.withUnsafeBufferPointer { copy.update(from: $0.baseAddress ?? start, count: $0.count) }
        repaired = copy
        start = UnsafePointer(copy)
        end = start + bytes.count
    }

    private func originalOffset(of offset: Int) -> Int {
        repaired == nil ? offset : DocumentRepair(original, options.leniency).sourceOffset(of: offset)
    }

    private func failure(_ fault: ParseFault) -> JSONSyntaxError {
        JSONSyntaxError(fault.reason(options), offset: originalOffset(of: fault.cursor - start), in: original)
    }
}
