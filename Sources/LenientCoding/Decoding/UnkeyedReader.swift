import JSONText

/// The unkeyed decoding container of an array.
///
/// As in Foundation, it does not advance past an element that does not decode.
struct UnkeyedReader: UnkeyedDecodingContainer {
    private let state: DecodingState
    private let path: CodingPath
    private let array: UInt32
    private var position: UInt32
    private(set) var currentIndex = 0

    init(_ state: DecodingState, _ node: JSONNode, _ path: CodingPath) {
        self.state = state
        self.path = path
        array = node.position
        position = node.firstPosition
    }

    var codingPath: [any CodingKey] { state.isLive ? path.keys : [] }
    var count: Int? { (try? state.root.node(at: array).count) ?? 0 }
    var isAtEnd: Bool { (try? state.root.node(at: array).nextPosition == position) ?? true }

    mutating func decodeNil() throws -> Bool {
        guard try element(Never.self).decodeNil() else { return false }
        try advance()
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let value = try element(type).decode(type)
        try advance()
        return value
    }

    mutating func nestedContainer<NestedKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        let container = try element(KeyedDecodingContainer<NestedKey>.self).container(keyedBy: type)
        try advance()
        return container
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let container = try element((any UnkeyedDecodingContainer).self).unkeyedContainer()
        try advance()
        return container
    }

    mutating func superDecoder() throws -> any Decoder {
        let decoder = try element((any Decoder).self)
        try advance()
        return decoder
    }

    /// Returns the decoder of the next element, which will be decoded as `type`.
    private func element(_ type: Any.Type) throws -> ValueDecoder {
        let root = try state.root
        let path = CodingPath.element(currentIndex, of: path)
        if position == root.node(at: array).nextPosition { throw state.exhausted(type, at: path) }
        return ValueDecoder(state, at: position, path)
    }

    private mutating func advance() throws {
        position = try state.root.node(at: position).nextPosition
        currentIndex += 1
    }
}

// The type is known in the requirements for scalars, so they create no decoder.
extension UnkeyedReader {
    @inline(__always)
    private mutating func scalar<Value: Scalar>() throws -> Value {
        let root = try state.root
        if position == root.node(at: array).nextPosition {
            throw state.exhausted(Value.self, at: .element(currentIndex, of: path))
        }
        let node = root.node(at: position)
        let value: Value
        if let read = Value.read(node) {
            value = read
        } else {
            value = try state.convert(node, at: .element(currentIndex, of: path))
        }
        position = node.nextPosition
        currentIndex += 1
        return value
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool { try scalar() }
    mutating func decode(_ type: String.Type) throws -> String { try scalar() }
    mutating func decode(_ type: Double.Type) throws -> Double { try scalar() }
    mutating func decode(_ type: Float.Type) throws -> Float { try scalar() }
    mutating func decode(_ type: Int.Type) throws -> Int { try scalar() }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try scalar() }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { try scalar() }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try scalar() }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try scalar() }
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try scalar() }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try scalar() }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try scalar() }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try scalar() }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try scalar() }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try scalar() }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try scalar() }
}
