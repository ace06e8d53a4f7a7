import JSONText

/// The elements of an array, of the document or computed, without a copy.
///
///     for element in value.elements { print(element.kind) }
public struct JMESElements: Sequence, IteratorProtocol, ExpressibleByArrayLiteral {
    private var nodes: JSONNode.Elements?
    private let values: [JMESValue]
    private var index = 0
    /// The number of elements.
    public let count: Int

    init(_ node: JSONNode) { (nodes, values, count) = (node.elements, [], node.count) }

    init(_ values: [JMESValue]) { (self.values, count) = (values, values.count) }

    /// The elements of a computed array.
    public init(arrayLiteral elements: JMESValue...) { self.init(elements) }

    /// The number of elements.
    public var underestimatedCount: Int { count }

    /// Returns the next element.
    public mutating func next() -> JMESValue? {
        if nodes != nil { return nodes?.next().map { .node($0) } }
        guard index < values.count else { return nil }
        defer { index += 1 }
        return values[index]
    }
}

extension JMESValue {
    /// The elements of an array; nil for other kinds.
    public var elements: JMESElements? {
        switch self {
        case .array(let elements): JMESElements(elements)
        case .node(let node) where node.kind == .array: JMESElements(node)
        default: nil
        }
    }

    /// Returns the element at `index`, from the end if it is negative; null if there is none.
    func element(at index: Int) -> JMESValue {
        guard let elements else { return .null }
        let index = index < 0 ? index + elements.count : index
        guard 0..<elements.count ~= index else { return .null }
        switch self {
        case .array(let elements): return elements[index]
        default: return elements.dropFirst(index).first { _ in true } ?? .null
        }
    }
}

// MARK: Members

extension JMESValue {
    /// The members of an object in order, none for other kinds.
    ///
    /// Of members with equal keys, the value of the last stands at the place of the first, as in ECMAScript.
    public var members: [Member] {
        switch self {
        case .object(let members): members
        case .node(let node): node.distinct.map { Member($0.key.string ?? "", .node($0.value)) }
        default: []
        }
    }

    /// The value of the last member called `key`; nil if there is none or the value is no object.
    public subscript(key: String) -> JMESValue? {
        switch self {
        case .node(let node): node[key].map { .node($0) }
        case .object(let members): members.last { $0.key.utf8.elementsEqual(key.utf8) }?.value
        default: nil
        }
    }

    /// The values of the members of an object; nil for other kinds.
    var memberValues: JMESElements? {
        switch self {
        case .object(let members): JMESElements(members.map(\.value))
        case .node(let node) where node.kind == .object: JMESElements(node.distinct.map { .node($0.value) })
        default: nil
        }
    }
}

extension JSONNode {
    /// The members of an object, of those with equal keys one with the last value at the place of the first.
    ///
    /// Looks keys up in a table of indices, without copies of the keys.
    var distinct: [(key: JSONNode, value: JSONNode)] {
        let mask = 1 << (Int.bitWidth - count.leadingZeroBitCount + 1) - 1
        var table = [Int32](repeating: -1, count: mask + 1)
        var distinct: [(key: JSONNode, value: JSONNode)] = []
        distinct.reserveCapacity(count)
        for member in members {
            var slot = member.key.withString { text in
                var hasher = Hasher()
                hasher.combine(bytes: UnsafeRawBufferPointer(text))
                return hasher.finalize() & mask
            }
            while table[slot] >= 0, !distinct[Int(table[slot])].key.hasString(of: member.key) {
                slot = (slot + 1) & mask
            }
            if table[slot] >= 0 {
                distinct[Int(table[slot])].value = member.value
            } else {
                table[slot] = Int32(truncatingIfNeeded: distinct.count)
                distinct.append(member)
            }
        }
        return distinct
    }
}
