/// The way of an edit through one document: the positions in its paths at each open container.
///
/// Unsafe: reads and writes sets through pointers. Every symbol and depth that is used has its row; see `reserve`.
struct EditWalk: ~Copyable {
    /// The rules of an edit for a value.
    struct Verdict {
        /// The rules for the value.
        struct Rules: OptionSet {
            let rawValue: UInt8
            /// A path leads into the value.
            static let tracked = Rules(rawValue: 1)
            static let removed = Rules(rawValue: 2)
            /// The value stays whole, but for removed parts.
            static let kept = Rules(rawValue: 4)
            /// An object stays, because a path leads into it to something that is kept.
            static let keptAsObject = Rules(rawValue: 8)
            static let keptAsArray = Rules(rawValue: 16)
            /// A path that should find something ends at the value.
            static let wanted = Rules(rawValue: 32)
        }

        var rules: Rules = []
        /// The last position of the path that renames the value; -1 if there is none.
        var renaming: Int32 = -1

        var isTracked: Bool { @inline(__always) get { rules.contains(.tracked) } }
        var isKept: Bool { @inline(__always) get { rules.contains(.kept) } }

        /// Whether the value stays only if it has a certain kind.
        var dependsOnValue: Bool {
            rules.isDisjoint(with: [.kept, .removed]) && !rules.isDisjoint(with: [.keptAsObject, .keptAsArray])
        }

        /// Returns whether the value stays; null stays in the place of a container.
        @inline(__always)
        func keeps(_ value: JSONNode) -> Bool {
            if rules.contains(.removed) { return false }
            if rules.contains(.kept) { return true }
            switch value.kind {
            case .object: return rules.contains(.keptAsObject)
            case .array: return rules.contains(.keptAsArray)
            default: return value.becomesNull && !rules.isDisjoint(with: [.keptAsObject, .keptAsArray])
            }
        }
    }

    let paths: EditPaths
    private let words: Int
    private let rows: UnsafeMutablePointer<UInt64>
    /// A set of positions for each depth, and one for a member that is looked at.
    private var sets: UnsafeMutablePointer<UInt64>
    private var setCapacity: Int
    /// The last positions of the paths that have found something, and of those that will have if an object stands.
    private let found: UnsafeMutablePointer<UInt64>
    private let noted: UnsafeMutablePointer<UInt64>
    private var hasNotes = false

    init(_ paths: EditPaths) {
        self.paths = paths
        words = paths.wordCount
        rows = paths.copyRows()
        setCapacity = 16
        sets = .allocate(capacity: setCapacity * words)
        found = .allocate(capacity: words)
        noted = .allocate(capacity: words)
        start()
    }

    deinit {
        rows.deallocate()
        sets.deallocate()
        found.deallocate()
        noted.deallocate()
    }

    /// Forgets the last document.
    mutating func start() {
        found.update(repeating: 0, count: words)
        noted.update(repeating: 0, count: words)
    }

    /// The paths that should have found something in the last document and did not.
    var missing: [String] { paths.missing { found[$0 / 64] >> UInt64($0 % 64) & 1 != 0 } }

    /// Returns the verdict on the root, which is at depth 1 and always stays.
    mutating func enterRoot() -> Verdict {
        reserve(1)
        for word in 0..<words { sets[words + word] = row(.start)[word] }
        return verdict(at: 1, isKept: !paths.hasKept)
    }

    /// Returns the verdict on a value in the container at `depth`, whose positions become those of the next depth.
    @inline(__always)
    mutating func enter(_ symbol: Int, from depth: Int, isKept: Bool) -> Verdict {
        reserve(depth &+ 1)
        step(symbol, from: depth)
        return verdict(at: depth &+ 1, isKept: isKept)
    }

    /// Returns whether a member of an object stays, whether that depends on the kind of its value, and the last position of
    /// the path that renames it.
    mutating func member(
        _ symbol: Int, _ value: JSONNode, in object: EditedObject
    ) -> (stays: Bool, dependsOnValue: Bool, renaming: Int?) {
        step(symbol, from: object.depth)
        let verdict = verdict(at: object.depth + 1, isKept: object.isKept)
        guard verdict.keeps(value) else { return (false, verdict.dependsOnValue, nil) }
        if verdict.rules.contains(.wanted) { noteFound(at: object.depth + 1) }
        return (true, verdict.dependsOnValue, verdict.renaming < 0 ? nil : Int(verdict.renaming))
    }

    /// The positions at `depth`.
    @inline(__always)
    func positions(at depth: Int) -> UnsafePointer<UInt64> { UnsafePointer(set(depth)) }

    /// Returns whether the keys of the object at `depth` keep their spelling.
    @inline(__always)
    func isExempt(at depth: Int) -> Bool {
        let (positions, exempts) = (set(depth), row(.exempts))
        for word in 0..<words where positions[word] & exempts[word] != 0 { return true }
        return false
    }

    /// Returns the new name of the open value at `depth`; nil if it keeps its own.
    func newName(at depth: Int) -> [UInt8]? {
        let renaming = verdict(at: depth, isKept: true).renaming
        return renaming < 0 ? nil : paths.newName(at: Int(renaming))?.bytes
    }

    /// Notes that the value with the positions of `depth` stays.
    mutating func noteFound(at depth: Int) {
        hasNotes = true
        let (positions, wanted) = (set(depth), row(.wanted))
        for word in 0..<words { noted[word] |= positions[word] & wanted[word] }
    }

    /// Makes the notes final, or forgets them.
    @inline(__always)
    mutating func endNotes(areFinal: Bool) {
        if hasNotes { finishNotes(areFinal: areFinal) }
    }

    private mutating func finishNotes(areFinal: Bool) {
        hasNotes = false
        for word in 0..<words {
            if areFinal { found[word] |= noted[word] }
            noted[word] = 0
        }
    }

    /// Makes room for the sets of the depths up to the one after `depth`.
    @inline(__always)
    private mutating func reserve(_ depth: Int) {
        if depth &+ 2 > setCapacity { grow() }
    }

    @inline(never)
    private mutating func grow() {
        let larger = UnsafeMutablePointer<UInt64>.allocate(capacity: 2 * setCapacity * words)
        larger.update(from: sets, count: setCapacity * words)
        sets.deallocate()
        sets = larger
        setCapacity *= 2
    }

    @inline(__always)
    private func set(_ depth: Int) -> UnsafeMutablePointer<UInt64> { sets + depth &* words }

    @inline(__always)
    private func row(_ row: EditPaths.Row) -> UnsafeMutablePointer<UInt64> { rows + row.rawValue &* words }

    @inline(__always)
    private mutating func step(_ symbol: Int, from depth: Int) {
        let (from, to, leading) = (set(depth), set(depth &+ 1), rows + symbol &* words)
        let loops = row(symbol == EditPaths.Row.element.rawValue ? .elementLoops : .memberLoops)
        let anyDepth = row(.anyDepth)
        var carry: UInt64 = 0
        var depthCarry: UInt64 = 0
        for word in 0..<words {
            let positions = from[word]
            let reached = (positions &<< 1 | carry) & leading[word] | positions & loops[word]
            // `**` also stands for no step.
            to[word] = reached | (reached &<< 1 | depthCarry) & anyDepth[word]
            carry = positions &>> 63
            depthCarry = reached &>> 63
        }
    }

    @inline(__always)
    private func verdict(at depth: Int, isKept: Bool) -> Verdict {
        var verdict = Verdict(rules: isKept ? .kept : [])
        let (positions, verdicts) = (set(depth), row(.verdicts))
        for word in 0..<words where positions[word] != 0 {
            verdict.rules.insert(.tracked)
            if positions[word] & verdicts[word] != 0 { add(positions[word], word, to: &verdict) }
        }
        return verdict
    }

    private func add(_ positions: UInt64, _ word: Int, to verdict: inout Verdict) {
        if positions & row(.removes)[word] != 0 { verdict.rules.insert(.removed) }
        if positions & row(.keeps)[word] != 0 { verdict.rules.insert(.kept) }
        if positions & row(.opensObjects)[word] != 0 { verdict.rules.insert(.keptAsObject) }
        if positions & row(.opensArrays)[word] != 0 { verdict.rules.insert(.keptAsArray) }
        if positions & row(.wanted)[word] != 0 { verdict.rules.insert(.wanted) }
        let renaming = positions & row(.renames)[word]
        if renaming != 0, verdict.renaming < 0 {
            verdict.renaming = Int32(truncatingIfNeeded: word &* 64 &+ renaming.trailingZeroBitCount)
        }
    }
}

/// An open object of an edited document.
struct EditedObject {
    let depth: Int
    /// Whether all of its members stay, but for removed ones.
    let isKept: Bool
}
