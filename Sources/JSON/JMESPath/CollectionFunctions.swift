import JSONText

/// The functions on arrays and objects.
extension Function {
    /// `length` and `reverse`.
    func sequence(_ value: JMESValue, _ context: inout JMESContext) throws(JMESFailure) -> JMESValue {
        if let elements = value.elements {
            if self == .length { return .number(String(elements.count)) }
            try context.make(bytes: 32 * elements.count)
            try context.work(elements.count / 2)
            return .array(elements.reversed())
        }
        guard let text = value.string else {
            try context.work(2 * value.memberCount)
            return .number(String(value.memberValues?.count ?? 0))
        }
        try context.work(text.utf8.count / (self == .length ? 16 : 2))
        if self == .length { return .number(String(text.unicodeScalars.count)) }
        try context.make(bytes: text.utf8.count)
        return .string(String(String.UnicodeScalarView(text.unicodeScalars.reversed())))
    }

    /// `zip`: as many elements as the shortest array has.
    func zipped(_ arrays: [JMESValue], _ context: inout JMESContext) throws(JMESFailure) -> JMESValue {
        let columns = arrays.compactMap(\.elements)
        let count = columns.map(\.count).min() ?? 0
        try context.make(bytes: 32 * count * (columns.count + 1))
        try context.work(count * (columns.count + 1))
        var iterators = columns
        return .array((0..<count).map { _ in .array(iterators.indices.map { iterators[$0].next() ?? .null }) })
    }

    // MARK: Order

    /// `max`, `min`, `sort` and their forms with an `&expression`; numbers or texts, not both.
    ///
    /// Elements whose key is null are sorted to the end, and are neither the greatest nor the least.
    func ordered(
        _ array: JMESValue, _ each: Expression?, _ context: inout JMESContext
    ) throws(JMESFailure) -> JMESValue {
        var (elements, others): ([JMESValue], [JMESValue]) = ([], [])
        var keys: [OrderKey] = []
        var bytes = 0
        for element in array.elements ?? [] {
            let value = try each?.value(element, &context) ?? element
            // A text of the document is copied.
            bytes += value.textSize
            try context.make(bytes: 96 + value.textSize)
            try context.work(2 + value.textSize / 16)
            if value.isNull {
                others.append(element)
                continue
            }
            guard let key = OrderKey(value), key.isNumber == keys.first?.isNumber ?? key.isNumber else {
                let wanted = keys.first.map { $0.isNumber ? "numbers" : "strings" } ?? "numbers or strings"
                throw .type("\(rawValue)()", takes: wanted, not: value)
            }
            elements.append(element)
            keys.append(key)
        }
        guard self == .sort || self == .sortBy else {
            guard var best = elements.indices.first else { return .null }
            var steps = 0
            let wanted = self == .max || self == .maxBy ? 1 : -1
            for index in elements.indices.dropFirst() where keys[index].compare(keys[best], &steps) == wanted {
                best = index
            }
            try context.work(steps)
            return elements[best]
        }
        // Every comparison of a sort counts, before the sort begins: each key is compared about as often as there are levels.
        let levels = Int.bitWidth - elements.count.leadingZeroBitCount
        try context.work((elements.count + bytes / 16) * levels)
        var steps = 0
        let order = elements.indices.sorted { left, right in
            let order = keys[left].compare(keys[right], &steps)
            // The order of equal elements stays.
            return order == 0 ? left < right : order < 0
        }
        return .array(order.map { elements[$0] } + others)
    }

    /// `group_by`: an object of arrays, in the order in which keys are first seen; elements with a null key leave.
    func grouped(
        _ array: JMESValue, _ each: Expression?, _ context: inout JMESContext
    ) throws(JMESFailure) -> JMESValue {
        var groups = KeyedValues<[JMESValue]>()
        for element in array.elements ?? [] {
            let value = try each?.value(element, &context) ?? .null
            if value.isNull { continue }
            guard let name = value.string else { throw .type("group_by()", takes: "keys that are strings", not: value) }
            try context.make(bytes: 64 + name.utf8.count)
            try context.work(4 + name.utf8.count / 16)
            let index = groups.index(of: name, orAdd: [])
            groups.members[index].value.append(element)
        }
        return .object(groups.members.map { JMESValue.Member($0.key, .array($0.value)) })
    }

    /// `index_by`: an object of the elements by their keys, the last of equal ones; elements with a null key leave.
    func indexed(
        _ array: JMESValue, _ each: Expression?, _ context: inout JMESContext
    ) throws(JMESFailure) -> JMESValue {
        var object = KeyedValues<JMESValue>()
        for element in array.elements ?? [] {
            let value = try each?.value(element, &context) ?? .null
            if value.isNull { continue }
            guard let key = value.key else {
                throw .element("index_by()", takes: "keys that are strings or numbers", not: value)
            }
            try context.make(bytes: 96 + key.utf8.count)
            try context.work(4 + key.utf8.count / 16)
            object.set(key, to: element)
        }
        return .object(object.members.map { JMESValue.Member($0.key, $0.value) })
    }

    // MARK: Objects

    /// `from_items`, `items`, `keys`, `merge` and `values`.
    func object(_ arguments: [JMESValue], _ context: inout JMESContext) throws(JMESFailure) -> JMESValue {
        switch self {
        case .merge:
            var object = KeyedValues<JMESValue>()
            for argument in arguments {
                let members = try members(of: argument, &context)
                try context.work(2 * members.count)
                for member in members { object.set(member.key, to: member.value) }
            }
            return .object(object.members.map { JMESValue.Member($0.key, $0.value) })
        case .fromItems:
            var object = KeyedValues<JMESValue>()
            for item in arguments[0].elements ?? [] {
                try context.make(bytes: 96)
                try context.work(4 + item.textSize / 16)
                guard let pair = item.elements, pair.count == 2, let key = item.element(at: 0).string else {
                    throw .element("from_items()", takes: "arrays of a string and a value", not: item)
                }
                object.set(key, to: item.element(at: 1))
            }
            return .object(object.members.map { JMESValue.Member($0.key, $0.value) })
        case .items:
            return .array(
                try members(of: arguments[0], &context).map { .array([.string($0.key), $0.value]) })
        case .keys: return .array(try members(of: arguments[0], &context).map { .string($0.key) })
        default: return .array(try members(of: arguments[0], &context).map(\.value))
        }
    }

    private func members(
        of object: JMESValue, _ context: inout JMESContext
    ) throws(JMESFailure) -> [JMESValue.Member] {
        try context.work(3 * object.memberCount)
        let members = object.members
        try context.make(bytes: members.reduce(0) { $0 + 96 + $1.key.utf8.count })
        return members
    }
}

/// Values by keys, each key once, at the place where it first came.
private struct KeyedValues<Value> {
    var members: [(key: String, value: Value)] = []
    private var indices: [Name: Int] = [:]

    mutating func index(of key: String, orAdd value: Value) -> Int {
        if let index = indices[Name(text: key)] { return index }
        indices[Name(text: key)] = members.count
        members.append((key, value))
        return members.count - 1
    }

    mutating func set(_ key: String, to value: Value) { members[index(of: key, orAdd: value)].value = value }
}
