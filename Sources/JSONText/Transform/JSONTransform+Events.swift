extension JSONTransform {
    /// At most so many bytes of a key stand in a path.
    private static let greatestNameLength = 64

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
    private func path(to level: TransformLevel, _ object: JSONNode) -> String {
        var path = ""
        // The first level is the one around the root, and the root itself has no step.
        for (outer, inner) in zip(levels.dropFirst(), levels.dropFirst(2) + [level]) {
            guard let key = inner.key else {
                path += "[]"
                continue
            }
            path = Self.appending(JSONNode(object, index: key), keepsKey: outer.keepsKeys, to: path)
        }
        return path
    }

    private static func appending(_ key: JSONNode, keepsKey: Bool, to path: String) -> String {
        let name = String(decoding: name(of: key, keepsKey: keepsKey).prefix(greatestNameLength), as: UTF8.self)
        return path.isEmpty ? name : path + "." + name
    }
}
