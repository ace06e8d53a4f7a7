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
}
