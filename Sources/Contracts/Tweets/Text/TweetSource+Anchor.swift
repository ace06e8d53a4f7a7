extension TweetSource {
    /// The program that a link names, `<a href="http://example.com" rel="nofollow">Name</a>`, or a text without one.
    init(anchor text: String) {
        self.init()
        guard text.hasPrefix("<a"), let open = text.firstIndex(of: ">") else {
            name = UnescapedText(text).text
            return
        }
        let label = text[text.index(after: open)...]
        name = UnescapedText(String(label[..<(label.firstIndex(of: "<") ?? label.endIndex)])).text
        url = Self.attribute("href", of: text[..<open]).map { UnescapedText($0).text }
    }

    private static func attribute(_ name: String, of tag: Substring) -> String? {
        guard let start = tag.firstRange(of: name + "=")?.upperBound, start < tag.endIndex else { return nil }
        let quote = tag[start]
        guard quote == "\"" || quote == "'" else { return nil }
        let value = tag[tag.index(after: start)...]
        return value.firstIndex(of: quote).map { String(value[..<$0]) }
    }
}
