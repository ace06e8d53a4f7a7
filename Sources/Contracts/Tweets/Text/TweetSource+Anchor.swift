extension TweetSource {
    /// The program that a link names, `<a href="http://example.com" rel="nofollow">Name</a>`, or a text without one.
    ///
    /// Some answers escape the link like a text.
    init(anchor text: String) {
        self.init()
        let plain = PlainText(html: text.hasPrefix("&lt;a ") ? UnescapedText(text).text : text)
        name = plain.text
        url = plain.anchors.first?.target
    }

    /// The program of a link as it stands in a JSON string, nothing but its quotes escaped there: nearly all are so.
    ///
    /// Nil for one with anything else in it that has to be resolved.
    init?(quotedLink text: Span<UInt8>) {
        let urlStart = Self.start.utf8CodeUnitCount, nameEnd = text.count - Self.end.utf8CodeUnitCount
        guard urlStart < nameEnd, text.holds(Self.start, at: 0), text.holds(Self.end, at: nameEnd) else { return nil }
        let link = text.extracting(urlStart..<nameEnd)
        guard let urlLength = link.firstIndex(of: UInt8(ascii: "\\")) else { return nil }
        let url = link.extracting(..<urlLength), rest = link.extracting(urlLength...)
        let nameStart = Self.middle.utf8CodeUnitCount
        guard rest.count > nameStart, rest.holds(Self.middle, at: 0) else { return nil }
        let name = rest.extracting(nameStart...)
        guard url.isASCII, !name.holds(UInt8(ascii: "\\")), !link.holds(UInt8(ascii: "<")),
            !link.holds(UInt8(ascii: "&"))
        else { return nil }
        // Cut beside characters of ASCII, each part is valid UTF-8 as the whole is.
        self.init()
        self.name = String(copying: UTF8Span(unchecked: name))
        self.url = String(copying: UTF8Span(unchecked: url))
    }

    private static let start: StaticString = #"<a href=\""#
    private static let middle: StaticString = #"\" rel=\"nofollow\">"#
    private static let end: StaticString = "</a>"
}

extension Span<UInt8> {
    fileprivate var isASCII: Bool {
        var all = UInt8(0)
        for index in indices { all |= self[index] }
        return all < 0x80
    }
}
