import JSONText

/// The keys of an object in their order, and which of them each coding key means.
///
/// Objects of one type mostly come with the same keys in the same order: they share a shape, and what a coding key
/// means is found out once.
struct ObjectShape: ~Copyable {
    /// The names of the members in their order, as coding keys have to spell them.
    let names: [String]
    /// Whether two members have the same name.
    let hasDuplicates: Bool

    private let first: JSONNode
    /// The last member of each name.
    private let lastOrdinals: [ExactName: Int]
    private let isSnakeCase: Bool
    private var snakeCase: SnakeCaseIndex?
    private var answers = AnswerTable()
    /// Answers are kept for the coding keys of models: those of dictionaries are asked for once.
    private let keepsAnswers: Bool

    /// The shape of `object`, whose members have the given names.
    init(of object: JSONNode, names: [String], isSnakeCase: Bool, keepsAnswers: Bool) {
        first = object
        self.names = names
        self.isSnakeCase = isSnakeCase
        self.keepsAnswers = keepsAnswers
        var last: [ExactName: Int] = [:]
        last.reserveCapacity(names.count)
        for (ordinal, name) in names.enumerated() { last[ExactName(name)] = ordinal }
        lastOrdinals = last
        hasDuplicates = last.count < names.count
    }

    /// Whether `object` has the keys that this shape was made from, in their order.
    func describes(_ object: JSONNode) -> Bool {
        guard object.count == names.count else { return false }
        var ours = first.members
        for (key, _) in object.members {
            guard let (known, _) = ours.next(), key.hasText(of: known) else { return false }
        }
        return true
    }

    /// Which member the coding key called `name` means; nil when there is none.
    ///
    /// `expected` is the member that is likely to be it.
    @inline(__always)
    mutating func ordinal(of name: String, expected: Int) -> Int? {
        if keepsAnswers {
            if let answer = answers[name] { return answer >= 0 ? answer : nil }
        } else if expected < names.count, !hasDuplicates, AnswerTable.isIdentical(names[expected], name) {
            return expected
        }
        return find(name)
    }

    /// Whether the member at `ordinal` is followed by another one of its name.
    func isOverridden(_ ordinal: Int) -> Bool {
        hasDuplicates && lastOrdinals[ExactName(names[ordinal])] != ordinal
    }

    /// The names as the conversion makes them, each once, in the order of the document.
    func codingNames() -> [String] {
        guard isSnakeCase || hasDuplicates else { return names }
        var seen: Set<ExactName> = []
        return names.map { isSnakeCase ? SnakeCase.converted($0) : $0 }.filter { seen.insert(ExactName($0)).inserted }
    }

    @inline(never)
    private mutating func find(_ name: String) -> Int? {
        let ordinal = lastOrdinals[ExactName(name)] ?? similar(to: name)
        if keepsAnswers { answers.insert(ordinal ?? -1, for: name) }
        return ordinal
    }

    private mutating func similar(to name: String) -> Int? {
        guard isSnakeCase else { return nil }
        let index = snakeCase ?? SnakeCaseIndex(names)
        snakeCase = index
        guard let ordinal = index.ordinal(of: name) else { return nil }
        return lastOrdinals[ExactName(names[ordinal])]
    }
}

/// A name that is equal to another when their bytes are.
///
/// For the standard library a composed and a decomposed é are one string; JSON has two keys there.
private struct ExactName: Hashable {
    let name: String

    init(_ name: String) { self.name = name }

    static func == (left: ExactName, right: ExactName) -> Bool {
        left.name.utf8.count == right.name.utf8.count && left.name.utf8.elementsEqual(right.name.utf8)
    }

    func hash(into hasher: inout Hasher) {
        var name = name
        name.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
