import JSONText
import Records

/// How the name of a member is compared with that of a coding key, unless a custom strategy converts it.
enum KeyMatching {
    /// The names are equal.
    case exact
    /// Foundation converts the member's name from snake_case to the key's.
    case converted
    /// The names are equal, or else the converted ones, or else the letters and digits.
    case similar
}

/// The names of an object's members in order, and the member that each coding key of a type matches.
///
/// Objects of one type mostly have the same names in the same order. They share a shape, so that each coding key is looked
/// up only once. Names are compared as Swift compares strings: a composed and a decomposed letter are equal.
final class ObjectShape {
    /// The type of the coding keys.
    let keyType: any CodingKey.Type
    /// Whether another object may have this shape: no custom strategy converted the names.
    let isShared: Bool
    /// The names that an earlier member of the same name overrides.
    let overriddenNames: [String]
    /// The names with an escaped lone surrogate, which U+FFFD replaces.
    let corruptNames: [String]
    /// Whether some names are overridden or corrupt.
    let hasFaultyNames: Bool

    /// The position of an object of this shape.
    private let example: UInt32
    private let matching: KeyMatching
    private let names: [String]
    /// The first member of each name that a coding key can have.
    private let firsts: NameOrdinals
    /// For similar names: the first member of each converted name, and of each text of letters and digits.
    private lazy var similar = (
        converted: NameOrdinals(names.map(SnakeCase.camelCased)), letters: NameOrdinals(names.map(SnakeCase.letters))
    )
    /// The coding keys that were requested from the objects of the type.
    private let requested: RequestedKeys
    /// The members by the numbers of the coding keys; -1 for a key without a member, -2 if the member is not known yet.
    @exclusivity(unchecked) private var ordinals: [Int] = []
    /// The coding keys of the members, if they were asked for.
    @exclusivity(unchecked) private var codingKeys: Any?
    @exclusivity(unchecked) private var unknownNames: UnknownNames?

    /// Creates the shape of `object`, the names of whose members a custom strategy may convert.
    init(
        of object: JSONNode, keyedBy type: any CodingKey.Type, _ matching: KeyMatching,
        _ requested: RequestedKeys = RequestedKeys(), convert: ((String) -> String)? = nil
    ) {
        keyType = type
        isShared = convert == nil
        self.matching = matching
        self.requested = requested
        example = object.position
        let spelled = object.members.map { $0.key.string ?? "" }
        let names = convert.map(spelled.map) ?? spelled
        self.names = names
        firsts = NameOrdinals(matching == .converted ? names.map(SnakeCase.camelCased) : names)
        overriddenNames = firsts.overridden.map { names[$0] }
        corruptNames = object.members.filter(\.key.hasLoneSurrogate).map { $0.key.string ?? "" }
        hasFaultyNames = !overriddenNames.isEmpty || !corruptNames.isEmpty
    }

    /// Returns whether `object` has the same keys in the same order.
    func describes(_ object: JSONNode) -> Bool { object.hasKeys(of: object.node(at: example)) }

    /// Returns the index of the member that the coding key called `name` matches.
    @inline(__always)
    func ordinal(of name: String) -> Int? {
        let number = requested.numbers.value(of: name)
        guard let number, number < ordinals.count else { return find(name, number) }
        let ordinal = ordinals.span[number]
        if ordinal == -2 { return find(name, number) }
        return ordinal < 0 ? nil : ordinal
    }

    /// Finds the member for a coding key, which has a number if another object of the type was asked for the key.
    @inline(never)
    private func find(_ name: String, _ number: Int?) -> Int? {
        let ordinal = firsts.first(name) ?? (matching == .similar ? similarOrdinal(to: name) : nil)
        if let number = number ?? requested.insert(name) {
            while ordinals.count <= number { ordinals.append(-2) }
            ordinals[number] = ordinal ?? -1
        }
        // The member is known, although its name alone may not make a coding key.
        if let ordinal { unknownNames?.remove(names[ordinal]) }
        return ordinal
    }

    private func similarOrdinal(to name: String) -> Int? {
        if let ordinal = similar.converted.first(name) { return ordinal }
        let letters = SnakeCase.letters(of: name)
        return letters.isEmpty ? nil : similar.letters.first(letters)
    }

    /// Returns the coding keys of the members, without those that an earlier member overrides.
    func keys<Key: CodingKey>(_ type: Key.Type = Key.self) -> [Key] {
        if let codingKeys = codingKeys as? [Key] { return codingKeys }
        var keys: [Key] = [], unknown: [String] = [], known = Set<String>()
        for name in names {
            let converted = matching == .exact ? name : SnakeCase.camelCased(name)
            guard known.insert(converted).inserted else { continue }
            let key = Key(stringValue: converted) ?? (matching == .similar ? Key(stringValue: name) : nil)
            if let key { keys.append(key) } else { unknown.append(name) }
        }
        codingKeys = keys
        unknownNames = UnknownNames(unknown)
        return keys
    }

    /// Returns the names for which the type of the coding keys has no key.
    func unknownNames<Key: CodingKey>(_ type: Key.Type) -> UnknownNames {
        if unknownNames == nil { _ = keys(type) }
        return unknownNames ?? UnknownNames([])
    }
}

/// The coding keys that were requested with one type of keys, numbered from 0; objects of different shapes share them.
final class RequestedKeys {
    @exclusivity(unchecked) fileprivate var numbers = KeyMemo<Int>()

    /// Returns the number of a key that has none yet; nil if the memo does not take the key.
    fileprivate func insert(_ name: String) -> Int? {
        let number = numbers.count
        return numbers.insert(number, for: name) ? number : nil
    }
}

/// The first member of each name; few names are searched by their hashes, which are made in less time than a `Dictionary`.
private struct NameOrdinals {
    /// The largest number of names without a table.
    private static let maximumSearched = 48

    /// The members whose name an earlier member has.
    private(set) var overridden: [Int] = []
    private let names: [String]
    private var hashes: [UInt32] = []
    /// Takes the place of `hashes` if there are many names, if some are not ASCII or if two have one hash.
    private var table: [String: Int]?

    init(_ names: [String]) {
        self.names = names
        if names.count <= Self.maximumSearched {
            hashes.reserveCapacity(names.count)
            for name in names {
                guard let hash = KeyMemo<Int>.hash(of: name), !hashes.contains(hash) else { break }
                hashes.append(hash)
            }
            if hashes.count == names.count { return }
        }
        let table = Dictionary(zip(names, names.indices)) { first, _ in first }
        if table.count < names.count {
            let firsts = Set(table.values)
            overridden = names.indices.filter { !firsts.contains($0) }
        }
        self.table = table
    }

    /// Returns the first member called `name`.
    func first(_ name: String) -> Int? {
        if let table { return table[name] }
        // A name beyond ASCII may be equal to one with other bytes (U+212A and K).
        guard let hash = KeyMemo<Int>.hash(of: name) else { return names.firstIndex(of: name) }
        return hashes.firstIndex(of: hash).flatMap { names[$0] == name ? $0 : nil }
    }
}
