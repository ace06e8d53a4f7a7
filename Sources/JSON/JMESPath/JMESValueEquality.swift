import JSONText

/// Comparisons of values by what they are, however they are written: `1` equals `1.0`, members may have any order.
extension JMESValue {
    /// Returns whether two values are equal: numbers by their exact value, objects with members in any order.
    ///
    /// The depth of values bounds the recursion. A computed value may hold another one many times, so steps are counted.
    public func isEqual(to other: JMESValue, in context: inout JMESContext) throws(JMESFailure) -> Bool {
        try context.work()
        switch (self, other) {
        case (.node(let node), .node(let other)) where node.isIdentical(to: other): return true
        case (.string(let text), .string(let other)):
            try context.work(min(text.utf8.count, other.utf8.count) / 32)
            return text.utf8.elementsEqual(other.utf8)
        case (.node(let node), .string(let text)), (.string(let text), .node(let node)):
            try context.work(min(node.text.count, text.utf8.count) / 16)
            return node.equals(text)
        default: break
        }
        let kind = kind
        guard kind == other.kind else { return false }
        switch kind {
        case .null: return true
        case .boolean: return bool == other.bool
        case .number:
            var steps = 0
            let order = compareNumber(with: other, &steps)
            try context.work(steps)
            return order == 0
        case .string:
            guard case .node(let node) = self, case .node(let other) = other else { return false }
            try context.work(node.text.count / 16)
            return node.hasString(of: other)
        case .array:
            guard let elements, let others = other.elements, elements.count == others.count else { return false }
            for (element, other) in zip(elements, others) where try !element.isEqual(to: other, in: &context) {
                return false
            }
            return true
        case .object: return try hasMembers(of: other, &context)
        }
    }

    private func hasMembers(of other: JMESValue, _ context: inout JMESContext) throws(JMESFailure) -> Bool {
        try context.work(4 * (memberCount + other.memberCount))
        let (members, others) = (members, other.members)
        guard members.count == others.count else { return false }
        var values: [Name: JMESValue] = [:]
        for member in others { values[Name(text: member.key)] = member.value }
        for member in members {
            guard let other = values[Name(text: member.key)], try member.value.isEqual(to: other, in: &context) else {
                return false
            }
        }
        return true
    }

    /// Returns -1, 0 or 1 as the number is below, equal to or above another one.
    func compareNumber(with other: JMESValue, _ steps: inout Int) -> Int {
        withNumber { number in
            other.withNumber { other in
                steps += (number.count + other.count) / 16
                return DecimalText(number).compare(DecimalText(other))
            }
        }
    }

    /// Passes the bytes of a number as it was written to `body`; those of no text for other kinds.
    package func withNumber<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        switch self {
        case .node(let node): return body(node.text)
        case .number(var text): return text.withUTF8(body)
        default: return body(UnsafeBufferPointer(start: nil, count: 0))
        }
    }
}

extension JMESValue {
    /// The bytes of a scalar's text, or of a value of the document; 0 for others.
    package var textSize: Int {
        switch self {
        case .node(let node): node.text.count
        case .number(let text), .string(let text): text.utf8.count
        case .null, .bool, .array, .object: 0
        }
    }

    /// The number of members of an object, equal keys included; 0 for other kinds.
    package var memberCount: Int {
        switch self {
        case .node(let node) where node.kind == .object: node.count
        case .object(let members): members.count
        default: 0
        }
    }
}

/// The key by which values are ordered: the exact value of numbers, the code points of texts.
enum OrderKey {
    case number(Double, JMESValue)
    case text(String)

    /// The key of a value; nil for kinds without an order.
    init?(_ value: JMESValue) {
        switch value.kind {
        // The nearest doubles of two numbers that differ tell their order, unless they are equal.
        case .number: self = .number(JMESNumber.nearestDouble(value), value)
        case .string: self = .text(value.string ?? "")
        default: return nil
        }
    }

    var isNumber: Bool { if case .number = self { true } else { false } }

    /// Returns -1, 0 or 1 as this key stands before, with or behind the other, which is of the same kind.
    func compare(_ other: OrderKey, _ steps: inout Int) -> Int {
        steps += 1
        switch (self, other) {
        case (.number(let double, let value), .number(let otherDouble, let other)):
            if double != otherDouble { return double < otherDouble ? -1 : 1 }
            return value.compareNumber(with: other, &steps)
        case (.text(var text), .text(var other)):
            return text.withUTF8 { text in
                other.withUTF8 { other in
                    // The order of the bytes of UTF-8 is that of code points.
                    let count = min(text.count, other.count)
                    var index = 0
                    while index < count, text[index] == other[index] { index += 1 }
                    steps += index / 64
                    if index < count { return text[index] < other[index] ? -1 : 1 }
                    return (text.count - count).signum() - (other.count - count).signum()
                }
            }
        default: return 0
        }
    }
}
