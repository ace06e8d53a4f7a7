/// The plain text of an HTML fragment, and the links in it.
///
/// It renders the elements that Mastodon's sanitizer keeps: paragraphs, line breaks, lists and links. Other tags are
/// removed, scripts and styles with their content.
struct PlainText {
    /// A link: its address, its text, the displayed part of the text, and the position of the text.
    struct Anchor {
        let target: String, text: String, displayText: String
        let range: CodePointRange
    }

    /// How the text of a `span` is displayed: Mastodon hides the start and the end of long links.
    private enum SpanStyle { case plain, invisible, ellipsis }

    /// The part of a tag that is read, which suffices for a long URL.
    private static let maximumTagLength = 16 << 10

    private(set) var anchors: [Anchor] = []

    private let html: [UInt8]
    /// Elements of this class are removed with their content.
    private let removedClass: String?
    /// The name of the element that is being removed, and how many of that name are open.
    private var removed: (name: String, depth: Int)?
    /// The offset of the last `>`; no tag starts after it.
    private let lastTagEnd: Int
    private var plain: [UInt8] = []
    /// The text without tags, its character references resolved.
    private(set) var text = ""
    private var codePoints = 0
    /// Line breaks, or else a space, to insert before the next character, if there is one.
    private var pendingBreaks = 0, hasPendingSpace = false
    private var preformattedLevel = 0
    private var spans: [SpanStyle] = [], invisibleSpans = 0
    private var openAnchor: (target: String, start: Int, offset: Int, displayText: [UInt8])?

    init(html: String, removing removedClass: String? = nil) {
        self.html = Array(html.utf8)
        self.removedClass = removedClass
        lastTagEnd = self.html.lastIndex(of: UInt8(ascii: ">")) ?? -1
        plain.reserveCapacity(self.html.count)
        var index = 0
        while index < self.html.count { index = readNext(at: index) }
        endAnchor()
        text = String(decoding: plain, as: UTF8.self)
    }

    /// Reads a tag, a character reference or the bytes up to the next one, and returns the offset after it.
    private mutating func readNext(at index: Int) -> Int {
        switch html[index] {
        case UInt8(ascii: "<") where isTagStart(at: index): return readTag(at: index)
        case _ where removed != nil: return index + 1
        case UInt8(ascii: "&"):
            guard let reference = CharacterReference(startOf: html[index...]) else { break }
            insertPendingSpace()
            codePoints += 1
            append(String(reference.character).utf8)
            return index + reference.length
        // A line break of the source counts as a space, or as nothing beside a block.
        case UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
            if preformattedLevel > 0 { break }
            hasPendingSpace = true
            return index + 1
        case UInt8(ascii: " "): hasPendingSpace = false
        default: break
        }
        return readRun(at: index)
    }

    /// Reads a byte and all that follow it and need no decision, and returns the offset after them.
    private mutating func readRun(at start: Int) -> Int {
        insertPendingSpace()
        var end = start
        repeat {
            if html[end] & 0xC0 != 0x80 { codePoints += 1 }
            end += 1
        } while end < html.count && !Self.endsRun(html[end])
        append(html[start..<end])
        return end
    }

    private static func endsRun(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "<") || byte == UInt8(ascii: "&")
            || byte < 0x20 && (byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\t"))
    }

    private func isTagStart(at index: Int) -> Bool {
        guard index < lastTagEnd else { return false }
        let next = html[index + 1]
        return next.isASCIILetter || next == UInt8(ascii: "/") || next == UInt8(ascii: "!") || next == UInt8(ascii: "?")
    }

    private mutating func readTag(at index: Int) -> Int {
        if html[index + 1] == UInt8(ascii: "!"), html[index...].starts(with: "<!--".utf8) {
            return end(of: "-->", from: index) ?? html.count
        }
        guard let close = html[index...].firstIndex(of: UInt8(ascii: ">")) else { return html.count }
        let tag = HTMLTag(html[(index + 1)..<close].prefix(Self.maximumTagLength))
        if removes(tag) { return close + 1 }
        switch tag.name {
        case "br": pendingBreaks += 1
        case "span": tag.isEnd ? endSpan() : startSpan(tag)
        case "a": tag.isEnd ? endAnchor() : startAnchor(tag)
        // Blocks are separated by an empty line.
        case "p", "div", "ul", "ol", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6":
            pendingBreaks = max(pendingBreaks, 2)
        case "pre":
            pendingBreaks = max(pendingBreaks, 2)
            preformattedLevel = max(0, preformattedLevel + (tag.isEnd ? -1 : 1))
        case "li": if !tag.isEnd { pendingBreaks = max(pendingBreaks, 1) }
        case "script", "style": if !tag.isEnd { return end(of: "</" + tag.name, from: close) ?? html.count }
        default: break
        }
        return close + 1
    }

    /// Returns whether a tag belongs to an element that is removed.
    private mutating func removes(_ tag: HTMLTag) -> Bool {
        guard let removedClass else { return false }
        if let (name, depth) = removed {
            guard tag.name == name else { return true }
            let left = depth + (tag.isEnd ? -1 : 1)
            removed = left > 0 ? (name: name, depth: left) : nil
            return true
        }
        guard !tag.isEnd, ["p", "div", "span"].contains(tag.name),
            tag.classes.contains(where: { $0.elementsEqual(removedClass.utf8) })
        else { return false }
        if tag.name != "span" { pendingBreaks = max(pendingBreaks, 2) }
        removed = (tag.name, 1)
        return true
    }

    /// Returns the offset after the tag that contains the next `mark`, in either case.
    private func end(of mark: String, from start: Int) -> Int? {
        for index in html.indices[start...]
        where html[index...].starts(with: mark.utf8, by: { $0 == $1 || 0x41...0x5A ~= $0 && $0 | 0x20 == $1 }) {
            return html[(index + mark.utf8.count - 1)...].firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 }
        }
        return nil
    }

    private mutating func startAnchor(_ tag: HTMLTag) {
        endAnchor()
        guard let target = tag.attribute("href") else { return }
        // Pending space belongs to the text before the link.
        insertPendingSpace()
        openAnchor = (
            UnescapedText(String(decoding: target, as: UTF8.self)).text, codePoints, plain.count, []
        )
    }

    private mutating func endAnchor() {
        if let anchor = openAnchor, codePoints > anchor.start {
            anchors.append(
                Anchor(
                    target: anchor.target, text: String(decoding: plain[anchor.offset...], as: UTF8.self),
                    displayText: String(decoding: anchor.displayText, as: UTF8.self),
                    range: CodePointRange(anchor.start, codePoints)))
        }
        openAnchor = nil
    }

    private mutating func startSpan(_ tag: HTMLTag) {
        let classes = tag.classes
        if classes.isEmpty { return spans.append(.plain) }
        func has(_ name: String) -> Bool { classes.contains { $0.elementsEqual(name.utf8) } }
        let style: SpanStyle = has("invisible") ? .invisible : has("ellipsis") ? .ellipsis : .plain
        if style == .invisible { invisibleSpans += 1 }
        spans.append(style)
    }

    private mutating func endSpan() {
        switch spans.popLast() {
        case .invisible: invisibleSpans -= 1
        case .ellipsis: if invisibleSpans == 0 { openAnchor?.displayText += "…".utf8 }
        case .plain, nil: break
        }
    }

    private mutating func append(_ bytes: some Collection<UInt8>) {
        plain += bytes
        if invisibleSpans == 0 { openAnchor?.displayText += bytes }
    }

    private mutating func insertPendingSpace() {
        guard pendingBreaks > 0 || hasPendingSpace else { return }
        if codePoints > 0 {
            let space = pendingBreaks > 0 ? [UInt8](repeating: UInt8(ascii: "\n"), count: pendingBreaks) : [0x20]
            append(space)
            codePoints += space.count
        }
        pendingBreaks = 0
        hasPendingSpace = false
    }
}

/// The text between `<` and `>`.
private struct HTMLTag {
    /// The name in lower case, without the slash of an end tag.
    let name: String
    let isEnd: Bool
    /// What follows the name.
    private let rest: ArraySlice<UInt8>

    init(_ text: ArraySlice<UInt8>) {
        isEnd = text.first == UInt8(ascii: "/")
        let text = isEnd ? text.dropFirst() : text
        let bytes = text.prefix { $0.isASCIILetter || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        let isLower = bytes.allSatisfy { !(UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0) }
        let name = String(decoding: bytes, as: UTF8.self)
        self.name = isLower ? name : name.lowercased()
        rest = text[bytes.endIndex...]
    }

    /// The words of the attribute `class`.
    var classes: [ArraySlice<UInt8>] { attribute("class")?.split(separator: UInt8(ascii: " ")) ?? [] }

    /// Returns the value of an attribute, whose name is in lower case; nil if the tag does not have it.
    func attribute(_ name: String) -> ArraySlice<UInt8>? {
        var rest = rest
        while let start = rest.firstIndex(where: { !$0.isASCIISpace && $0 != UInt8(ascii: "/") }) {
            rest = rest[start...]
            let key = rest.prefix { !$0.isASCIISpace && $0 != UInt8(ascii: "=") }
            rest = rest.dropFirst(max(key.count, 1)).drop(while: \.isASCIISpace)
            guard rest.first == UInt8(ascii: "=") else { continue }
            rest = rest.dropFirst().drop(while: \.isASCIISpace)
            let quote = rest.first.flatMap { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") ? $0 : nil }
            if quote != nil { rest = rest.dropFirst() }
            let value = rest.prefix { quote == nil ? !$0.isASCIISpace : $0 != quote }
            if key.elementsEqual(name.utf8, by: { ($0.isASCIILetter ? $0 | 0x20 : $0) == $1 }) { return value }
            rest = rest.dropFirst(value.count + (quote == nil ? 0 : 1))
        }
        return nil
    }
}

extension UInt8 {
    fileprivate var isASCIILetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20 }
    fileprivate var isASCIISpace: Bool { self == 0x20 || 0x09...0x0D ~= self }
}
