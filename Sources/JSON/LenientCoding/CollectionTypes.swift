import JSONText

/// Knows which types are arrays and dictionaries of the standard library.
///
/// It remembers the types, because asking the runtime for a conformance took 3 % of decoding and 5 % of encoding tweets.
struct CollectionTypes<Direct> {
    enum Kind {
        /// A collection that is decoded or encoded without a container.
        case direct(Direct)
        /// A dictionary that the standard library encodes as an object, whose keys no strategy converts.
        case dictionary
        case other
    }

    /// The maximum number of types that are remembered.
    private static var maximumCount: Int { 64 }

    private let direct: (Any.Type) -> Direct?
    private var types: [ObjectIdentifier] = []
    private var kinds: [Kind] = []
    /// The index behind the type that was found last, because types follow each other in about the same order.
    private var next = 0

    /// Creates a memo; `direct` tells which collections need no container.
    init(_ direct: @escaping (Any.Type) -> Direct?) { self.direct = direct }

    /// Returns the kind of a type.
    mutating func kind(of type: Any.Type) -> Kind {
        var index = next
        for _ in types.indices {
            if index >= types.count { index = 0 }
            if types[index] == ObjectIdentifier(type) {
                next = index + 1
                return kinds[index]
            }
            index += 1
        }
        let kind = newKind(of: type)
        guard types.count < Self.maximumCount else { return kind }
        types.append(ObjectIdentifier(type))
        kinds.append(kind)
        next = types.count
        return kind
    }

    @inline(never)
    private func newKind(of type: Any.Type) -> Kind {
        if let direct = direct(type) { return .direct(direct) }
        return type is any KeyedByData.Type ? .dictionary : .other
    }
}

private protocol KeyedByData {}

// As in Foundation, strategies convert the keys of other types.
extension Dictionary: KeyedByData where Key == String {}

/// A collection of the standard library that is decoded without a container.
protocol DirectlyDecodable {
    /// Returns whether a value needs no container.
    static func canDecode(_ node: JSONNode) -> Bool

    /// Returns the collection.
    static func decode(_ node: JSONNode, by decoder: ValueDecoder) throws -> Self
}

extension Array: DirectlyDecodable where Element: Decodable {
    static func canDecode(_ node: JSONNode) -> Bool { node.kind == .array }

    @specialized(where Element == Int)
    @specialized(where Element == String)
    @specialized(where Element == Double)
    static func decode(_ node: JSONNode, by decoder: ValueDecoder) throws -> [Element] {
        var elements: [Element] = []
        elements.reserveCapacity(Swift.min(node.count, 64))
        var index = 0
        for element in node.elements {
            elements.append(try decoder.decode(Element.self, element) { .element(index) })
            index += 1
        }
        return elements
    }
}

extension Dictionary: DirectlyDecodable where Key == String, Value: Decodable {
    static func canDecode(_ node: JSONNode) -> Bool {
        node.kind == .object && !node.members.contains { $0.key.hasLoneSurrogate }
    }

    @specialized(where Key == String, Value == Int)
    @specialized(where Key == String, Value == String)
    @specialized(where Key == String, Value == Double)
    static func decode(_ node: JSONNode, by decoder: ValueDecoder) throws -> [String: Value] {
        var values: [String: Value] = [:]
        values.reserveCapacity(Swift.min(node.count, 64))
        var duplicates: [String] = []
        for (key, value) in node.members {
            let name = key.string ?? ""
            if values.index(forKey: name) != nil {
                duplicates.append(name)
            } else {
                values[name] = try decoder.decode(Value.self, value) { .entry(name) }
            }
        }
        if !duplicates.isEmpty { try decoder.note(duplicates: duplicates, corrupt: []) }
        return values
    }
}

/// A collection of the standard library that is encoded without a container.
protocol DirectlyEncodable {
    /// Whether the collection is encoded as an object.
    static var isObject: Bool { get }

    /// Encodes the elements to the encoder of the array or object, which has begun.
    func encodeElements(to encoder: ValueEncoder) throws
}

extension Array: DirectlyEncodable where Element: Encodable {
    static var isObject: Bool { false }

    @specialized(where Element == Int)
    @specialized(where Element == String)
    @specialized(where Element == Double)
    func encodeElements(to encoder: ValueEncoder) throws {
        // A span, because an array's iterator copies the elements.
        let elements = span
        for index in elements.indices {
            try encoder.encode(elements[index], { encoder.branch.beginElement(at: encoder.depth) }) { .element(index) }
        }
    }
}

extension Dictionary: DirectlyEncodable where Key == String, Value: Encodable {
    static var isObject: Bool { true }

    func encodeElements(to encoder: ValueEncoder) throws {
        for (name, value) in self {
            try encoder.encode(value, { encoder.branch.beginEntry(name, at: encoder.depth) }) { .entry(name) }
        }
    }
}
