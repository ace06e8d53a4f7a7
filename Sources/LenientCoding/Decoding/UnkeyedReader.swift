import JSONText

/// The elements of an array as an unkeyed container.
///
/// It moves on when an element has been decoded, not when it has failed to, as Foundation's does.
struct UnkeyedReader: UnkeyedDecodingContainer {
    // Three words in all, so that it lies in its existential without memory of its own.
    private let session: DecodingSession
    private let array: UInt32
    private var position: UInt32
    private var index: UInt32 = 0
    private let place: Place

    init(_ session: DecodingSession, _ node: JSONNode, _ place: Place) {
        self.session = session
        self.place = place
        array = node.position
        position = node.firstPosition
    }

    var codingPath: [any CodingKey] { session.codingPath(place) }
    var count: Int? { session.isLive ? session.node(array).count : 0 }
    var currentIndex: Int { Int(index) }

    var isAtEnd: Bool {
        @inline(__always) get { !session.isLive || position == session.node(array).nextPosition }
    }

    mutating func decodeNil() throws -> Bool {
        try checkElement(Never.self)
        guard session.node(position).isNull else { return false }
        advance()
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try checkElement(type)
        let value = try session.value(type, at: position, session.step(from: place, intoElement: currentIndex))
        advance()
        return value
    }

    mutating func nestedContainer<NestedKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try checkElement(KeyedDecodingContainer<NestedKey>.self)
        let container: KeyedDecodingContainer<NestedKey> = try session.keyedContainer(at: position, handOut())
        advance()
        return container
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try checkElement((any UnkeyedDecodingContainer).self)
        let container = try session.unkeyedContainer(at: position, handOut())
        advance()
        return container
    }

    mutating func superDecoder() throws -> any Decoder {
        try checkElement((any Decoder).self)
        let decoder = ValueDecoder(session: session, position: position, place: handOut())
        advance()
        return decoder
    }

    private func handOut() -> Place { session.handOut(from: place, element: currentIndex) }

    @inline(__always)
    private mutating func advance() {
        position = session.node(position).nextPosition
        index &+= 1
    }

    @inline(__always)
    private func checkElement(_ type: Any.Type) throws {
        if isAtEnd { throw session.exhausted(type, session.step(from: place, intoElement: currentIndex)) }
    }
}

extension UnkeyedReader {
    @inline(__always)
    private mutating func scalar<Value: Scalar>() throws -> Value {
        try checkElement(Value.self)
        let value =
            try Value.read(session.node(position))
            ?? session.converted(at: position, session.step(from: place, intoElement: currentIndex))
        advance()
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
