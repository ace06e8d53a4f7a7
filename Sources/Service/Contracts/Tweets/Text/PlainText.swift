/// The plain text of an HTML fragment, and the links in it.
///
/// It renders the elements that Mastodon's sanitizer keeps: paragraphs, line breaks, lists and links. Other tags are
/// removed, scripts and styles with their content.
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
