import LenientCoding

/// Rendering of tweets as plain text.
extension AnyTweet {
    /// Renders the tweet as lines for a terminal; each level of quoted and retweeted tweets is indented by `> `.
    ///
    /// Control characters are replaced, so that a tweet can neither move the cursor nor leave its indentation.
    public func rendered(level: Int = 0) -> String {
        let indentation = String(repeating: "> ", count: level)
        return lines.map { indentation + $0 }.joined(separator: "\n")
    }

    private var lines: [String] {
        if let retweeted { return ["\(author) retweeted:"] + retweeted.lines.map { "> " + $0 } }
        let date = ISO8601.string(from: content.createdAt.date)
        var lines = [[author, date].compactMap(\.self).joined(separator: "  ")]
        if let warning = content.spoilerText, !warning.isEmpty { lines.append("[\(warning.onOneLine)]") }
        lines += content.fullText.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map {
            String($0).onOneLine
        }
        lines += (content.poll?.options ?? []).map { option in
            "( ) \(option.text?.onOneLine ?? "")" + (option.votes.map { "  \($0)" } ?? "")
        }
        lines += (content.media ?? []).map { media in
            "[\(media.type?.rawValue.onOneLine ?? "media")] \((media.altText ?? media.url ?? media.id).onOneLine)"
        }
        return lines + (quoted?.lines.map { "> " + $0 } ?? [])
    }

    private var author: String {
        let name = content.user?.name?.onOneLine, screenName = content.user?.screenName.map { "@" + $0.onOneLine }
        let names = [name, screenName].compactMap(\.self).filter { !$0.isEmpty }
        return names.isEmpty ? "somebody" : names.joined(separator: " ")
    }
}

extension String {
    /// The text with line breaks and other control characters replaced.
    fileprivate var onOneLine: String {
        let scalars = unicodeScalars.map { scalar -> Unicode.Scalar in
            switch scalar.properties.generalCategory {
            case .control: "\u{FFFD}"
            case .lineSeparator, .paragraphSeparator: " "
            default: scalar
            }
        }
        return String(String.UnicodeScalarView(scalars))
    }
}
