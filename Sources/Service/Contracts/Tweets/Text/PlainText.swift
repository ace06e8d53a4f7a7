import JSONText

/// Reads HTML from left to right and writes its plain text.
///
/// A struct that stores a span needs an experimental feature, so every call passes the HTML.
struct HTMLReader: ~Copyable {
    /// How the text of a `span` is displayed: Mastodon hides the start and the end of long links.
    private enum SpanStyle { case plain, invisible, ellipsis }

    /// The part of a tag that is read, which suffices for a long URL.
    private static let maximumTagLength = 16 << 10

    private(set) var anchors: [PlainText.Anchor] = []

    /// Elements of this class are removed with their content.
    private let removedClass: StaticString?
    /// The element that is being removed, and how many of its kind are open.
    private var removed: (element: HTMLElement, depth: Int)?
    /// The offset of the last `>`; no tag starts after it.
    private var lastTagEnd = -1
    /// The offset up to which quotes do not count, because a quote before it is not closed.
    private var unpairedQuotesEnd = 0
    private var plain: JSONWriter
    /// The number of code points in the bytes of `plain` that have been counted.
    private var codePoints = 0, countedBytes = 0
    /// Line breaks, or else a space, to insert before the next character, if there is one.
    private var pendingBreaks = 0, hasPendingSpace = false
    private var preformattedLevel = 0
    private var spans: [SpanStyle] = [], invisibleSpans = 0
    private var openAnchor: (target: String, sign: String, start: Int, offset: Int)?
    /// What is displayed of the open link.
    private var displayText = JSONWriter(capacity: 0)

    init(ofBytes count: Int, removing removedClass: StaticString?) {
        self.removedClass = removedClass
        plain = JSONWriter(capacity: count)
    }

    /// The text so far.
    var text: String { plain.text(from: 0) }

    mutating func read(_ html: Span<UInt8>) {
        lastTagEnd = html.indices.last { html[$0] == UInt8(ascii: ">") } ?? -1
        var index = 0
        while index < html.count { index = readNext(html, at: index) }
        endAnchor()
    }

    /// Reads a tag, a character reference or the bytes up to the next one, and returns the offset after it.
    private mutating func readNext(_ html: Span<UInt8>, at index: Int) -> Int {
        switch html[index] {
        case UInt8(ascii: "<") where isTagStart(html, at: index): return readTag(html, at: index)
        case _ where removed != nil: return index + 1
        case UInt8(ascii: "&"):
            guard let reference = CharacterReference(in: html, at: index) else { break }
            insertPendingSpace()
            for byte in reference.character.utf8 { append(byte) }
            return index + reference.length
        // A line break of the source counts as a space, or as nothing beside a block. At the edge of an element, the
        // indentation around is part of the line break.
        case UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
            if preformattedLevel > 0 { break }
            var end = Self.endOfSpace(html, at: index)
            let isAtEdge = isAtStart || hasPendingSpace || end == html.count || html[end] == UInt8(ascii: "<")
            hasPendingSpace = true
            while !isAtEdge, html[end - 1] == UInt8(ascii: " ") { end -= 1 }
            return end
        case UInt8(ascii: " ") where preformattedLevel == 0:
            let end = Self.endOfSpace(html, at: index)
            if isAtStart, end == html.count || html[end] == UInt8(ascii: "<") { return end }
            hasPendingSpace = false
        case UInt8(ascii: " "): hasPendingSpace = false
        default: break
        }
        return readRun(html, at: index)
    }

    /// Reads a byte and all that follow it and need no decision, and returns the offset after them.
    private mutating func readRun(_ html: Span<UInt8>, at start: Int) -> Int {
        var end = start + 1
        while end < html.count, !Self.endsRun(html[end]) { end += 1 }
        var textEnd = end
        // Spaces before a line break of the source are one with it.
        if preformattedLevel == 0, end < html.count, html[end].isASCIISpace {
            while textEnd > start, html[textEnd - 1] == UInt8(ascii: " ") { textEnd -= 1 }
        }
        if textEnd > start {
            insertPendingSpace()
            append(html.extracting(start..<textEnd))
        }
        return end
    }

    /// Whether nothing was written since the last block began or ended.
    private var isAtStart: Bool { pendingBreaks > 0 || plain.count == 0 }

    private static func endOfSpace(_ html: Span<UInt8>, at start: Int) -> Int {
        var end = start + 1
        while end < html.count, html[end].isASCIISpace { end += 1 }
        return end
    }

    /// Nearly all bytes of a text are above `<`, and take one comparison.
    @inline(__always)
    private static func endsRun(_ byte: UInt8) -> Bool {
        byte <= UInt8(ascii: "<")
            && (byte == UInt8(ascii: "<") || byte == UInt8(ascii: "&") || byte == UInt8(ascii: "\n")
                || byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\t"))
    }

    private func isTagStart(_ html: Span<UInt8>, at index: Int) -> Bool {
        guard index < lastTagEnd else { return false }
        let next = html[index + 1]
        return next.isASCIILetter || next == UInt8(ascii: "/") || next == UInt8(ascii: "!") || next == UInt8(ascii: "?")
    }

    private mutating func readTag(_ html: Span<UInt8>, at index: Int) -> Int {
        if html.holds("<!--", at: index) { return Self.end(of: "-->", in: html, from: index) ?? html.count }
        guard let close = endOfTag(html, at: index) else { return html.count }
        let text = html.extracting((index + 1)..<min(close, index + 1 + Self.maximumTagLength))
        let tag = HTMLTag(text)
        if removes(tag, text) { return close + 1 }
        switch tag.element {
        case .lineBreak: pendingBreaks += 1
        case .span: tag.isEnd ? endSpan() : startSpan(tag, text)
        case .anchor: tag.isEnd ? endAnchor() : startAnchor(tag, text)
        // Blocks are separated by an empty line.
        case .paragraph, .division, .block: pendingBreaks = max(pendingBreaks, 2)
        case .preformatted:
            pendingBreaks = max(pendingBreaks, 2)
            preformattedLevel = max(0, preformattedLevel + (tag.isEnd ? -1 : 1))
        case .line: pendingBreaks = max(pendingBreaks, 1)
        case .cell: hasPendingSpace = true
        case .image: readImage(tag, text)
        case .script: if !tag.isEnd { return Self.end(of: "</script", in: html, from: close) ?? html.count }
        case .style: if !tag.isEnd { return Self.end(of: "</style", in: html, from: close) ?? html.count }
        case .other: break
        }
        return close + 1
    }

    /// Returns the offset of the `>` that ends a tag: the first one outside of quoted values.
    ///
    /// If a quote is not closed, or no white space, `/` or `>` follows the closing one, the first `>` of all ends the tag.
    /// Quotes up to there do not count for other tags either, so that no part of the HTML is searched twice.
    private mutating func endOfTag(_ html: Span<UInt8>, at start: Int) -> Int? {
        guard start >= unpairedQuotesEnd else { return html.firstIndex(of: UInt8(ascii: ">"), from: start) }
        var index = start, isBeforeValue = false
        while index < html.count {
            switch html[index] {
            case UInt8(ascii: ">"): return index
            case UInt8(ascii: "="): isBeforeValue = true
            case let quote where isBeforeValue && (quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")):
                index = html.firstIndex(of: quote, from: index + 1) ?? html.count
                let next = index + 1 < html.count ? html[index + 1] : 0
                isBeforeValue = false
                if next.isASCIISpace || next == UInt8(ascii: "/") || next == UInt8(ascii: ">") { break }
                unpairedQuotesEnd = index
                return html.firstIndex(of: UInt8(ascii: ">"), from: start)
            case let byte: isBeforeValue = isBeforeValue && byte.isASCIISpace
            }
            index += 1
        }
        unpairedQuotesEnd = html.count
        return html.firstIndex(of: UInt8(ascii: ">"), from: start)
    }

    /// Writes the text that stands for an image, on one line.
    private mutating func readImage(_ tag: HTMLTag, _ text: Span<UInt8>) {
        guard let alternative = tag.attribute("alt", text), !alternative.isEmpty else { return }
        insertPendingSpace()
        let words = UnescapedText(String(repairing: text.extracting(alternative))).text
        append(words.split(whereSeparator: \.isNewline).joined(separator: " ").utf8.span)
    }

    /// Returns whether a tag belongs to an element that is removed.
    private mutating func removes(_ tag: HTMLTag, _ text: Span<UInt8>) -> Bool {
        guard let removedClass else { return false }
        if let (element, depth) = removed {
            guard tag.element == element else { return true }
            let left = depth + (tag.isEnd ? -1 : 1)
            removed = left > 0 ? (element: element, depth: left) : nil
            return true
        }
        guard !tag.isEnd, tag.element == .paragraph || tag.element == .division || tag.element == .span,
            tag.hasClass(removedClass, text)
        else { return false }
        if tag.element != .span { pendingBreaks = max(pendingBreaks, 2) }
        removed = (tag.element, 1)
        return true
    }

    /// Returns the offset after the tag that contains the next `mark`, in either case.
    private static func end(of mark: StaticString, in html: Span<UInt8>, from start: Int) -> Int? {
        for index in start..<html.count where html.holds(mark, at: index, ignoringCase: true) {
            return html.firstIndex(of: UInt8(ascii: ">"), from: index + mark.utf8CodeUnitCount - 1).map { $0 + 1 }
        }
        return nil
    }

    private mutating func startAnchor(_ tag: HTMLTag, _ text: Span<UInt8>) {
        endAnchor()
        guard let target = tag.attribute("href", text), target.contains(where: { !text[$0].isASCIISpace }) else {
            return
        }
        // Pending space belongs to the text before the link.
        insertPendingSpace()
        openAnchor = (
            UnescapedText(String(repairing: text.extracting(target))).text, lastSign, countCodePoints(), plain.count
        )
        displayText.reset()
    }

    private mutating func endAnchor() {
        if let anchor = openAnchor, plain.count > anchor.offset {
            anchors.append(
                PlainText.Anchor(
                    target: anchor.target, text: plain.text(from: anchor.offset),
                    displayText: displayText.text(from: 0),
                    range: CodePointRange(anchor.start, countCodePoints()), sign: anchor.sign))
        }
        openAnchor = nil
    }

    /// The sign at the end of the text, or nothing.
    private var lastSign: String {
        switch plain.withBytes(\.last) {
        case UInt8(ascii: "#"): "#"
        case UInt8(ascii: "@"): "@"
        default: ""
        }
    }

    /// Returns the number of code points in the text; only the positions of links need it.
    private mutating func countCodePoints() -> Int {
        let start = countedBytes
        codePoints += plain.withBytes { bytes in
            var count = 0
            for index in start..<bytes.count where bytes[index] & 0xC0 != 0x80 { count += 1 }
            return count
        }
        countedBytes = plain.count
        return codePoints
    }

    private mutating func startSpan(_ tag: HTMLTag, _ text: Span<UInt8>) {
        let style: SpanStyle =
            tag.hasClass("invisible", text) ? .invisible : tag.hasClass("ellipsis", text) ? .ellipsis : .plain
        if style == .invisible { invisibleSpans += 1 }
        spans.append(style)
    }

    private mutating func endSpan() {
        switch spans.popLast() {
        case .invisible: invisibleSpans -= 1
        case .ellipsis: if displays { displayText.write(raw: "…") }
        case .plain, nil: break
        }
    }

    /// Whether text is displayed as that of a link.
    private var displays: Bool { openAnchor != nil && invisibleSpans == 0 }

    private mutating func append(_ bytes: Span<UInt8>) {
        plain.write(raw: bytes)
        if displays { displayText.write(raw: bytes) }
    }

    private mutating func append(_ byte: UInt8) {
        plain.write(byte: byte)
        if displays { displayText.write(byte: byte) }
    }

    private mutating func insertPendingSpace() {
        guard pendingBreaks > 0 || hasPendingSpace else { return }
        if plain.count > 0 {
            for _ in 0..<pendingBreaks { append(UInt8(ascii: "\n")) }
            if pendingBreaks == 0, plain.withBytes(\.last) != UInt8(ascii: " ") { append(UInt8(ascii: " ")) }
        }
        pendingBreaks = 0
        hasPendingSpace = false
    }
}

/// The plain text of an HTML fragment, and the links in it.
///
/// Blocks are separated by an empty line, rows of tables and items of lists by a line break, cells by a space; the text
/// of an image stands for the image. Other tags are removed, scripts and styles with their content.
struct PlainText {
    /// A link: its address, its text, the displayed part of the text, and the position of the text.
    struct Anchor {
        let target: String, text: String, displayText: String
        let range: CodePointRange
        /// The sign `#` or `@` in the text immediately before the link, or nothing: some servers link the word alone.
        let sign: String

        var textWithSign: String { sign + text }
        var rangeWithSign: CodePointRange { CodePointRange(range.start - sign.utf8.count, range.end) }
    }

    /// The text without tags, its character references resolved.
    let text: String
    let anchors: [Anchor]

    /// Reads `html`; elements of the class `removedClass` are removed with their content.
    init(html: String, removing removedClass: StaticString? = nil) {
        var reader = HTMLReader(ofBytes: html.utf8.count, removing: removedClass)
        reader.read(html.utf8.span)
        text = reader.text
        anchors = reader.anchors
    }
}
