import Records

/// A plain implementation of the texts of tweets: character references, indices, and the repairs made.
struct ReferenceText {
    let text: String
    /// The number of code points that each code point of the text had before references were resolved.
    private let lengths: [Int]

    init(_ sent: String) {
        var text = "", lengths: [Int] = [], rest = sent[...]
        while let scalar = rest.unicodeScalars.first {
            let reference = scalar == "&" ? Self.reference(startOf: rest) : nil
            text.unicodeScalars.append(reference?.character ?? scalar)
            lengths.append(reference?.length ?? 1)
            rest.unicodeScalars.removeFirst(reference?.length ?? 1)
        }
        self.text = text
        self.lengths = lengths
    }

    static func unescape(_ text: String) -> String { ReferenceText(text).text }

    private static let names: [Substring: Unicode.Scalar] = [
        "lt": "<", "gt": ">", "quot": "\"", "nbsp": "\u{A0}", "amp": "&", "hellip": "…",
    ]

    private static var pattern: Regex<(Substring, Substring)> { /&([a-z]+|#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6});/ }

    private static func reference(startOf text: Substring) -> (character: Unicode.Scalar, length: Int)? {
        guard let match = text.prefixMatch(of: pattern.matchingSemantics(.unicodeScalar)) else { return nil }
        let name = match.1, digits = name.drop { "#xX".contains($0) }
        let code = UInt32(digits, radix: name.contains("x") || name.contains("X") ? 16 : 10)
        let character = name.first == "#" ? code.flatMap(Unicode.Scalar.init) : names[name]
        guard character != "\0" else { return nil }
        return character.map { ($0, match.0.unicodeScalars.count) }
    }

    /// Returns the position in the text of the original code point `index`; inside a reference, that of its character.
    func position(_ index: Int) -> Int {
        var left = index
        for (position, length) in lengths.enumerated() {
            if left < length { return position }
            left -= length
        }
        return lengths.count + left
    }

    /// Returns the indices of one of `spellings`: the original ones, or else those of its only occurrence.
    ///
    /// The original ones may also select `displayed`. `repairs` counts a correction and a failure.
    func place(
        _ start: Int?, _ end: Int?, _ spellings: [String], displayed: String? = nil, _ repairs: inout Repairs
    ) -> JSONValue? {
        guard let start, let end else { return nil }
        let range = start < 0 || end < start ? (-1, -1) : (position(start), position(end))
        if let cut = cut(range),
            (spellings + [displayed ?? ""].filter { $0 != "" }).contains(where: { $0.lowercased() == cut.lowercased() })
        {
            return [JSONValue(integerLiteral: range.0), JSONValue(integerLiteral: range.1)]
        }
        let places = spellings.flatMap(places)
        repairs[places.count == 1 ? "coerced misplaced" : "dropped misplaced", default: 0] += 1
        guard places.count == 1, let place = places.first else { return nil }
        return [JSONValue(integerLiteral: place.0), JSONValue(integerLiteral: place.1)]
    }

    /// Returns the display range in the text.
    func range(_ sent: JSONValue?, _ repairs: inout Repairs) -> JSONValue? {
        guard let start = sent?[0]?.intValue, let end = sent?[1]?.intValue else { return nil }
        let range = (position(start), position(end))
        if cut(range) == nil {
            repairs["dropped misplaced", default: 0] += 1
            return nil
        }
        return [JSONValue(integerLiteral: range.0), JSONValue(integerLiteral: range.1)]
    }

    func cut(_ range: (Int, Int)) -> String? {
        let scalars = Array(text.unicodeScalars)
        guard range.0 >= 0, range.0 <= range.1, range.1 <= scalars.count else { return nil }
        return Self.text(scalars[range.0..<range.1])
    }

    /// Returns the occurrences of a word that are not part of a longer word.
    private func places(_ word: String) -> [(Int, Int)] {
        let scalars = Array(text.lowercased().unicodeScalars), word = Array(word.lowercased().unicodeScalars)
        guard let sign = word.first, scalars.count >= word.count else { return [] }
        return (0...(scalars.count - word.count)).compactMap { start in
            let end = start + word.count
            guard Array(scalars[start..<end]) == word else { return nil }
            let before = start > 0 ? scalars[start - 1] : " ", after = end < scalars.count ? scalars[end] : " "
            return Self.isSeparate(sign, before, after) ? (start, end) : nil
        }
    }

    private static func isSeparate(_ sign: Unicode.Scalar, _ before: Unicode.Scalar, _ after: Unicode.Scalar) -> Bool {
        func isLetter(_ scalar: Unicode.Scalar) -> Bool {
            // Marks belong to the letter before them.
            let others: [Unicode.GeneralCategory] = [.decimalNumber, .nonspacingMark, .spacingMark]
            return scalar == "_" || scalar.properties.isAlphabetic || others.contains(scalar.properties.generalCategory)
        }
        func isPlain(_ scalar: Unicode.Scalar) -> Bool { scalar.isASCII && isLetter(scalar) }
        switch sign {
        case "#", "＃", "$": return !isLetter(before) && before != "/" && !isLetter(after)
        case "@", "＠": return !isPlain(before) && before != "/" && !isPlain(after) && after != "@"
        default: return !isPlain(after) && !"/?#=&%".unicodeScalars.contains(after)
        }
    }

    private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        scalars.reduce(into: "") { $0.unicodeScalars.append($1) }
    }
}

/// The number of times each repair was made, by kind and reason as in `dropped misplaced`.
typealias Repairs = [String: Int]

extension JSONValue {
    /// Returns an object of the members that are neither nil nor null.
    static func of(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
        .object(members.compactMap { key, value in value.flatMap { $0 == .null ? nil : Member(key, $0) } })
    }

    /// Returns the answer, or nil if it is a list of which nothing is left.
    func unlessLost(of sent: [JSONValue]) -> JSONValue? {
        !sent.isEmpty && (self["statuses"] ?? self) == [] ? .none : .some(self)
    }

    /// Returns the member for `key`, or nil if it is null.
    func at(_ key: String) -> JSONValue? {
        guard let value = self[key], !value.isNull else { return .none }
        return .some(value)
    }

    /// Returns the first identifier among the members, as a string.
    func id(_ keys: String...) -> JSONValue? {
        for key in keys {
            if let text = at(key)?.stringValue, !["", "-1"].contains(text) { return .string(text) }
            if case .number(let text) = at(key), text != "-1" { return .string(text) }
        }
        return nil
    }

    /// Returns a geographic position; an implausible one is dropped.
    static func coordinates(_ latitude: JSONValue?, _ longitude: JSONValue?, _ repairs: inout Repairs) -> JSONValue? {
        guard let latitude, let longitude, abs(latitude.doubleValue ?? 99) <= 90,
            abs(longitude.doubleValue ?? 999) <= 180
        else {
            repairs["dropped implausible", default: 0] += 1
            return nil
        }
        return .of(["latitude": latitude, "longitude": longitude])
    }

    /// The value without members that are null, at every depth.
    var withoutNulls: JSONValue {
        switch self {
        case .array(let elements): .array(elements.map(\.withoutNulls))
        case .object(let members):
            .object(members.filter { !$0.value.isNull }.map { Member($0.key, $0.value.withoutNulls) })
        default: self
        }
    }

    /// Returns the object without the member for `key`.
    func without(_ key: String) -> JSONValue { .object((members ?? []).filter { $0.key != key }) }

    /// Whether a link of Twitter's has an address.
    var hasAddress: Bool { ["url", "expanded_url", "display_url"].contains { self[$0] != nil } }

    /// The website of one of Twitter's users.
    var website: JSONValue? {
        let target = self["entities"]?["url"]?["urls"]?.elements?.first?["expanded_url"]
        return target?.stringValue?.isEmpty == false ? target : self["url"]
    }

    /// The URL with the scheme https.
    var secure: JSONValue {
        let text = stringValue ?? ""
        return .string(text.hasPrefix("http://") ? "https://" + text.dropFirst(7) : text)
    }
}
