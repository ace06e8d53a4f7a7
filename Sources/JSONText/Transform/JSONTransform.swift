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
        }

        /// What happened.
        public let kind: Kind
        /// The path of the member, such as `items[].id`, with names as they are written.
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
    private let exempt: ExemptPaths
    private var cache = KeyCache()
    /// The containers around the current one; the first is a container around the root.
    private var levels: [Level] = []
    /// The cache slots of the names of all open objects, outermost first.
    private var slots: [Int] = []
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
        self.keys = keys
        dropsNulls = nulls == .drop
        self.exempt = ExemptPaths(exempt)
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
            /// Slots of the cache, one for each member.
            case slots
            /// Its keys: its names are distinct, but the cache has forgotten them.
            case keys
            /// The innermost plan; `index` and `end` count its members.
            case plan
        }

        var names = Names.none
        /// The tape index of the next element or member, and the one behind the last.
        var index: Int
        var end: Int
        /// The index in `slots` of the next member, and of the first.
        var slot = 0
        var firstSlot = 0
        /// The generation of the cache to which the slots belong.
        var generation = 0
        /// Its location in the tree of exempt paths.
        var location: ExemptPaths.Location?
        var keepsKeys = true
        /// The tape index of the key of which it is the value; nil for an element and the root.
        var key: Int?
    }

    /// Writes what `root` becomes.
    ///
    ///     transform.write(root, to: &writer)  // {"nearestStation":1.2} for {"nearest-station":1.2,"lang":null}
    public mutating func write(_ root: JSONNode, to writer: inout JSONWriter) {
        (events, unlistedEvents, eventIndices, paths) = ([], 0, [:], [])
        var level = Level(index: root.index, end: root.next)
        while true {
            guard level.index < level.end else {
                guard let outer = levels.popLast() else { break }
                writer.close(with: level.names == .none ? UInt8(ascii: "]") : UInt8(ascii: "}"))
                leave(level)
                level = outer
                if level.names == .slots, level.generation != cache.generation { level.names = .keys }
                continue
            }
            var value = JSONNode(root, index: level.index)
            switch level.names {
            case .none: level.index = value.next
            case .slots:
                value = value.valueOfKey
                level.index = value.next
                level.slot += 1
                if dropsNulls, value.becomesNull { continue }
                cache.write(slots[level.slot - 1], to: &writer)
            case .keys:
                let key = value
                value = key.valueOfKey
                level.index = value.next
                if dropsNulls, value.becomesNull { continue }
                write(key, as: level.keepsKeys ? nil : name(of: key, keepsKey: false), to: &writer)
            case .plan:
                let member = plans[plans.count - 1].members[level.index]
                value = JSONNode(root, index: member.value)
                level.index += 1
                if dropsNulls, value.becomesNull { continue }
                write(JSONNode(root, index: member.key), as: member.name, to: &writer)
            }
            if value.isContainer {
                writer.write(byte: value.kind == .array ? UInt8(ascii: "[") : UInt8(ascii: "{"))
                levels.append(level)
                level = enter(value, from: level)
            } else {
                writer.write(scalar: value)
            }
        }
        writer.removeComma()
    }

    /// Returns the level of a container, the next element or member of `outer`.
    private mutating func enter(_ node: JSONNode, from outer: Level) -> Level {
        var level = Level(index: node.firstChild.index, end: node.next)
        level.firstSlot = slots.count
        level.slot = slots.count
        switch outer.names {
        case .none: level.location = levels.count == 1 ? exempt.root : exempt.elements(of: outer.location)
        case .slots, .keys: level.key = node.index - 1
        case .plan: level.key = plans[plans.count - 1].members[outer.index - 1].key
        }
        if let key = level.key, outer.location != nil {
            let key = JSONNode(node, index: key)
            level.location = exempt.member(
                of: outer.location, key: key.unescaped, name: name(of: key, keepsKey: outer.keepsKeys))
        }
        guard node.kind == .object else { return level }
        level.keepsKeys = keys == .keep || exempt.isExempt(level.location)
        level.names = .slots
        if claimNames(of: node, keepsKeys: level.keepsKeys) {
            level.generation = cache.generation
        } else {
            let plan = ObjectPlan(node, keepsKeys: level.keepsKeys, dropsNulls: dropsNulls)
            level.names = .plan
            (level.index, level.end) = (0, plan.members.count)
            plans.append(plan)
            report(plan, of: level, node)
        }
        return level
    }

    private mutating func leave(_ level: Level) {
        slots.removeLast(slots.count - level.firstSlot)
        if level.names == .plan { plans.removeLast() }
        paths.removeLast(max(0, paths.count - levels.count - 1))
    }

    /// Appends the slots of the names of an object, or returns false if they are not in the cache or not distinct.
    private mutating func claimNames(of object: JSONNode, keepsKeys: Bool) -> Bool {
        // The keys of a larger object are likely to be data, and would fill the cache.
        guard object.count <= 200 else { return false }
        let first = slots.count
        // If the cache was full and has forgotten its keys, a second attempt finds room.
        for _ in 0..<2 {
            let generation = cache.generation
            cache.beginObject()
            for (key, _) in object.members {
                guard let slot = cache.claim(key, keepsKey: keepsKeys) else { break }
                slots.append(slot)
            }
            if slots.count - first == object.count { return true }
            slots.removeLast(slots.count - first)
            if cache.generation == generation { break }
        }
        return false
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

    /// Returns the name under which a key is written if no other member has it.
    private func name(of key: JSONNode, keepsKey: Bool) -> [UInt8] {
        keepsKey ? key.unescaped : CamelCase.convert(key.unescaped.span)
    }
}

// MARK: Events

extension JSONTransform {
    /// Reports the equal keys of an object, then the equal names.
    private mutating func report(_ plan: ObjectPlan, of level: Level, _ object: JSONNode) {
        guard plan.members.contains(where: { $0.isCollision || $0.duplicates > 0 }) else { return }
        let path = path(to: level, object)
        for member in plan.members where member.duplicates > 0 {
            add(.duplicate, path, member, object, count: member.duplicates)
        }
        for member in plan.members where member.isCollision { add(.collision, path, member, object, count: 1) }
    }

    private mutating func add(
        _ kind: Event.Kind, _ path: DocumentPath, _ member: ObjectPlan.Member, _ object: JSONNode, count: Int
    ) {
        let path = appending(member.name ?? JSONNode(object, index: member.key).unescaped, to: path).text
        if let index = eventIndices[kind]?[path] {
            events[index].count += count
        } else if events.count < Self.maximumEvents {
            eventIndices[kind, default: [:]][path] = events.count
            events.append(Event(kind: kind, path: path, count: count))
        } else {
            unlistedEvents += count
        }
    }

    /// Returns the path of an object.
    ///
    /// The paths of open containers are kept: otherwise each event would cost as many steps as the document is deep.
    private mutating func path(to level: Level, _ object: JSONNode) -> DocumentPath {
        // The first level is the one around the root, and the root itself has no step.
        if paths.isEmpty { paths = Array(repeating: DocumentPath(maximumBytes: 256), count: 2) }
        for depth in paths.count..<max(paths.count, levels.count + 1) {
            let (outer, inner) = (levels[depth - 1], depth < levels.count ? levels[depth] : level)
            var path = paths[depth - 1]
            if let key = inner.key {
                path = appending(name(of: JSONNode(object, index: key), keepsKey: outer.keepsKeys), to: path)
            } else {
                path.appendAnyElement()
            }
            paths.append(path)
        }
        return paths[levels.count]
    }

    private func appending(_ name: [UInt8], to path: DocumentPath) -> DocumentPath {
        var path = path
        name.withUnsafeBufferPointer { path.append(member: $0) }
        return path
    }
}

extension JSONNode {
    /// Whether the value is written as `null`: it is `null` or a non-finite number.
    @inline(__always)
    var becomesNull: Bool { kind == .null || kind == .number && NumberText.isNonFinite(text) }
}
