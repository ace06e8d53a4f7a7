import JSONText

/// The unkeyed decoding container of an array.
///
/// As in Foundation, it does not advance past an element that does not decode.
struct UnkeyedReader: UnkeyedDecodingContainer {
    /// The decoder of the array.
    private let decoder: ValueDecoder
    private var position: UInt32
    private(set) var currentIndex = 0
    private var state: DecodingState { decoder.state }

    init(_ decoder: ValueDecoder, _ array: JSONNode) {
        self.decoder = decoder
        position = array.firstPosition
    }

    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { (try? decoder.documentNode().count) ?? 0 }
    var isAtEnd: Bool { (try? decoder.documentNode().nextPosition == position) ?? true }

    mutating func decodeNil() throws -> Bool {
        let node = try node(Never.self)
        guard node.isNull else { return false }
        advance(past: node)
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let node = try node(type)
        let value = try decoder.decode(type, node) { .element(currentIndex) }
        advance(past: node)
        return value
    }

    mutating func nestedContainer<NestedKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        let node = try node(KeyedDecodingContainer<NestedKey>.self)
        let container = try element.container(keyedBy: type)
        advance(past: node)
        return container
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let node = try node((any UnkeyedDecodingContainer).self)
        let container = try element.unkeyedContainer()
        advance(past: node)
        return container
    }

    mutating func superDecoder() throws -> any Decoder {
        let node = try node((any Decoder).self)
        let decoder = element
        advance(past: node)
        return decoder
    }

    /// The decoder of the next element.
    private var element: ValueDecoder { decoder.child(at: position, .element(currentIndex)) }

    /// Returns the next element, which will be decoded as `type`.
    private func node(_ type: Any.Type) throws -> JSONNode {
        let root = try state.root
        if position == root.node(at: decoder.position).nextPosition { throw state.exhausted(type, at: element) }
        return root.node(at: position)
    }

    private mutating func advance(past node: JSONNode) {
        position = node.nextPosition
        currentIndex += 1
    }
}

// The type is known in the requirements for scalars, so they create no decoder.
extension UnkeyedReader {
    @inline(__always)
    private mutating func scalar<Value: Scalar>() throws -> Value {
        let node = try node(Value.self)
        let value: Value
        if let read = Value.read(node) {
            value = read
        } else {
            value = try state.convert(node, at: element, isDeclared: true)
        }
        advance(past: node)
        return value
    }

    @inline(__always)
    mutating func decode<Value: Scalar>(_ type: Value.Type) throws -> Value { try scalar() }
    // Stated: the requirements for integers of 128 bits have default implementations, which fail.
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try scalar() }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try scalar() }
}
