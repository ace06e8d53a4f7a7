import LenientCoding

extension AnyTweet {
    /// The tweet as a person would read it; those in it are indented by `>`, by one for each level.
    public func rendered(level: Int = 0) -> String {
        var lines = ["\(author)  \(ISO8601.string(from: content.createdAt.date) ?? "")"]
        if let retweeted {
            lines = ["\(author) retweeted:", retweeted.rendered(level: 1)]
        } else {
            if let warning = content.spoilerText, !warning.isEmpty { lines.append("[\(warning)]") }
            lines += content.fullText.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            lines += (content.poll?.options ?? []).map { option in
                "( ) \(option.text ?? "")" + (option.votes.map { "  \($0)" } ?? "")
            }
            lines += (content.media ?? []).map { "[\($0.type?.rawValue ?? "media")] \($0.altText ?? $0.url ?? $0.id)" }
            if let quoted { lines.append(quoted.rendered(level: 1)) }
        }
        let text = lines.joined(separator: "\n")
        if level == 0 { return text }
        let mark = String(repeating: "> ", count: level)
        return text.split(separator: "\n", omittingEmptySubsequences: false).map { mark + $0 }.joined(separator: "\n")
    }

    private var author: String {
        guard let user = content.user else { return "somebody" }
        let name = user.screenName.map { "@\($0)" }
        return [user.name, name].compactMap(\.self).joined(separator: " ")
    }
}
