import Foundation
import Records

/// The links of an HTML text, found with regular expressions, and the positions of their words in the plain text.
struct ReferenceLinks {
    private struct Anchor {
        let target: String, words: String, shown: String
        var range: JSONValue?
        /// The words and their range with a sign before the link.
        var signed = "", signedRange: JSONValue?
    }

    private let text: String
    private var anchors: [Anchor] = []
    private var taken: Set<String> = []

    init(_ html: String) {
        text = ReferenceMastodon.text(html)
        var start = text.startIndex
        for match in html.matches(of: /<a [^>]*href="([^"]+)"[^>]*>(.*?)(?:<\/a>|$)/) {
            let words = ReferenceMastodon.text(String(match.2))
            if words.isEmpty { continue }
            let shown = String(match.2).replacing(/<span class="invisible">[^<]*<\/span[^>]*>/, with: "")
                .replacing(/<span class="ellipsis">([^<]*)<\/span>/) { $0.1 + "…" }
            var anchor = Anchor(
                target: ReferenceText.unescape(String(match.1)), words: words,
                shown: ReferenceText.unescape(shown.replacing(/<[^>]*>/, with: "")))
            if let range = text.range(of: words, range: start..<text.endIndex) {
                anchor.range = indices(range)
                let sign = text[start..<range.lowerBound].last.map { "#@".contains($0) } == true
                let whole = sign ? text.index(before: range.lowerBound)..<range.upperBound : range
                (anchor.signed, anchor.signedRange) = (String(text[whole]), indices(whole))
                start = range.upperBound
            }
            anchors.append(anchor)
        }
    }

    /// Returns the entities of a status.
    mutating func entities(mentions: JSONValue?, tags: JSONValue?) -> JSONValue? {
        let mentioned = mentions?.elements?.map { mention -> JSONValue in
            let names = [mention["acct"], mention["username"]].compactMap { $0?.stringValue }
            return .of([
                "id": mention.id("id"), "screenName": names.first.map { .string($0) },
                "indices": place(mention["url"], names.map { "@" + $0 }),
            ])
        }
        let tagged = tags?.elements?.filter { $0["name"] != nil }.map { tag -> JSONValue in
            hashtag(tag["name"]?.stringValue ?? "")
        }
        let accounts = mentions?.elements?.compactMap { $0["url"]?.stringValue } ?? []
        let links = anchors.filter { anchor in
            !taken.contains(key(anchor)) && !(anchor.signed.hasPrefix("@") && accounts.contains(anchor.target))
        }.map { anchor -> JSONValue in
            .of([
                "url": .string(anchor.words), "expandedUrl": .string(anchor.target),
                "displayUrl": .string(anchor.shown), "indices": anchor.range,
            ])
        }
        if links.isEmpty, mentioned == nil, tagged == nil { return nil }
        return .of([
            "hashtags": tagged.map { .array($0) }, "urls": links.isEmpty ? nil : .array(links),
            "userMentions": mentioned.map { .array($0) },
        ])
    }

    /// Returns a hashtag with the indices of its first link, or of its word if it occurs once.
    private mutating func hashtag(_ name: String) -> JSONValue {
        let word = "#" + name
        guard let anchor = anchors.first(where: { fold($0.signed) == fold(word) }) else {
            return .of(["text": .string(name), "indices": wordOnce(word)])
        }
        taken.insert(key(anchor))
        let isFolded = anchor.signed.lowercased() != word.lowercased()
        let text = isFolded ? String(anchor.signed.dropFirst()) : name
        return .of(["text": .string(text), "indices": anchor.signedRange])
    }

    /// Returns the indices of the link to `target`, of another link with the words, or of the words if they occur once.
    private mutating func place(_ target: JSONValue?, _ spellings: [String]) -> JSONValue? {
        let words = spellings.map { $0.lowercased() }
        let all = words.flatMap { word in anchors.filter { $0.signed.lowercased() == word } }
        if let anchor = all.first(where: { $0.target == target?.stringValue })
            ?? all.first(where: { !taken.contains(key($0)) })
        {
            taken.insert(key(anchor))
            return anchor.signedRange
        }
        return spellings.lazy.compactMap(wordOnce).first
    }

    /// Returns the indices of a word that occurs once, outside of longer words and addresses.
    private func wordOnce(_ word: String) -> JSONValue? {
        let pattern = "(?<![\\w/@])\(NSRegularExpression.escapedPattern(for: word))(?![\\w@])"
        let regex = try? NSRegularExpression(pattern: pattern, options: .caseInsensitive)
        let whole = NSRange(text.startIndex..<text.endIndex, in: text)
        let places = (regex?.matches(in: text, range: whole) ?? []).compactMap { Range($0.range, in: text) }
        // `nil` alone would convert to the JSON value null.
        return places.count == 1 ? .some(indices(places[0])) : .none
    }

    private func indices(_ range: Range<String.Index>) -> JSONValue {
        let start = text[..<range.lowerBound].unicodeScalars.count
        return [JSONValue(integerLiteral: start), JSONValue(integerLiteral: start + text[range].unicodeScalars.count)]
    }

    private func key(_ anchor: Anchor) -> String {
        anchor.signed.hasPrefix("#") ? fold(anchor.signed) : anchor.signed.lowercased() + " " + anchor.target
    }

    private func fold(_ hashtag: String) -> String {
        // Letters with a stroke are no letters with a mark.
        let strokes = zip("ðđħıĸłŋøŧ", "ddhiklnot")
        return strokes.reduce(hashtag.precomposedStringWithCompatibilityMapping.lowercased()) { text, letters in
            text.replacing(String(letters.0), with: String(letters.1))
        }.folding(options: .diacriticInsensitive, locale: nil)
    }
}
