import JSONText

/// Which members of an object a coding key matches, unless a custom strategy converts their names.
enum KeyMatching {
    /// The member of the same name.
    case exact
    /// The member whose name Foundation converts from snake_case to the name of the key.
    case converted
    /// The member of the same name, or else the converted one, or else one with the same letters and digits.
    case similar

    /// Whether names are converted from snake_case.
    @inline(__always) var isSnakeCase: Bool { self != .exact }

    /// Returns whether a coding key called `name` matches the member called `member`; both are ASCII.
    func matches(_ member: JSONNode, _ name: String) -> Bool {
        switch self {
        case .exact: member.equals(name)
        case .converted: SnakeCase.isConverted(member.text, to: name)
        case .similar: member.equals(name) || SnakeCase.haveSameLetters(member.text, name.utf8)
        }
    }

    /// The name that a coding key must have to match the member called `name`.
    func converted(_ name: String) -> String { isSnakeCase ? SnakeCase.camelCased(name) : name }
}

/// The name of a member for coding keys.
struct MemberName {
    /// The name in the document, or the one that a custom strategy returned.
    let spelled: String
    /// The name that a coding key must have to match the member.
    let converted: String
    /// Another name that a coding key may have.
    let alternative: String?

    init(_ name: String, _ matching: KeyMatching) {
        spelled = name
        converted = matching.converted(name)
        alternative = matching == .similar ? name : nil
    }

    /// Returns the coding key that matches the member; nil if there is none.
    func key<Key: CodingKey>(_ type: Key.Type) -> Key? {
        Key(stringValue: converted) ?? alternative.flatMap(Key.init(stringValue:))
    }
}

/// Finds members by the name of a coding key, as Swift compares strings: a composed and a decomposed letter are equal.
struct MemberIndex {
    private let names: [String]
    /// The first member of each name that a coding key can have.
    private let ordinals: [String: Int]
    /// The members by their letters and digits.
    private let letters: [String: [Int]]?
    private let matching: KeyMatching

    init(_ names: [String], _ matching: KeyMatching) {
        self.names = names
        self.matching = matching
        let matched = matching == .converted ? names.map(SnakeCase.camelCased) : names
        ordinals = Dictionary(zip(matched, names.indices)) { first, _ in first }
        letters = matching == .similar ? Dictionary(grouping: names.indices) { SnakeCase.letters(of: names[$0]) } : nil
    }

    /// The names of the members that no coding key matches, because an earlier member has the same name.
    var overriddenNames: [String] {
        guard ordinals.count < names.count else { return [] }
        let firsts = Set(ordinals.values)
        return names.indices.filter { !firsts.contains($0) }.map { names[$0] }
    }

    func ordinal(of name: String) -> Int? { ordinals[name] ?? similarOrdinal(to: name) }

    /// Returns the member that Foundation converts to `name`, or the first one with the same letters and digits.
    private func similarOrdinal(to name: String) -> Int? {
        let sought = SnakeCase.letters(of: name)
        guard !sought.isEmpty, let similar = letters?[sought] else { return nil }
        return similar.first { SnakeCase.camelCased(names[$0]) == name } ?? similar.first
    }
}
