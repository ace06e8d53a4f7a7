import CScan

/// A file that browsers load: a page, or a style sheet or a script of the pages.
///
/// The files of this folder are embedded in the program as they are. The names of style sheets and scripts get a
/// checksum of the content, so that a browser keeps each of them for good.
package struct PageFile: Sendable {
    /// The first segment of the paths of style sheets and scripts; pages refer to `-pages/style.css`.
    package static let folder = "-pages"

    /// The name with the checksum, such as `style.1b2c.css`.
    package let name: String
    /// The media type without parameters.
    package let mediaType: String
    /// The text in UTF-8.
    package let content: [UInt8]

    /// The style sheets and scripts of all pages.
    package static let files = sources.map { stem, ending, content in
        let checksum = String(weir_checksum(content, content.count), radix: 16)
        return PageFile(
            name: "\(stem).\(checksum).\(ending)", mediaType: mediaTypes[ending] ?? "text/plain", content: content)
    }

    /// The page that makes requests.
    package static let explorer = page("explorer", PackageResources.explorer_html)
    /// The page that describes the routes and the fields of answers.
    package static let reference = page("reference", PackageResources.reference_html)

    /// The page that shows the state of the service, in the parts before its links, its tables and the end.
    package static let status = String(decoding: page("status", PackageResources.status_html).content, as: UTF8.self)
        .split(separator: "<!---->", omittingEmptySubsequences: false).map(String.init)

    private static let mediaTypes = ["css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"]
    private static let sources: [(stem: String, ending: String, content: [UInt8])] = [
        ("style", "css", PackageResources.style_css), ("icon", "svg", PackageResources.icon_svg),
        ("page", "js", PackageResources.page_js),
        ("json", "js", PackageResources.json_js), ("tree", "js", PackageResources.tree_js),
        ("views", "js", PackageResources.views_js), ("explorer", "js", PackageResources.explorer_js),
        ("reference", "js", PackageResources.reference_js), ("status", "js", PackageResources.status_js),
    ]

    /// A page whose references to files have the checksums.
    private static func page(_ name: String, _ content: [UInt8]) -> PageFile {
        var text = String(decoding: content, as: UTF8.self)
        for (source, file) in zip(sources, files) {
            text = text.replacing("\(folder)/\(source.stem).\(source.ending)\"", with: "\(folder)/\(file.name)\"")
        }
        return PageFile(name: name, mediaType: "text/html", content: Array(text.utf8))
    }
}
