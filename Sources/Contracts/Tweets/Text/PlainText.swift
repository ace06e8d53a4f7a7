/// The plain text of a piece of HTML, and the links in it.
///
/// It reads what sanitizers let through: paragraphs, breaks, lists, links. Whatever else is a tag is left out; what
/// scripts and styles hold is no text.
struct PlainText {
    /// A link: where it leads, its words, what is shown of them, and where they stand in the text.
    struct Anchor {
        let target: String, text: String, shown: String
        let range: CodePointRange
    }

    /// What a span says of its words.
    private enum Span { case plain, invisible, ellipsis }

    /// What of a tag is read: a URL has room in it.
    private static let longestTag = 16 << 10

    private(set) var anchors: [Anchor] = []

    private let html: [UInt8]
    /// The last `>`: behind it, `<` begins no tag.
    private let lastTagEnd: Int
    private var plain: [UInt8] = []
    private var count = 0
    /// Line breaks, or else a space, that come before the next character, if there is one.
    private var breaks = 0, hasSpace = false
    private var preformatted = 0
    private var spans: [Span] = [], invisibleSpans = 0
    private var open: (target: String, start: Int, offset: Int, shown: [UInt8])?

    /// Reads `html`, of any length, in one pass.
    init(html: String) {
        self.html = Array(html.utf8)
        lastTagEnd = self.html.lastIndex(of: UInt8(ascii: ">")) ?? -1
        plain.reserveCapacity(self.html.count)
        var index = 0
        while index < self.html.count { index = readNext(at: index) }
        closeAnchor()
    }

    /// The text.
    var text: String { String(decoding: plain, as: UTF8.self) }

    /// Reads a tag, a reference or a byte, and returns where the next begins.
    private mutating func readNext(at index: Int) -> Int {
        switch html[index] {
        case UInt8(ascii: "<") where beginsTag(at: index): return readTag(at: index)
        case UInt8(ascii: "&"):
            guard let reference = CharacterReference(startOf: html[index...]) else { break }
            startCharacter()
            append(Array(String(reference.character).utf8))
            return index + reference.length
        // Line breaks of the source are spaces, and those around blocks nothing.
        case UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
            if preformatted > 0 { break }
            hasSpace = true
            return index + 1
        case UInt8(ascii: " "): hasSpace = false
        default: break
        }
        if html[index] & 0xC0 != 0x80 { startCharacter() }
        append(CollectionOfOne(html[index]))
        return index + 1
    }

    private func beginsTag(at index: Int) -> Bool {
        guard index < lastTagEnd else { return false }
        switch html[index + 1] {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "/"),
            UInt8(ascii: "!"), UInt8(ascii: "?"):
            return true
        default: return false
        }
    }

    private mutating func readTag(at index: Int) -> Int {
        if html[index...].starts(with: "<!--".utf8) { return end(of: "-->", from: index) ?? html.count }
        guard let close = html[index...].firstIndex(of: UInt8(ascii: ">")) else { return html.count }
        let tag = HTMLTag(String(decoding: html[(index + 1)..<close].prefix(Self.longestTag), as: UTF8.self)[...])
        switch tag.name {
        case "br": breaks += 1
        case "p", "div", "ul", "ol", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6": startBlock()
        case "pre":
            startBlock()
            preformatted = max(0, preformatted + (tag.isEnd ? -1 : 1))
        case "li": if !tag.isEnd { breaks = max(breaks, 1) }
        case "a": tag.isEnd ? closeAnchor() : openAnchor(tag)
        case "span": tag.isEnd ? closeSpan() : openSpan(tag)
        case "script", "style": if !tag.isEnd { return end(of: "</" + tag.name, from: close) ?? html.count }
        default: break
        }
        return close + 1
    }

    /// Where what follows the next `mark` begins, the rest of its tag left out.
    private func end(of mark: String, from start: Int) -> Int? {
        let mark = Array(mark.utf8)
        guard html.count - start >= mark.count else { return nil }
        for index in start...(html.count - mark.count)
        where html[index] == mark[0]
            && zip(mark, html[index...]).allSatisfy({ $0 == $1 || 0x41...0x5A ~= $1 && $0 == $1 | 0x20 })
        {
            let last = index + mark.count - 1
            return html[last...].firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 }
        }
        return nil
    }

    /// Paragraphs have an empty line between them.
    private mutating func startBlock() { breaks = max(breaks, 2) }

    private mutating func openAnchor(_ tag: HTMLTag) {
        closeAnchor()
        guard let target = tag.attribute("href") else { return }
        // What comes before the next character is not the link's.
        flush()
        open = (UnescapedText(target).text, count, plain.count, [])
    }

    private mutating func closeAnchor() {
        if let open, count > open.start {
            anchors.append(
                Anchor(
                    target: open.target, text: String(decoding: plain[open.offset...], as: UTF8.self),
                    shown: String(decoding: open.shown, as: UTF8.self), range: CodePointRange(open.start, count)))
        }
        open = nil
    }

    /// Long links are shown without their beginning and, by an ellipsis, without their end.
    private mutating func openSpan(_ tag: HTMLTag) {
        let classes = tag.attribute("class")?.split(separator: " ") ?? []
        let span: Span = classes.contains("invisible") ? .invisible : classes.contains("ellipsis") ? .ellipsis : .plain
        if span == .invisible { invisibleSpans += 1 }
        spans.append(span)
    }

    private mutating func closeSpan() {
        switch spans.popLast() {
        case .invisible: invisibleSpans -= 1
        case .ellipsis: if invisibleSpans == 0 { open?.shown += Array("…".utf8) }
        case .plain, nil: break
        }
    }

    private mutating func startCharacter() {
        flush()
        count += 1
    }

    private mutating func append(_ bytes: some Collection<UInt8>) {
        plain += bytes
        if invisibleSpans == 0 { open?.shown += bytes }
    }

    private mutating func flush() {
        guard breaks > 0 || hasSpace else { return }
        if count > 0 {
            let space = breaks > 0 ? [UInt8](repeating: UInt8(ascii: "\n"), count: breaks) : hasSpace ? [0x20] : []
            append(space)
            count += space.count
        }
        breaks = 0
        hasSpace = false
    }
}
