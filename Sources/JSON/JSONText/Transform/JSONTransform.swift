/// A rewriter of parsed JSON: keys become camelCase and nulls are left out, without building values.
///
/// Numbers keep their text, members their order, strings their escapes. The escape of a lone surrogate becomes `\ufffd`
/// and a non-finite number (see `JSONLeniency.notANumber`) `null`, so the output is always JSON. Memory is bounded but
/// for the nesting of the document and its largest object.
///
/// Of members with equal keys, the value of the last is written at the place of the first, as in ECMAScript. Members
/// whose keys would become equal are never merged: a key that is in camelCase already keeps its name, then the first
/// takes the common name, and the others keep their own. Both are reported.
///
///     var transform = JSONTransform()
///     var parser = JSONParser()
///     let bytes = try parser.withDocument(document) { root in transform.bytes(of: root) }
///
/// A transform remembers keys from one document to the next. It is used by one thread at a time.
public struct JSONTransform: ~Copyable {
    /// What happens to keys.
    public enum Keys: String, Sendable, CaseIterable {
        /// They are written in camelCase, see `CamelCase`.
        case camel
        /// They stay as they are.
        case keep
    }

    /// What happens to members whose value is `null`.
    ///
    /// Elements always stay, because their index has a meaning.
    public enum Nulls: String, Sendable, CaseIterable {
        /// They are left out.
        case drop
        /// They stay.
        case keep
    }

    /// Something in a document that a reader of its transform should know.
    ///
    ///     for event in transform.events { print(event.kind, event.path, event.count) }  // duplicate items[].id 2
    public struct Event: Sendable, Equatable {
        /// What happened.
        public enum Kind: String, Sendable {
            /// A key kept its spelling because another one took the name that it would have had.
            case collision
            /// A key stood more than once in an object; the last value was written.
            case duplicate
            /// A path of an edit that should have found something found nothing.
            case missing
        }

        /// What happened.
        public let kind: Kind
        /// The path of the member, such as `items[].id`, with names as they are written, or the path of the edit.
        ///
        /// A path of more than 256 bytes ends in `…`.
        public let path: String
        /// The number of times.
        public internal(set) var count: Int
    }

    /// The maximum length of `events`.
    public static let maximumEvents = 100

    /// The events of the last document by kind and path, in the order of their first occurrence.
    public private(set) var events: [Event] = []
    /// The number of events that found no place in `events`.
    public private(set) var unlistedEvents = 0

    private let keys: Keys
    private let dropsNulls: Bool
    private var edits: EditWalk
    private var cache: KeyCache
    /// The memory for the levels of the next document.
    private var spareLevels: [Level] = []
    /// The plans of the open objects that need one, outermost first.
    private var plans: [ObjectPlan] = []
    private var eventIndices: [Event.Kind: [String: Int]] = [:]
    /// The paths of the outermost open containers by depth, as far as an event has needed them.
    private var paths: [DocumentPath] = []

    /// A transform.
    ///
    /// `exempt` names objects whose keys are data and keep their spelling, such as `flags.sourceTimes` or
    /// `items[].labels`. A step is a key as it is in the document or as it is written, and an empty path is the root.
    /// The keys of objects inside them are converted.
    ///
    ///     let transform = JSONTransform(nulls: .keep, exempt: ["flags.sourceTimes", "items[].labels"])
    public init(keys: Keys = .camel, nulls: Nulls = .drop, exempt: [String] = []) {
        let paths = exempt.compactMap { try? EditPath($0, takesBareBrackets: true) }
        self.init(keys, nulls, EditPaths(paths.map { ($0, .exempt) }, takesAliases: keys == .camel))
    }

    /// The transform of an edit, see `DocumentEdit`.
    init(_ keys: Keys, _ nulls: Nulls, _ paths: EditPaths) {
        self.keys = keys
        dropsNulls = nulls == .drop
        edits = EditWalk(paths)
        cache = KeyCache(paths)
    }

    /// Returns what `root` becomes.
    ///
    ///     transform.bytes(of: root)  // {"imageUrl":"a.png"} for {"image_url":"a.png"}
    public mutating func bytes(of root: JSONNode) -> [UInt8] {
        JSONWriter.bytes(expecting: root.text.count + 64) { write(root, to: &$0) }
    }
}

// MARK: Walking

extension JSONTransform {
    /// A container that is being written.
    private struct Level {
        /// The source of the names of its members.
        enum Names {
            /// An array has none.
            case none
            /// An array has none, and not all of its elements stay.
            case selected
            /// The claims of the cache, one for each member.
            case claims
            /// The innermost plan; `index` and `end` count its members.
            case plan
        }

        var names: Names
        /// Whether the keys of its members keep their spelling.
        let keepsKeys: Bool
        /// The tape index of the next element or member, and the one behind the last.
        var index: Int
        let end: Int
        /// The index of the cache's claim for the next member, and for the first.
        var claim: Int
        let firstClaim: Int
        /// The rules of the edit for the member, or for the elements of an array.
        let edit: EditWalk.Verdict
        /// The tape index of the key of which it is the value; nil for an element and the root.
        let key: Int?

        var isArray: Bool { names == .none || names == .selected }
    }

    /// Writes what `root` becomes.
    ///
    ///     transform.write(root, to: &writer)  // {"nearestStation":1.2} for {"nearest-station":1.2,"lang":null}
    public mutating func write(_ root: JSONNode, to writer: inout JSONWriter) {
        (events, unlistedEvents, eventIndices, paths) = ([], 0, [:], [])
        edits.start()
        cache.makeRoom()
        // The levels change in place: copies of them take 4 to 7 % of the time for documents of small objects.
        var levels: [Level] = []
        swap(&levels, &spareLevels)
        levels.append(
            Level(
                names: .none, keepsKeys: true, index: root.index, end: root.next, claim: 0, firstClaim: 0,
                edit: EditWalk.Verdict(), key: nil))
        while let depth = levels.indices.last {
            if let container = writeToContainer(in: &levels[depth], root, to: &writer) {
                if container.count == 0 {
                    writer.write(raw: container.kind == .array ? "[]," : "{},")
                } else {
                    writer.write(byte: container.kind == .array ? UInt8(ascii: "[") : UInt8(ascii: "{"))
                    enter(container, in: &levels)
                }
            } else {
                leave(&levels, writer: &writer)
            }
        }
        writer.removeComma()
        swap(&levels, &spareLevels)
        for path in edits.missing { add(.missing, path, count: 1) }
    }

    /// Writes scalars with their names, up to the next container, whose name it writes; nil if there is none.
    private mutating func writeToContainer(
        in level: inout Level, _ root: JSONNode, to writer: inout JSONWriter
    ) -> JSONNode? {
        while level.index < level.end {
            let value: JSONNode
            switch level.names {
            case .none:
                value = JSONNode(root, index: level.index)
                level.index = value.next
            case .selected:
                value = JSONNode(root, index: level.index)
                level.index = value.next
                if !level.edit.keeps(value) { continue }
            case .claims: return writeNamedScalars(in: &level, root, to: &writer)
            case .plan:
                let member = plans[plans.count - 1].members[level.index]
                value = JSONNode(root, index: member.value)
                level.index += 1
                if dropsNulls, value.becomesNull { continue }
                write(JSONNode(root, index: member.key), as: member.name, to: &writer)
            }
            if value.isContainer { return value }
            writer.write(scalar: value)
        }
        return nil
    }

    /// Does the same for an object whose names are in the cache.
    @inline(__always)
    private func writeNamedScalars(
        in level: inout Level, _ root: JSONNode, to writer: inout JSONWriter
    ) -> JSONNode? {
        while level.index < level.end {
            let value = JSONNode(root, index: level.index &+ 1)
            level.index = value.next
            level.claim &+= 1
            if cache.isNoClaim(at: level.claim &- 1) { continue }
            let name = cache.name(ofClaim: level.claim &- 1)
            if value.isContainer {
                writer.write(name)
                return value
            }
            if !value.becomesNull {
                writer.write(scalar: value, named: name)
            } else if !dropsNulls {
                writer.write(name)
                writer.write(raw: "null,")
            }
        }
        return nil
    }

    /// Appends the level of a container, the last element or member that the innermost level has come to.
    private mutating func enter(_ node: JSONNode, in levels: inout [Level]) {
        let depth = levels.count
        var key: Int?
        var symbol = EditPaths.Row.element.rawValue
        switch levels[depth - 1].names {
        case .none, .selected: break
        case .claims:
            key = node.index - 1
            symbol = cache.symbol(ofClaim: levels[depth - 1].claim - 1)
        case .plan:
            let member = plans[plans.count - 1].members[levels[depth - 1].index - 1]
            (key, symbol) = (member.key, member.symbol)
        }
        var edit = EditWalk.Verdict()
        if depth == 1, !edits.paths.isEmpty {
            edit = edits.enterRoot()
        } else if levels[depth - 1].edit.isTracked {
            edit = edits.enter(symbol, from: depth - 1, isKept: levels[depth - 1].edit.isKept)
        }
        let keepsKeys = keys == .keep || edit.isTracked && edits.isExempt(at: depth)
        let firstClaim = cache.claimCount
        var names = Level.Names.none
        var members = node.firstChild.index..<node.next
        if node.kind == .array {
            if edit.isTracked { edit = selectElements(edit, depth, &members, &names) }
        } else if claimNames(of: node, keepsKeys: keepsKeys, edit, depth) {
            names = .claims
        } else {
            names = .plan
            plans.append(plan(of: node, keepsKeys: keepsKeys, edit, depth))
            members = plans[plans.count - 1].members.indices
        }
        levels.append(
            Level(
                names: names, keepsKeys: keepsKeys, index: members.lowerBound, end: members.upperBound,
                claim: firstClaim, firstClaim: firstClaim, edit: edit, key: key))
        if names == .plan { report(plans[plans.count - 1], of: node, in: levels) }
    }

    /// Removes the innermost level, which is complete.
    private mutating func leave(_ levels: inout [Level], writer: inout JSONWriter) {
        let inner = levels.count - 1
        if inner > 0 {
            writer.close(with: levels[inner].isArray ? UInt8(ascii: "]") : UInt8(ascii: "}"))
            cache.keepClaims(levels[inner].firstClaim)
            if levels[inner].names == .plan { plans.removeLast() }
            if paths.count > inner { paths.removeLast(paths.count - inner) }
        }
        levels.removeLast()
    }

    /// Claims the names of an object, or returns false if they are not in the cache or not distinct.
    private mutating func claimNames(
        of object: JSONNode, keepsKeys: Bool, _ edit: EditWalk.Verdict, _ depth: Int
    ) -> Bool {
        // The keys of a larger object are likely to be data, and would fill the cache.
        guard object.count <= 200 else { return false }
        let edited = edit.isTracked ? EditedObject(depth: depth, isKept: edit.isKept) : nil
        let isDone = cache.claimNames(of: object, keepsKeys: keepsKeys, in: edited, &edits)
        edits.endNotes(areFinal: isDone)
        return isDone
    }

    private mutating func plan(
        of object: JSONNode, keepsKeys: Bool, _ edit: EditWalk.Verdict, _ depth: Int
    ) -> ObjectPlan {
        guard edit.isTracked else { return ObjectPlan(object, keepsKeys: keepsKeys, dropsNulls: dropsNulls) }
        let edited = EditedObject(depth: depth, isKept: edit.isKept)
        let plan = ObjectPlan(object, keepsKeys: keepsKeys, dropsNulls: dropsNulls) { key, value in
            let symbol = edits.paths.symbol(of: key)
            let member = edits.member(symbol, value, in: edited)
            return member.stays ? (symbol, member.renaming.flatMap { edits.paths.newName(at: $0)?.bytes }) : nil
        }
        edits.endNotes(areFinal: true)
        return plan
    }

    /// Returns what the edit says about the elements of the array at `depth`, which has at least one.
    private mutating func selectElements(
        _ array: EditWalk.Verdict, _ depth: Int, _ elements: inout Range<Int>, _ names: inout Level.Names
    ) -> EditWalk.Verdict {
        let edit = edits.enter(EditPaths.Row.element.rawValue, from: depth, isKept: array.isKept)
        if edit.rules.contains(.removed) {
            elements = elements.upperBound..<elements.upperBound
        } else if !edit.isKept {
            names = .selected
        } else if edit.rules.contains(.wanted) {
            edits.noteFound(at: depth + 1)
            edits.endNotes(areFinal: true)
        }
        return edit
    }

    /// Writes a key with its colon, as `name` or as it is.
    private func write(_ key: JSONNode, as name: [UInt8]?, to writer: inout JSONWriter) {
        if let name {
            name.withUnsafeBufferPointer { writer.write(string: $0) }
        } else {
            writer.write(stringOf: key)
        }
        writer.write(byte: UInt8(ascii: ":"))
    }
}

// MARK: Events

extension JSONTransform {
    /// Reports the equal keys of an object, then the equal names.
    private mutating func report(_ plan: ObjectPlan, of object: JSONNode, in levels: [Level]) {
        guard plan.members.contains(where: { $0.isCollision || $0.duplicates > 0 }) else { return }
        let path = path(to: object, in: levels), hidesKeys = isExempt(levels.count - 1, in: levels)
        func add(_ kind: Event.Kind, _ member: ObjectPlan.Member, count: Int) {
            let key = JSONNode(object, index: member.key).unescaped
            // A name that the edit gives is no data.
            let isRenamed = member.name != nil && member.name != CamelCase.convert(key.span)
            let isData = !isRenamed && (hidesKeys || !Self.isName(key))
            self.add(kind, appending(member.name ?? key, to: path, isData: isData).text, count: count)
        }
        for member in plan.members where member.duplicates > 0 {
            add(.duplicate, member, count: member.duplicates)
        }
        for member in plan.members where member.isCollision { add(.collision, member, count: 1) }
    }

    /// Whether the keys of an open container are data, because the edit exempts them.
    private func isExempt(_ depth: Int, in levels: [Level]) -> Bool {
        levels[depth].edit.isTracked && edits.isExempt(at: depth)
    }

    private mutating func add(_ kind: Event.Kind, _ path: String, count: Int) {
        if let index = eventIndices[kind]?[path] {
            events[index].count += count
        } else if events.count < Self.maximumEvents {
            eventIndices[kind, default: [:]][path] = events.count
            events.append(Event(kind: kind, path: path, count: count))
        } else {
            unlistedEvents += count
        }
    }

    /// Returns the path of an object, whose level is the innermost.
    ///
    /// The paths of open containers are kept: otherwise each event would cost as many steps as the document is deep.
    private mutating func path(to object: JSONNode, in levels: [Level]) -> DocumentPath {
        // The first level is the one around the root, and the root itself has no step.
        if paths.isEmpty { paths = Array(repeating: DocumentPath(maximumBytes: 256), count: 2) }
        for depth in paths.count..<max(paths.count, levels.count) {
            var path = paths[depth - 1]
            if let key = levels[depth].key {
                let name = levels[depth - 1].edit.isTracked ? edits.newName(at: depth) : nil
                let key = JSONNode(object, index: key).unescaped
                path = appending(
                    name ?? (levels[depth - 1].keepsKeys ? key : CamelCase.convert(key.span)), to: path,
                    isData: name == nil && (isExempt(depth - 1, in: levels) || !Self.isName(key)))
            } else {
                path.appendAnyElement()
            }
            paths.append(path)
        }
        return paths[levels.count - 1]
    }

    /// Returns the path of a member, with `*` for a key that is data.
    private func appending(_ name: [UInt8], to path: DocumentPath, isData: Bool) -> DocumentPath {
        var path = path
        if isData {
            path.append(member: "*")
        } else {
            name.withUnsafeBufferPointer { path.append(member: $0) }
        }
        return path
    }

    /// Whether a key looks like the name of a member, and not like an address or a token: nothing describes the documents that
    /// are transformed.
    ///
    /// A name has no ASCII but letters, digits, `_`, `-`, `$` and `:`, and few digits.
    private static func isName(_ key: [UInt8]) -> Bool {
        var digits = 0
        for (index, byte) in key.enumerated() {
            switch Unicode.Scalar(byte) {
            case "0"..."9": digits += 1
            case "a"..."z", "A"..."Z", "_", "-", "$", ":": break
            // `@type` of JSON-LD.
            case "@" where index == 0: break
            default: if byte < 0x80 { return false }
            }
        }
        return digits <= 4 && key.count <= DocumentPath.maximumNameBytes
    }
}

extension JSONNode {
    /// Whether the value is written as `null`: it is `null` or a non-finite number.
    @inline(__always)
    var becomesNull: Bool { kind == .null || isNonFinite }
}
