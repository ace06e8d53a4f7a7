import Records

/// Checks of the tweets in an answer.
enum TweetInventory {
    /// Returns every tweet in an answer, including quotes and retweets.
    static func tweets(in answer: JSONValue) -> [JSONValue] {
        if let elements = answer.elements { return elements.flatMap(tweets) }
        let inner = ["statuses", "quotedStatus", "retweetedStatus"].compactMap { answer[$0] }.flatMap(tweets)
        return answer["fullText"] == nil ? inner : [answer] + inner
    }

    /// Returns a description of each entity whose indices do not select its text.
    static func misplaced(in answer: JSONValue) -> [String] {
        tweets(in: answer).flatMap { tweet -> [String] in
            let text = tweet["fullText"]?.stringValue ?? ""
            func wrong(_ list: JSONValue?, _ spellings: (JSONValue) -> [String]) -> [String] {
                (list?.elements ?? []).compactMap { entity in
                    guard let indices = entity["indices"] else { return nil }
                    let cut = cut(text, indices)
                    let fits = spellings(entity).contains { $0.lowercased() == cut?.lowercased() }
                    return fits ? nil : "\(entity) is \(cut ?? "nothing") of \(text)"
                }
            }
            let entities = tweet["entities"]
            func words(_ signs: String...) -> (JSONValue) -> [String] {
                { word in signs.map { $0 + (word["text"]?.stringValue ?? "") } }
            }
            return wrong(entities?["hashtags"], words("#", "＃"))
                + wrong(entities?["symbols"], words("$"))
                + wrong(entities?["urls"]) { link in ["url", "displayUrl"].compactMap { link[$0]?.stringValue } }
                + wrong(entities?["userMentions"]) { mention in
                    let name = mention["screenName"]?.stringValue ?? ""
                    return ["@" + name, "＠" + name, "@" + name.prefix { $0 != "@" }]
                }
                + (tweet["displayTextRange"].map { cut(text, $0) == nil ? ["the range of \(text)"] : [] } ?? [])
        }
    }

    private static func cut(_ text: String, _ indices: JSONValue) -> String? {
        let scalars = Array(text.unicodeScalars)
        guard let start = indices[0]?.intValue, let end = indices[1]?.intValue, 0 <= start, start <= end,
            end <= scalars.count
        else { return nil }
        return scalars[start..<end].reduce(into: "") { $0.unicodeScalars.append($1) }
    }
}
