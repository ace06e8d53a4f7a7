/// The tags of HTML in a document, which may be within a text: Mastodon hides parts of long links.
///
/// A tag ends where `HTMLReader` ends it: at the next `>`, a comment at `-->`, a script and a style after their content. In
/// JSON it is within one string, which may escape its characters. No byte is read more than a few times: a document of
/// 1 MB takes at most 20 ms, whatever tags it has.
struct Markup {
    /// What ends a tag.
    private enum Mark: Int {
        case tag, comment, script, style

        /// The texts in lower case.
        static let texts = [">", "-->", "</script", "</style"].map { Array($0.utf8) }
    }

    /// Whether the bytes are JSON.
    let isJSON: Bool
    private static let commentStart = Array("!--".utf8)

    /// The latest runs of tags, in order: each tag ends with the run in which it begins.
    private var runs: [Range<Int>] = []
    /// The runs that are remembered; a key that tags divide has one for each of its characters at most.
    private static let maximumRuns = 4096
    /// For each mark, places from which on the rest of their string does not have it.
    private var absences = InlineArray<4, Range<Int>>(repeating: 0..<0)

    /// The tags of JSON, or of a text.
    init(isJSON: Bool) { self.isJSON = isJSON }

    /// Returns the index after the tags that begin at `index`, where another character follows; nil if there is none.
    mutating func end(in bytes: Span<UInt8>, at index: Int) -> Int? {
        guard Self.nameStart(bytes, index) != nil else { return nil }
        let place = place(of: index)
        if place < runs.count, runs[place].contains(index) {
            let end = runs[place].upperBound
            return end < bytes.count ? end : nil
        }
        var end = index
        while let next = endOfTag(bytes, end) { end = next }
        guard end > index else { return nil }
        // Those that begin in it end with it.
        var next = place
        while next < runs.count, runs[next].lowerBound < end { next += 1 }
        runs.replaceSubrange(place..<next, with: CollectionOfOne(index..<end))
        if runs.count > Self.maximumRuns { runs.removeFirst(Self.maximumRuns / 2) }
        return end < bytes.count ? end : nil
    }

    /// Returns the place of the first run that ends after `index`.
    private func place(of index: Int) -> Int {
        // Mostly it is the last one, or a new one.
        if let last = runs.last, last.upperBound <= index { return runs.count }
        var (low, high) = (0, runs.count)
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].upperBound > index { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// Returns the index after the `<` of a tag or a comment, and the character there; nil if there is none.
    @inline(__always)
    private static func nameStart(_ bytes: Span<UInt8>, _ index: Int) -> (index: Int, first: UInt8)? {
        guard index < bytes.count, bytes[index] == UInt8(ascii: "<") || bytes[index] == UInt8(ascii: "\\") else {
            return nil
        }
        let (byte, start) = character(bytes, index)
        guard byte == UInt8(ascii: "<"), start < bytes.count else { return nil }
        let first = character(bytes, start).byte
        switch Unicode.Scalar(first) {
        case "a"..."z", "A"..."Z", "/", "!", "?": return (start, first)
        default: return nil
        }
    }

    private mutating func endOfTag(_ bytes: Span<UInt8>, _ index: Int) -> Int? {
        guard let (start, first) = Self.nameStart(bytes, index) else { return nil }
        // What does not end counts as a tag.
        if first == UInt8(ascii: "!"), Self.end(of: Self.commentStart, bytes, at: start) != nil,
            let end = find(.comment, bytes, from: start)
        {
            return end
        }
        guard let end = find(.tag, bytes, from: start) else { return nil }
        guard first | 0x20 == UInt8(ascii: "s") else { return end }
        for mark in [Mark.script, .style] where Self.isName(Mark.texts[mark.rawValue].dropFirst(2), bytes, at: start) {
            return find(mark, bytes, from: end) ?? end
        }
        return end
    }

    /// Returns the index after the next mark in the same string, and after the tag that it begins.
    private mutating func find(_ mark: Mark, _ bytes: Span<UInt8>, from start: Int) -> Int? {
        if absences[mark.rawValue].contains(start) { return nil }
        let text = Mark.texts[mark.rawValue]
        let first = text[0]
        var index = start
        while index < bytes.count {
            let (byte, next) = Self.character(bytes, index)
            // The end of the string.
            if isJSON, byte == UInt8(ascii: "\""), next == index + 1 { break }
            if byte == first {
                if mark == .tag { return next }
                if let end = Self.end(of: text, bytes, at: index) {
                    if mark == .comment { return end }
                    if let close = find(.tag, bytes, from: end) { return close }
                }
            }
            index = next
        }
        absences[mark.rawValue] = start..<(index + 1)
        return nil
    }

    /// Whether the name of the element that begins at `start` is `name`.
    private static func isName(_ name: ArraySlice<UInt8>, _ bytes: Span<UInt8>, at start: Int) -> Bool {
        guard let end = end(of: name, bytes, at: start), end < bytes.count else { return false }
        switch Unicode.Scalar(character(bytes, end).byte) {
        case "a"..."z", "A"..."Z", "0"..."9": return false
        default: return true
        }
    }

    /// Returns the index after `text`, which is in lower case, if it is at `start` in either case.
    private static func end(of text: some Collection<UInt8>, _ bytes: Span<UInt8>, at start: Int) -> Int? {
        var index = start
        for expected in text {
            guard index < bytes.count else { return nil }
            let (byte, next) = character(bytes, index)
            guard (0x41...0x5A ~= byte ? byte | 0x20 : byte) == expected else { return nil }
            index = next
        }
        return index
    }

    /// Returns the character at `index` of a string of JSON, and its end.
    @inline(__always)
    private static func character(_ bytes: Span<UInt8>, _ index: Int) -> (byte: UInt8, end: Int) {
        let byte = bytes[index]
        return byte == UInt8(ascii: "\\") ? EncodedByte.character(bytes, index, strings: 1) : (byte, index + 1)
    }
}
