/// The paths of an edit as one automaton, whose states are sets of positions in the paths.
///
/// A path of n steps has n + 1 positions, one bit each, and a step shifts all paths at once (Shift-And): a document
/// costs a few words of work for each key, whatever it contains and however many `**` the paths have.
struct EditPaths: Sendable {
    /// The effect on the values of a path.
    enum Purpose: Equatable {
        /// The keys of the object keep their spelling.
        case exempt
        case keep
        case remove
        /// The member gets this name.
        case rename(String)
    }

    /// A name that a member gets.
    struct NewName: Sendable {
        let bytes: [UInt8]
        /// Whether the name is the same in JSON, without escapes.
        let isPlain: Bool

        init(_ name: String) {
            bytes = Array(name.utf8)
            isPlain = bytes.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
        }
    }

    /// A set of positions, as an index of `rows`; the rows from `otherMember` on are symbols.
    ///
    /// The row of a symbol has the positions to which it leads.
    enum Row: Int {
        case start, anyDepth, memberLoops, elementLoops, keeps, removes, renames, exempts
        case opensObjects, opensArrays, verdicts, wanted
        /// The symbol of the keys that no path has.
        case otherMember
        /// The symbol of elements.
        case element
        /// The number of rows that every edit has.
        case count
    }

    /// The number of words of a set.
    let wordCount: Int
    /// Whether a value stays only if a path keeps it.
    let hasKept: Bool
    private var rows: [UInt64]
    private var symbols: [[UInt8]: Int] = [:]
    /// The symbols of keys whose names in camelCase are those of an exempt path.
    private var aliases: [[UInt8]: Int] = [:]
    /// The new names by the last positions of their paths.
    private var newNames: [NewName?]
    /// The last positions of the paths that are missing if they find nothing.
    private var wanted: [(position: Int, text: String)] = []

    /// The automaton of `paths`; exempt paths also match keys whose name in camelCase they have, if `takesAliases`.
    init(_ paths: [(path: EditPath, purpose: Purpose)], takesAliases: Bool = false) {
        wordCount = (paths.reduce(0) { $0 + $1.path.steps.count + 1 } + 63) / 64
        newNames = Array(repeating: nil, count: 64 * wordCount)
        hasKept = paths.contains { $0.purpose == .keep }
        rows = Array(repeating: 0, count: Row.count.rawValue * wordCount)
        for (path, purpose) in paths {
            for case .member(let name) in path.steps {
                if symbols[name] == nil { symbols[name] = addRow() }
                if takesAliases, purpose == .exempt, aliases[name] == nil { aliases[name] = addRow() }
            }
        }
        var position = 0
        for (path, purpose) in paths {
            add(path, purpose, at: position)
            position += path.steps.count + 1
        }
        if !aliases.isEmpty { joinAliases() }
        for row in [Row.keeps, .renames] { join(row.rawValue, into: Row.wanted.rawValue) }
        for row in [Row.wanted, .removes, .opensObjects, .opensArrays] {
            join(row.rawValue, into: Row.verdicts.rawValue)
        }
    }

    var isEmpty: Bool { wordCount == 0 }

    /// Returns the symbol of a key.
    func symbol(of key: [UInt8]) -> Int {
        if let symbol = symbols[key] { return symbol }
        if !aliases.isEmpty, let symbol = aliases[CamelCase.convert(key.span)] { return symbol }
        return Row.otherMember.rawValue
    }

    /// Returns the name that the path with its last position at `position` gives.
    func newName(at position: Int) -> NewName? { newNames[position] }

    /// Returns the paths that should have found something and did not, in the order in which they were given.
    func missing(isFound: (_ position: Int) -> Bool) -> [String] {
        wanted.filter { !isFound($0.position) }.map(\.text)
    }

    /// Returns a copy of all rows, to be freed by the caller.
    func copyRows() -> UnsafeMutablePointer<UInt64> {
        let copy = UnsafeMutablePointer<UInt64>.allocate(capacity: rows.count)
        for index in rows.indices { copy[index] = rows[index] }
        return copy
    }
}

// MARK: Making the rows

extension EditPaths {
    private mutating func addRow() -> Int {
        rows.append(contentsOf: repeatElement(0, count: wordCount))
        return rows.count / wordCount - 1
    }

    private mutating func set(_ position: Int, in row: Int) {
        rows[row * wordCount + position / 64] |= 1 << UInt64(position % 64)
    }

    private mutating func set(_ position: Int, in row: Row) { set(position, in: row.rawValue) }

    private mutating func add(_ path: EditPath, _ purpose: Purpose, at start: Int) {
        let end = start + path.steps.count
        set(start, in: .start)
        if path.steps.first == .anyDepth { set(start + 1, in: .start) }
        for (position, step) in zip((start + 1)..., path.steps) {
            add(step, to: position, purpose)
            if path.passesArrays { set(position - 1, in: .elementLoops) }
            guard purpose == .keep else { continue }
            // A value on the way to a kept one stays if it can contain that.
            if step != .anyElement { set(position - 1, in: .opensObjects) }
            if path.passesArrays || step.entersArrays { set(position - 1, in: .opensArrays) }
        }
        switch purpose {
        case .exempt: set(end, in: .exempts)
        case .remove: set(end, in: .removes)
        case .keep: set(end, in: .keeps)
        case .rename(let name):
            set(end, in: .renames)
            newNames[end] = NewName(name)
        }
        if purpose != .exempt, purpose != .remove { wanted.append((end, path.text)) }
    }

    private mutating func add(_ step: EditPath.Step, to position: Int, _ purpose: Purpose) {
        switch step {
        case .member(let name):
            if let symbol = symbols[name] { set(position, in: symbol) }
            if purpose == .exempt, let symbol = aliases[name] { set(position, in: symbol) }
        case .anyElement: set(position, in: .element)
        case .anyMember, .anything:
            let symbols = Row.otherMember.rawValue..<(rows.count / wordCount)
            for symbol in symbols where step == .anything || symbol != Row.element.rawValue {
                set(position, in: symbol)
            }
        case .anyDepth:
            set(position, in: .anyDepth)
            set(position, in: .memberLoops)
            set(position, in: .elementLoops)
            if purpose == .keep {
                set(position, in: .opensObjects)
                set(position, in: .opensArrays)
            }
        }
    }

    /// Adds the positions of an alias to those of the keys that become it.
    private mutating func joinAliases() {
        for (key, symbol) in symbols {
            guard let alias = aliases[CamelCase.convert(key.span)] else { continue }
            join(alias, into: symbol)
        }
    }

    private mutating func join(_ row: Int, into other: Int) {
        for word in 0..<wordCount { rows[other * wordCount + word] |= rows[row * wordCount + word] }
    }
}
