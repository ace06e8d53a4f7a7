extension JSONTransform {
    /// At most so many bytes of a key stand in a path.
    private static let greatestNameLength = 64
    /// A path that is as long grows no further.
    private static let greatestPathLength = 256

    /// Reports what a plan is for.
    mutating func report(_ plan: ObjectPlan, of level: TransformLevel, _ object: JSONNode) {
        let path = path(to: level, object)
        for member in plan.members where member.duplicates > 0 {
            let key = JSONNode(object, index: member.key)
            add(.duplicate, path, key, keepsKey: level.keepsKeys || member.keepsKey, count: member.duplicates)
        }
        for index in plan.collisions {
            add(.collision, path, JSONNode(object, index: plan.members[index].key), keepsKey: true, count: 1)
        }
    }

    private mutating func add(_ kind: Event.Kind, _ path: String, _ key: JSONNode, keepsKey: Bool, count: Int) {
        let path = Self.appending(key, keepsKey: keepsKey, to: path)
        let identity = kind == .collision ? "+" + path : "=" + path
        if let index = eventIndices[identity] {
            events[index].count += count
        } else if events.count < Self.maximumEvents {
            eventIndices[identity] = events.count
            events.append(Event(kind: kind, path: path, count: count))
        } else {
            unlistedEvents += count
        }
    }

    /// The path of an object, empty for the root.
    ///
    /// The paths of the containers around it are kept while those are open, so that many events deep down cost no
    /// more than as many further up.
    private mutating func path(to level: TransformLevel, _ object: JSONNode) -> String {
        // The first level is the one around the root, and the root itself has no step.
        if paths.isEmpty { paths = ["", ""] }
        for depth in paths.count..<max(paths.count, levels.count + 1) {
            let (outer, inner) = (levels[depth - 1], depth < levels.count ? levels[depth] : level)
            let path = paths[depth - 1]
            paths.append(
                inner.key.map { Self.appending(JSONNode(object, index: $0), keepsKey: outer.keepsKeys, to: path) }
                    ?? Self.shortened(path) ?? path + "[]")
        }
        return paths[levels.count]
    }

    private static func appending(_ key: JSONNode, keepsKey: Bool, to path: String) -> String {
        if let short = shortened(path) { return short }
        let name = String(decoding: name(of: key, keepsKey: keepsKey).prefix(greatestNameLength), as: UTF8.self)
        return path.isEmpty ? name : path + "." + name
    }

    /// What stands for all paths below a long one; nil for a path that can still grow.
    private static func shortened(_ path: String) -> String? {
        guard path.utf8.count >= greatestPathLength else { return nil }
        return path.hasSuffix("…") ? path : path + "…"
    }
}
