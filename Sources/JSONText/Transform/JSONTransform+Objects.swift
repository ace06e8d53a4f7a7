extension JSONTransform {
    /// Objects with more members take no slots: their keys are likely to be data, and would fill the cache.
    private static let greatestSlotCount = 200

    mutating func forgetDocument() {
        events.removeAll(keepingCapacity: true)
        eventIndices.removeAll(keepingCapacity: true)
        unlistedEvents = 0
        paths.removeAll(keepingCapacity: true)
    }

    /// The level of a container that stands at the place where `outer` has just moved on.
    mutating func enter(_ node: JSONNode, from outer: TransformLevel) -> TransformLevel {
        var level = TransformLevel(index: node.firstChild.index, end: node.next)
        level.firstSlot = slots.count
        switch outer.mode {
        case .elements: level.place = levels.count == 1 ? exempt.root : exempt.elements(of: outer.place)
        case .slots, .names: level.key = node.index - 1
        case .plan: level.key = plans.last?.members[outer.index - 1].key
        }
        if let key = level.key, outer.place != nil {
            level.place = place(of: JSONNode(node, index: key), in: outer)
        }
        guard node.kind == .object else { return level }
        level.keepsKeys = keys == .keep || exempt.isExempt(level.place)
        if node.count <= Self.greatestSlotCount, findSlots(of: node, &level) { return level }
        slots.shrink(to: level.firstSlot)
        level.mode = .names
        if let plan = ObjectPlan(node, keepsKeys: level.keepsKeys, dropsNulls: dropsNulls) {
            level.mode = .plan
            (level.index, level.end) = (0, plan.members.count)
            plans.append(plan)
            report(plan, of: level, node)
        }
        return level
    }

    /// The level around `level`, which is complete.
    mutating func leave(_ level: TransformLevel, to outer: TransformLevel) -> TransformLevel {
        slots.shrink(to: level.firstSlot)
        if level.mode == .plan { plans.removeLast() }
        if paths.count > levels.count + 1 { paths.removeLast(paths.count - levels.count - 1) }
        var outer = outer
        // The object is known to need no plan, but its slots have lost their meaning.
        if outer.mode == .slots, outer.epoch != cache.epoch { outer.mode = .names }
        return outer
    }

    /// Finds the slots of all names of an object; false when that needs a closer look, because a name comes twice, a
    /// key has escapes, or the cache has no place for it.
    private mutating func findSlots(of object: JSONNode, _ level: inout TransformLevel) -> Bool {
        let end = object.next
        attempts: for _ in 0..<2 {
            let stamp = cache.nextStamp()
            let epoch = cache.epoch
            var key = JSONNode(object, index: object.firstChild.index)
            slots.shrink(to: level.firstSlot)
            while key.index < end {
                guard key.kind == .string, let slot = cache.slot(key.source + key.offset, key.length) else {
                    return false
                }
                // The cache was full and is empty now: once more.
                if cache.epoch != epoch { continue attempts }
                let name = level.keepsKeys ? slot : Int(cache.entries[slot].camel)
                if cache.entries[name].stamp == stamp { return false }
                cache.entries[name].stamp = stamp
                slots.append(name)
                key = JSONNode(object, index: JSONNode(object, index: key.index &+ 1).next)
            }
            level.mode = .slots
            level.slot = level.firstSlot
            level.epoch = epoch
            return true
        }
        return false
    }

    /// The next member of a level without slots.
    func member(of level: TransformLevel) -> ObjectPlan.Member {
        if level.mode == .plan, let plan = plans.last { return plan.members[level.index] }
        return ObjectPlan.Member(key: level.index, value: level.index + 1)
    }

    /// Writes a key as a name, with its colon.
    func write(nameOf key: JSONNode, keepsKey: Bool, to writer: inout JSONWriter) {
        if keepsKey {
            writer.write(stringOf: key)
        } else {
            writeCamelCase(of: key, to: &writer)
        }
        writer.write(byte: UInt8(ascii: ":"))
    }

    private func writeCamelCase(of key: JSONNode, to writer: inout JSONWriter) {
        let name = Self.name(of: key, keepsKey: false)
        name.withUnsafeBufferPointer { writer.write(string: $0) }
    }

    /// A key's name without escapes.
    static func name(of key: JSONNode, keepsKey: Bool) -> [UInt8] {
        let bytes = key.unescaped
        if keepsKey { return bytes }
        return [UInt8](unsafeUninitializedCapacity: bytes.count) { room, count in
            bytes.withUnsafeBufferPointer { bytes in
                guard let base = bytes.baseAddress, let target = room.baseAddress else { return }
                count = CamelCase.convert(base, bytes.count, into: target)
            }
        }
    }

    private func place(of key: JSONNode, in outer: TransformLevel) -> Int? {
        let name = Self.name(of: key, keepsKey: outer.keepsKeys)
        return name.withUnsafeBufferPointer { name in
            key.unescaped.withUnsafeBufferPointer { exempt.member(of: outer.place, key: $0, name: name) }
        }
    }
}
