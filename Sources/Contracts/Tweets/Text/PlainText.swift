/// The plain text of a piece of HTML, and the links in it.
///
/// It reads what sanitizers let through: paragraphs, breaks, lists, links. Whatever else is a tag is left out; what
/// scripts and styles hold is no text.
struct PlainText {
    /// A link: where it leads and where its words stand in the text.
    struct Anchor {
        let target: String
        let range: CodePointRange
    }

    private(set) var text = ""
    private(set) var anchors: [Anchor] = []

    private var scalars = String.UnicodeScalarView()
    private var count = 0
    /// Line breaks that come before the next character, if there is one.
    private var breaks = 0
    private var open: (target: String, start: Int)?

    /// Reads `html`, of any length, in one pass.
    init(html: String) {
        var rest = Substring(html)
        while let character = rest.unicodeScalars.first {
            switch character {
            case "<": rest = readTag(rest)
            case "&": rest = readReference(rest)
            default:
                append(character)
                rest = rest.dropScalar()
            }
        }
        closeAnchor()
        text = String(scalars)
    }

    /// Reads the tag at the start; a `<` without its `>` stands for itself.
    private mutating func readTag(_ rest: Substring) -> Substring {
        if rest.hasPrefix("<!--") { return rest.after("-->") ?? rest[rest.endIndex...] }
        guard let end = rest.firstIndex(of: ">") else {
            append("<")
            return rest.dropScalar()
        }
        let tag = HTMLTag(rest[rest.index(after: rest.startIndex)..<end])
        let after = rest[rest.index(after: end)...]
        switch tag.name {
        case "br": breaks += 1
        case "p", "div", "ul", "ol", "blockquote", "pre", "h1", "h2", "h3", "h4", "h5", "h6": startBlock()
        case "li": if !tag.isEnd { breaks = max(breaks, 1) }
        case "a": tag.isEnd ? closeAnchor() : openAnchor(tag)
        case "script", "style": if !tag.isEnd { return after.after("</\(tag.name)") ?? after[after.endIndex...] }
        default: break
        }
        return after
    }

    /// Paragraphs have an empty line between them.
    private mutating func startBlock() { breaks = max(breaks, 2) }

    private mutating func openAnchor(_ tag: HTMLTag) {
        closeAnchor()
        guard let target = tag.attribute("href") else { return }
        // The line breaks before it are not the link's.
        flushBreaks()
        open = (UnescapedText(target).text, count)
    }

    private mutating func closeAnchor() {
        if let open, count > open.start {
            anchors.append(Anchor(target: open.target, range: CodePointRange(open.start, count)))
        }
        open = nil
    }

    private mutating func readReference(_ rest: Substring) -> Substring {
        let head = rest.utf8.prefix(12)
        guard let reference = CharacterReference(startOf: Array(head)[...]) else {
            append("&")
            return rest.dropScalar()
        }
        append(reference.character)
        return rest[rest.utf8.index(rest.startIndex, offsetBy: reference.length)...]
    }

    private mutating func append(_ character: Unicode.Scalar) {
        // Line breaks of the source are spaces, and those around blocks nothing.
        let isSpace = character == "\n" || character == "\r" || character == "\t"
        if isSpace, breaks > 0 || count == 0 { return }
        flushBreaks()
        scalars.append(isSpace ? " " : character)
        count += 1
    }

    private mutating func flushBreaks() {
        if count > 0 {
            for _ in 0..<breaks { scalars.append("\n") }
            count += breaks
        }
        breaks = 0
    }
}

extension Substring {
    fileprivate func dropScalar() -> Substring { self[unicodeScalars.index(after: startIndex)...] }

    /// What stands behind the first `mark` and, of a tag, behind its end.
    fileprivate func after(_ mark: String) -> Substring? {
        guard let end = firstRange(of: mark)?.upperBound else { return nil }
        if mark.hasSuffix(">") { return self[end...] }
        guard let close = self[end...].firstIndex(of: ">") else { return nil }
        return self[index(after: close)...]
    }
}
