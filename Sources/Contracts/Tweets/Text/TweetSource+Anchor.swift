extension TweetSource {
    /// The program that a link names, `<a href="http://example.com" rel="nofollow">Name</a>`, or a text without one.
    ///
    /// Some answers escape the link like a text.
    init(anchor text: String) {
        self.init()
        if let (name, url) = Self.plainLink(text) {
            self.name = name
            self.url = url
            return
        }
        let plain = PlainText(html: text.hasPrefix("&lt;a ") ? UnescapedText(text).text : text)
        name = plain.text
        url = plain.anchors.first?.target
    }

    private static let start: StaticString = "<a href=\"", end: StaticString = "</a>"

    /// The name and the address of a link that is as Twitter writes it, with nothing in it to be resolved: nearly all are.
    private static func plainLink(_ text: String) -> (name: String, url: String)? {
        let bytes = text.utf8.span
        let urlStart = start.utf8CodeUnitCount, nameEnd = bytes.count - end.utf8CodeUnitCount
        guard urlStart < nameEnd, bytes.holds(start, at: 0), bytes.holds(end, at: nameEnd) else { return nil }
        let rest = bytes.extracting(urlStart..<nameEnd)
        guard let urlLength = rest.firstIndex(of: UInt8(ascii: "\"")),
            let tagEnd = rest.firstIndex(of: UInt8(ascii: ">")),
            urlLength < tagEnd, tagEnd + 1 < rest.count
        else { return nil }
        let tag = rest.extracting(..<tagEnd), name = rest.extracting((tagEnd + 1)...)
        guard tag.isPlain, tag.isASCII, name.isPlain else { return nil }
        // Cut beside characters of ASCII, each part is valid UTF-8 as the whole is.
        return (
            String(copying: UTF8Span(unchecked: name)),
            String(copying: UTF8Span(unchecked: tag.extracting(..<urlLength)))
        )
    }
}

extension Span<UInt8> {
    /// Whether nothing in it begins a tag or a character reference, or controls anything.
    fileprivate var isPlain: Bool {
        // All of it is looked at, without a branch: many bytes at once.
        var others: UInt8 = 0
        for index in indices {
            let byte = self[index]
            others |= byte < 0x20 ? 1 : 0
            others |= byte == UInt8(ascii: "<") ? 1 : 0
            others |= byte == UInt8(ascii: "&") ? 1 : 0
        }
        return others == 0
    }

    fileprivate var isASCII: Bool {
        var all = UInt8(0)
        for index in indices { all |= self[index] }
        return all < 0x80
    }
}
