import JSONText
import Records
import TestSupport

/// A random edit, and a direct reading of its rules: every value is compared with every path.
struct EditRules {
    private var keys = JSONTransform.Keys.camel
    private var nulls = JSONTransform.Nulls.keep
    private var exempt: [[String]] = []
    private var keep: [[String]]?
    private var remove: [[String]] = []
    private var rename: [(path: [String], name: String)] = []

    private static let names = ["a", "b", "a_b", "aB", "c"]

    init(_ random: inout SplitMix64) {
        keys = Bool.random(using: &random) ? .camel : .keep
        nulls = Bool.random(using: &random) ? .keep : .drop
        exempt = Self.paths(0...2, &random)
        if Bool.random(using: &random) {
            keep = Self.paths(1...4, &random)
        } else {
            remove = Self.paths(0...4, &random)
        }
        for path in Self.paths(0...4, &random) where Self.names.contains(path.last ?? "") {
            let isKnown = rename.contains { $0.path == path }
            if !isKnown { rename.append((path, (Self.names + ["n_1"]).randomElement(using: &random) ?? "")) }
        }
        // Exempt paths also match names in camelCase, which is tested elsewhere.
        exempt = exempt.map { $0.map { $0 == "aB" ? "a" : $0 } }
    }

    func edit() throws -> DocumentEdit {
        try DocumentEdit(
            keys: keys, exempt: exempt.map(Self.text), keep: keep.map { $0.map(Self.text) },
            remove: remove.map(Self.text), rename: rename.map { (Self.text($0.path), $0.name) }, nulls: nulls)
    }

    /// Returns a random value with few keys; it nests at most `depth` deep.
    static func value(_ random: inout SplitMix64, depth: Int) -> JSONValue {
        let kind = depth == 0 ? 0 : Int.random(in: 0...4, using: &random)
        switch kind {
        case 1, 2:
            return .object(
                (0..<Int.random(in: 0...5, using: &random)).map { _ in
                    JSONValue.Member(names.randomElement(using: &random) ?? "", value(&random, depth: depth - 1))
                })
        case 3, 4:
            return .array((0..<Int.random(in: 0...3, using: &random)).map { _ in value(&random, depth: depth - 1) })
        default: return Int.random(in: 0...3, using: &random) == 0 ? .null : .number("\(random.next() % 100).0")
        }
    }

    private static func paths(_ count: ClosedRange<Int>, _ random: inout SplitMix64) -> [[String]] {
        (0..<Int.random(in: count, using: &random)).map { _ in
            var path = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                (names + ["[*]", "[*]", "*", "**"]).randomElement(using: &random) ?? ""
            }
            while let twice = path.indices.dropFirst().first(where: { path[$0] == "**" && path[$0 - 1] == "**" }) {
                path.remove(at: twice)
            }
            return path
        }
    }

    private static func text(_ path: [String]) -> String {
        path.reduce("") { $0 + ($1 == "[*]" || $0.isEmpty ? $1 : ".\($1)") }
    }
}

// MARK: The rules

extension EditRules {
    /// The edited document, the missing paths, and the number of collisions.
    struct Outcome {
        var text = ""
        var missing: [String] = []
        var collisions = 0
    }

    /// The path of a value: keys, and `[*]` for elements.
    private typealias Location = ArraySlice<String>

    func outcome(_ root: JSONValue) -> Outcome {
        var outcome = Outcome()
        var found: [Location] = []
        outcome.text = edited(root, at: [], &outcome, &found).description
        for path in (keep ?? []) + rename.map(\.path) where !found.contains(where: { Self.matches(path[...], $0) }) {
            if !outcome.missing.contains(Self.text(path)) { outcome.missing.append(Self.text(path)) }
        }
        return outcome
    }

    private func edited(
        _ value: JSONValue, at location: Location, _ outcome: inout Outcome, _ found: inout [Location]
    ) -> JSONValue {
        switch value {
        case .array(let elements):
            let inner = location + ["[*]"]
            return .array(
                elements.filter { stays($0, at: inner) }.map { element in
                    found.append(inner)
                    return edited(element, at: inner, &outcome, &found)
                })
        case .object(let members): return .object(edited(members, at: location, &outcome, &found))
        default: return value
        }
    }

    private func edited(
        _ members: [JSONValue.Member], at location: Location, _ outcome: inout Outcome, _ found: inout [Location]
    ) -> [JSONValue.Member] {
        var distinct: [JSONValue.Member] = []
        for member in members {
            if let index = distinct.firstIndex(where: { $0.key == member.key }) {
                distinct[index].value = member.value
            } else {
                distinct.append(member)
            }
        }
        distinct.removeAll { !stays($0.value, at: location + [$0.key]) }
        found += distinct.map { location + [$0.key] }
        if nulls == .drop { distinct.removeAll(where: \.value.isNull) }
        let isExempt = keys == .keep || exempt.contains { Self.matches($0[...], location) }
        let wishes = distinct.map { member in
            rename.first { Self.matches($0.path[...], location + [member.key]) }?.name
                ?? (isExempt ? member.key : CamelCase.convert(member.key))
        }
        let names = Self.names(distinct.map(\.key), wishes)
        outcome.collisions += zip(names, wishes).count { $0 != $1 }
        return zip(names, distinct).map { name, member in
            JSONValue.Member(name, edited(member.value, at: location + [member.key], &outcome, &found))
        }
    }

    /// Returns the names of members: those who cannot have the name that they wish keep their own.
    private static func names(_ keys: [String], _ wishes: [String]) -> [String] {
        var staying: Set<Int> = Set(keys.indices.filter { keys[$0] == wishes[$0] })
        while true {
            var taken = Set(staying.map { keys[$0] })
            guard
                let unlucky = keys.indices.first(where: { !staying.contains($0) && !taken.insert(wishes[$0]).inserted })
            else { break }
            staying.insert(unlucky)
        }
        return keys.indices.map { staying.contains($0) ? keys[$0] : wishes[$0] }
    }

    private func stays(_ value: JSONValue, at location: Location) -> Bool {
        if remove.contains(where: { Self.matches($0[...], location) }) { return false }
        guard let keep else { return true }
        let isKept = location.indices.contains { end in
            keep.contains { Self.matches($0[...], location[...end]) }
        }
        if isKept { return true }
        return keep.contains { path in
            switch value {
            case .object: Self.leads(path[...], below: location, intoArrays: false)
            case .array: Self.leads(path[...], below: location, intoArrays: true)
            case .null:
                Self.leads(path[...], below: location, intoArrays: false)
                    || Self.leads(path[...], below: location, intoArrays: true)
            default: false
            }
        }
    }

    private static func matches(_ path: ArraySlice<String>, _ location: Location) -> Bool {
        guard let step = path.first else { return location.isEmpty }
        if step == "**" {
            if path.count == 1 { return !location.isEmpty }
            return matches(path.dropFirst(), location) || !location.isEmpty && matches(path, location.dropFirst())
        }
        guard let first = location.first else { return false }
        return matches(step, first) && matches(path.dropFirst(), location.dropFirst())
    }

    /// Returns whether a path can match something in the container at `location`.
    private static func leads(_ path: ArraySlice<String>, below location: Location, intoArrays: Bool) -> Bool {
        guard let step = path.first else { return false }
        if step == "**" {
            return location.isEmpty || leads(path, below: location.dropFirst(), intoArrays: intoArrays)
                || leads(path.dropFirst(), below: location, intoArrays: intoArrays)
        }
        guard let first = location.first else { return intoArrays == (step == "[*]") }
        return matches(step, first) && leads(path.dropFirst(), below: location.dropFirst(), intoArrays: intoArrays)
    }

    private static func matches(_ step: String, _ part: String) -> Bool {
        step == part || step == "*" && part != "[*]"
    }
}
