import JSONText

/// The names of an object's members in order, and the member that each coding key matches.
///
/// Objects of one type mostly have the same keys in the same order. They share a shape, so that a coding key is looked
/// up only once for all of them.
final class ObjectShape {
    /// The names of the members; after a custom key strategy, the converted names.
    let names: [String]
    /// The names of the members that a later member of the same name overrides.
    let overriddenNames: [String]

    /// The position of an object of this shape.
    private let example: UInt32
    private let index: MemberIndex
    @exclusivity(unchecked) private var answers = KeyMemo<Int?>()

    /// Creates the shape of `object`, whose members have the given names.
    init(of object: JSONNode, names: [String], isSnakeCase: Bool) {
        example = object.position
        self.names = names
        index = MemberIndex(names, isSnakeCase: isSnakeCase)
        overriddenNames = index.overriddenNames
    }

    /// Returns whether `object` has the same keys in the same order.
    func describes(_ object: JSONNode) -> Bool {
        let example = object.node(at: example)
        guard object.count == example.count else { return false }
        var members = example.members
        for (key, _) in object.members {
            guard let (known, _) = members.next(), key.hasText(of: known) else { return false }
        }
        return true
    }

    /// Returns the index of the member that the coding key called `name` matches.
    func ordinal(of name: String) -> Int? {
        if let known = answers.value(of: name) { return known }
        let ordinal = index.ordinal(of: name)
        answers.insert(ordinal, for: name)
        return ordinal
    }
}

/// Finds members by the name of a coding key.
private struct MemberIndex {
    private let names: NameIndex
    /// The members by the letters and digits of their names, for the conversion from snake_case.
    private let letters: NameIndex?

    init(_ names: [String], isSnakeCase: Bool) {
        self.names = NameIndex(names)
        letters = isSnakeCase ? NameIndex(names.map(SnakeCase.letters)) : nil
    }

    var overriddenNames: [String] {
        guard names.hasDuplicates else { return [] }
        return names.names.enumerated().filter { names.lastOrdinal(of: $0.element) != $0.offset }.map(\.element)
    }

    func ordinal(of name: String) -> Int? { names.lastOrdinal(of: name) ?? similarOrdinal(to: name) }

    /// Returns the member that Foundation converts to `name`, or the first one with the same letters and digits.
    private func similarOrdinal(to name: String) -> Int? {
        guard let letters else { return nil }
        let sought = SnakeCase.letters(of: name)
        guard !sought.isEmpty, let last = letters.lastOrdinal(of: sought) else { return nil }
        if !letters.hasDuplicates { return last }
        let similar = letters.names.indices.filter { NameIndex.areEqual(letters.names[$0], sought) }
        let converted = similar.first { NameIndex.areEqual(SnakeCase.camelCased(names.names[$0]), name) }
        return names.lastOrdinal(of: names.names[converted ?? similar[0]])
    }
}
