extension TweetSource {
    /// The program that a link names, `<a href="http://example.com" rel="nofollow">Name</a>`, or a text without one.
    init(anchor text: String) {
        self.init()
        let plain = PlainText(html: text)
        name = plain.text
        url = plain.anchors.first?.target
    }
}
