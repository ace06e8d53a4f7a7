/// The repairs of a document's text, which are made before its values are read.
package struct TextRepairs: Sendable {
    /// The fault that a repair mends.
    enum Kind {
        case controlCharacter, surrogatePair, invalidSequence
    }

    /// Whether a byte order mark was read over.
    package internal(set) var hasByteOrderMark = false
    /// The number of NaN and infinities, which read as null.
    package internal(set) var nonFiniteNumbers = 0
    /// The number of characters above U+FFFF whose surrogates were each written as UTF-8 (CESU-8).
    package private(set) var surrogatePairs = 0
    /// The number of control characters that should have been escaped.
    package private(set) var controlCharacters = 0
    /// The number of ill-formed sequences that U+FFFD replaces.
    package private(set) var invalidSequences = 0

    mutating func note(_ kind: Kind) {
        switch kind {
        case .controlCharacter: controlCharacters += 1
        case .surrogatePair: surrogatePairs += 1
        case .invalidSequence: invalidSequences += 1
        }
    }
}

/// A copy of a document with repaired strings: ill-formed UTF-8 is replaced and control characters are escaped.
///
/// The parser then reads a document without those faults, so strings stay slices of its text.
///
/// Unsafe: moves a pointer along the document and compares it with the end before each read.
struct DocumentRepair {
    typealias Cursor = UnsafePointer<UInt8>

    private let source: UnsafeBufferPointer<UInt8>
    private let leniency: JSONLeniency

    init(_ source: UnsafeBufferPointer<UInt8>, _ leniency: JSONLeniency) {
        self.source = source
        self.leniency = leniency
    }

    /// Returns the repaired document, which the caller frees, or nil if it is longer than a tape can address.
    ///
    /// The first of two passes counts its bytes, because bad bytes can make it three times as long as the document.
    func repaired(_ repairs: inout TextRepairs) -> UnsafeMutableBufferPointer<UInt8>? {
        var count = 0
        walk { _, piece in
            count += piece.count
            return true
        }
        guard count <= Tape.maximumLength else { return nil }
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: count)
        var end = 0
        walk(noting: &repairs) { _, piece in
            end = copy[end...].update(fromContentsOf: piece)
            return true
        }
        return copy
    }

    /// Returns the offset in the source of the text at `offset` in the repaired document.
    func sourceOffset(of offset: Int) -> Int {
        var made = 0
        var found = source.count
        walk { start, piece in
            if offset < made + piece.count {
                found = start + (offset - made)
                return false
            }
            made += piece.count
            return true
        }
        return min(found, source.count)
    }

    /// Passes the repaired document to `take` in pieces, with the offset of each in the source, until `take` returns
    /// false.
    private func walk(_ take: (Int, UnsafeBufferPointer<UInt8>) -> Bool) {
        var repairs = TextRepairs()
        walk(noting: &repairs, take)
    }

    /// Does the same, and counts the faults.
    private func walk(noting repairs: inout TextRepairs, _ take: (Int, UnsafeBufferPointer<UInt8>) -> Bool) {
        guard let base = source.baseAddress else { return }
        let end = base + source.count
        var copied = base
        var cursor = base
        var isInString = false
        func pass(to stop: Cursor) -> Bool {
            defer { copied = stop }
            return stop == copied || take(copied - base, UnsafeBufferPointer(start: copied, count: stop - copied))
        }
        while cursor < end {
            guard isInString, let fault = fault(at: cursor, end) else {
                cursor = next(cursor, end, &isInString)
                continue
            }
            guard pass(to: cursor), fault.replacement.withUnsafeBufferPointer({ take(cursor - base, $0) }) else {
                return
            }
            repairs.note(fault.kind)
            cursor += fault.length
            copied = cursor
        }
        _ = pass(to: end)
    }

    private typealias Fault = (length: Int, replacement: [UInt8], kind: TextRepairs.Kind)

    /// Returns the fault at `cursor` inside a string, or nil if there is none.
    private func fault(at cursor: Cursor, _ end: Cursor) -> Fault? {
        let byte = cursor.pointee
        if byte < 0x20, leniency.contains(.controlCharacters) {
            return (1, JSONWriter.escape(of: byte), .controlCharacter)
        }
        guard byte >= 0x80, leniency.contains(.invalidUTF8) else { return nil }
        let (length, isWhole) = UTF8Sequence.subpart(at: cursor, end)
        if isWhole { return nil }
        if let character = UTF8Sequence.surrogatePair(at: cursor, end) {
            return (6, Array(String(character).utf8), .surrogatePair)
        }
        return (length, [0xEF, 0xBF, 0xBD], .invalidSequence)
    }

    /// Returns the end of the character, escape or comment at `cursor`, which has no fault.
    private func next(_ cursor: Cursor, _ end: Cursor, _ isInString: inout Bool) -> Cursor {
        switch cursor.pointee {
        case UInt8(ascii: "\""): isInString.toggle()
        case UInt8(ascii: "\\") where isInString:
            // A control character behind a backslash is an invalid escape, which stays an error.
            return cursor + 1 < end ? cursor + 2 : end
        case UInt8(ascii: "/") where !isInString && leniency.contains(.comments):
            return Leniencies.endOfComment(at: cursor, end) ?? end
        case 0x80... where isInString: return cursor + max(1, UTF8Sequence.length(at: cursor, end))
        default: break
        }
        return cursor + 1
    }
}
