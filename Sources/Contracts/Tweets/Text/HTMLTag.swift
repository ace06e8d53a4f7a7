/// What stands between `<` and `>`.
struct HTMLTag {
    /// The name in lower case, without the slash of an end tag.
    let name: String
    let isEnd: Bool
    private let text: Substring

    init(_ text: Substring) {
        isEnd = text.first == "/"
        self.text = isEnd ? text.dropFirst() : text
        name = self.text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }.lowercased()
    }

    /// The value of an attribute as it is written; nil when it has none.
    func attribute(_ name: String) -> String? {
        var rest = text.dropFirst(self.name.count)
        while let start = rest.firstIndex(where: { !$0.isWhitespace && $0 != "/" }) {
            rest = rest[start...]
            let key = rest.prefix { !$0.isWhitespace && $0 != "=" }
            rest = rest.dropFirst(max(key.count, 1)).drop(while: \.isWhitespace)
            guard rest.first == "=" else { continue }
            rest = rest.dropFirst().drop(while: \.isWhitespace)
            let quote = rest.first.flatMap { $0 == "\"" || $0 == "'" ? $0 : nil }
            if quote != nil { rest = rest.dropFirst() }
            let value = rest.prefix { quote == nil ? !$0.isWhitespace : $0 != quote }
            if key.lowercased() == name { return String(value) }
            rest = rest.dropFirst(value.count + (quote == nil ? 0 : 1))
        }
        return nil
    }
}
