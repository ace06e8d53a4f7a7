extension JSONTransform {
    /// A longer path ends in `…`.
    private static let maximumPathBytes = 256

    /// Reports the duplicate keys and the collisions that a plan settles.
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

    private mutating func add(
        _ kind: Event.Kind, _ object: DocumentPath, _ key: JSONNode, keepsKey: Bool, count: Int
    ) {
        let path = Self.appending(key, keepsKey: keepsKey, to: object).text
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

    /// Returns the path of an object.
    ///
    /// The paths of the containers around it are kept while those are open: otherwise an event at depth n would cost n
    /// steps each time.
    private mutating func path(to level: TransformLevel, _ object: JSONNode) -> DocumentPath {
        // The first level is the one around the root, and the root itself has no step.
        let root = DocumentPath(maximumBytes: Self.maximumPathBytes)
        if paths.isEmpty { paths = [root, root] }
        for depth in paths.count..<max(paths.count, levels.count + 1) {
            let (outer, inner) = (levels[depth - 1], depth < levels.count ? levels[depth] : level)
            var path = paths[depth - 1]
            if let key = inner.key {
                path = Self.appending(JSONNode(object, index: key), keepsKey: outer.keepsKeys, to: path)
            } else {
                path.appendAnyElement()
            }
            paths.append(path)
        }
        return paths[levels.count]
    }

    private static func appending(_ key: JSONNode, keepsKey: Bool, to path: DocumentPath) -> DocumentPath {
        var path = path
        name(of: key, keepsKey: keepsKey).withUnsafeBufferPointer { path.append(member: $0) }
        return path
    }
}
