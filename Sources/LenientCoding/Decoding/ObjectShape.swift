import JSONText

/// The keys of an object in their order, and which of them each coding key means.
///
/// Objects of one type mostly come with the same keys in the same order: they share a shape, and what a coding key
/// means is found out once.
struct ObjectShape: ~Copyable {
    /// Tells the shapes apart that are made in one place, one after another.
    let generation: UInt32
    /// The names of the members in their order, as coding keys have to spell them.
    let index: NameIndex

    private let first: JSONNode
    private let isSnakeCase: Bool
    private var snakeCase: SnakeCaseIndex?
    private var answers: AnswerTable
    /// Answers are kept for the coding keys of models: those of dictionaries are asked for once.
    private let keepsAnswers: Bool
    /// Takes the names that keys lead to, where unknown ones are to be told.
    private let found: FoundNames?
    private var unknown: UnknownNames?
    private var isExamined = false

    /// The shape of `object`, whose members have the given names.
    init(
        of object: JSONNode, names: [String], isSnakeCase: Bool, keepsAnswers: Bool, found: FoundNames?,
        generation: UInt32
    ) {
        self.generation = generation
        first = object
        index = NameIndex(names)
        self.isSnakeCase = isSnakeCase
        self.keepsAnswers = keepsAnswers
        self.found = found
        answers = AnswerTable(capacity: keepsAnswers ? 128 : 1)
    }

    /// Whether `object` has the keys that this shape was made from, in their order.
    func describes(_ object: JSONNode) -> Bool {
        guard object.count == first.count else { return false }
        var ours = first.members
        for (key, _) in object.members {
            guard let (known, _) = ours.next(), key.hasText(of: known) else { return false }
        }
        return true
    }

    /// Which member `key` means; negative when there is none.
    ///
    /// `expected` is the member that is likely to be it.
    @inline(__always)
    mutating func ordinal(of key: some CodingKey, expected: () -> Int) -> Int {
        if keepsAnswers { return answers[key] ?? find(key) }
        let name = key.stringValue
        let expected = expected()
        if expected < index.names.count, !index.hasDuplicates,
            AnswerTable.isIdentical(index.names[expected], name)
        {
            return expected
        }
        return find(name) ?? -1
    }

    /// The names of the members, converted and as they are spelled, each once, in the order of the document.
    func codingNames() -> [(converted: String, spelled: String)] {
        guard isSnakeCase || index.hasDuplicates else { return index.names.map { ($0, $0) } }
        let names = isSnakeCase ? index.names.map(SnakeCase.converted) : index.names
        let unique = NameIndex(names)
        return names.indices.filter { unique.lastOrdinal(of: names[$0]) == $0 }.map { (names[$0], index.names[$0]) }
    }

    /// The names of which `isKnown`, asked with each name converted and as it is spelled, knows none; nil when there are
    /// none, or when they need not be told.
    mutating func unknownNames(_ isKnown: (_ converted: String, _ spelled: String) -> Bool) -> UnknownNames? {
        guard let found, !isExamined else { return unknown }
        isExamined = true
        let names = codingNames().filter { !isKnown($0.converted, $0.spelled) }.map(\.spelled)
        if !names.isEmpty { unknown = UnknownNames(names, found: found) }
        return unknown
    }

    /// The names that stand more than once, as often as they are overridden.
    var overriddenNames: [String] {
        index.names.enumerated().filter { index.lastOrdinal(of: $0.element) != $0.offset }.map(\.element)
    }

    @inline(never)
    private mutating func find(_ key: some CodingKey) -> Int {
        let ordinal = find(key.stringValue) ?? -1
        answers.insert(ordinal, for: key)
        return ordinal
    }

    @inline(never)
    private mutating func find(_ name: String) -> Int? {
        guard let ordinal = index.lastOrdinal(of: name) ?? similar(to: name) else { return nil }
        found?.insert(index.names[ordinal])
        return ordinal
    }

    private mutating func similar(to name: String) -> Int? {
        guard isSnakeCase else { return nil }
        let similar = snakeCase ?? SnakeCaseIndex(index.names)
        snakeCase = similar
        guard let ordinal = similar.ordinal(of: name) else { return nil }
        return index.hasDuplicates ? index.lastOrdinal(of: index.names[ordinal]) : ordinal
    }
}
