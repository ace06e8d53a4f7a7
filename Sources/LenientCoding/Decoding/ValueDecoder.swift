#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import JSONText

/// The decoder of one value of the document, and its single value container.
struct ValueDecoder: DocumentDecoder, SingleValueDecodingContainer {
    // These fields fit into three words, so that an existential stores them without an allocation.
    let state: DecodingState
    let path: CodingPath
    let position: UInt32
    /// Whether the value is decoded as a dictionary, whose keys no strategy converts.
    private var isDictionary = false

    init(_ state: DecodingState, at position: UInt32, _ path: CodingPath) {
        self.state = state
        self.path = path
        self.position = position
    }

    var codingPath: [any CodingKey] { state.isLive ? path.keys : [] }
    var userInfo: [CodingUserInfoKey: Any] { state.userInfo }

    func documentNode() throws -> JSONNode { try state.root.node(at: position) }

    func container<Key>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        let node = try documentNode()
        guard node.kind == .object else { throw state.failure([String: Any].self, node, at: path) }
        return KeyedDecodingContainer(KeyedReader<Key>(state, node, isDictionary: isDictionary, path))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let node = try documentNode()
        guard node.kind == .array else { throw state.failure([Any].self, node, at: path) }
        return UnkeyedReader(state, node, path)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        _ = try documentNode()
        return self
    }

    func decodeNil() -> Bool { (try? documentNode())?.isNull == true }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let node = try documentNode()
        // The first three types only take a shorter way; the others have strategies or rules of their own.
        if type == String.self { return try cast(scalar(node) as String) }
        if type == Int.self { return try cast(scalar(node) as Int) }
        if type == Double.self { return try cast(scalar(node) as Double) }
        if type == Date.self { return try cast(date(node)) }
        if type == URL.self { return try cast(url(node)) }
        if type == Decimal.self { return try cast(decimal(node)) }
        if type == Data.self { return try cast(data(node)) }
        var decoder = self
        decoder.isDictionary = node.kind == .object && type is any KeyedByData.Type
        return try Value(from: decoder)
    }

    /// Casts `value` to its dynamic type, which is `Value`.
    @inline(never)
    private func cast<Source, Value>(_ value: Source) throws -> Value {
        guard let value = value as? Value else { throw state.failure(Value.self, try documentNode(), at: path) }
        return value
    }

    /// Decodes an optional value; returns nil if it is invalid and the decoder tolerates that.
    func decodeIfValid<Value: Decodable>(_ type: Value.Type) throws -> Value? {
        guard state.skipsMistyped else { return try decode(type) }
        let mark = state.repairs.mark()
        do {
            let value = try decode(type)
            state.repairs.keep(mark)
            return value
        } catch {
            state.repairs.rollBack(to: mark)
            _ = try state.root
            state.note(.dropped, reason(of: error), at: path)
            return nil
        }
    }

    /// Returns the reason in the report for an optional value that failed with `error`.
    private func reason(of error: any Error) -> DriftReport.Reason {
        guard case DecodingError.typeMismatch(_, let context) = error else { return .invalid }
        return context.codingPath.count == path.keys.count ? .mistyped : .invalid
    }
}

/// A dictionary that the standard library encodes as an object, whose keys no strategy converts.
protocol KeyedByData {}

extension Dictionary: KeyedByData where Key: CodingKeyRepresentable {}

// MARK: Types that do not use their own init(from:)

extension ValueDecoder {
    private func date(_ node: JSONNode) throws -> Date {
        switch state.configuration.dateDecodingStrategy {
        case .deferredToDate: Date(timeIntervalSinceReferenceDate: try scalar(node))
        case .secondsSince1970: Date(timeIntervalSince1970: try scalar(node))
        case .millisecondsSince1970: Date(timeIntervalSince1970: try scalar(node) / 1000)
        case .iso8601: try date(node, ISO8601.date)
        case .format(let format): try date(node, format.date)
        case .custom(let read): try read(self)
        }
    }

    private func date(_ node: JSONNode, _ parse: (String) -> Date?) throws -> Date {
        guard node.isString else { throw state.failure(String.self, node, at: path) }
        guard let date = parse(try scalar(node)) else {
            throw corrupted("The string is not a date in the expected format.")
        }
        return date
    }

    private func url(_ node: JSONNode) throws -> URL {
        guard let url = URL(string: try scalar(node)) else { throw corrupted("The string is not a URL.") }
        return url
    }

    private func decimal(_ node: JSONNode) throws -> Decimal {
        if node.isNumber, let value = Decimal(string: String(decoding: node.text, as: UTF8.self)), value.isFinite {
            return value
        }
        guard state.coerces, node.isString, let value = JSONScalar(node)?.coerced(to: Decimal.self)?.value
        else { throw state.failure(Decimal.self, node, at: path) }
        state.note(.coerced, .numericString, at: path)
        return value
    }

    private func data(_ node: JSONNode) throws -> Data {
        switch state.configuration.dataDecodingStrategy {
        case .deferredToData: return try Data(from: self)
        case .custom(let read): return try read(self)
        case .base64:
            guard let data = Data(base64Encoded: try scalar(node) as String) else {
                throw corrupted("The string is not valid base64.")
            }
            return data
        }
    }

    private func corrupted(_ description: String) -> DecodingError {
        .dataCorrupted(DecodingError.Context(codingPath: path.keys, debugDescription: description))
    }
}

// MARK: Scalars

extension ValueDecoder {
    @inline(__always)
    private func scalar<Value: Scalar>(_ node: JSONNode) throws -> Value {
        if let value = Value.read(node) { return value }
        return try state.convert(node, at: path)
    }

    @inline(__always)
    private func scalar<Value: Scalar>() throws -> Value { try scalar(documentNode()) }

    func decode(_ type: Bool.Type) throws -> Bool { try scalar() }
    func decode(_ type: String.Type) throws -> String { try scalar() }
    func decode(_ type: Double.Type) throws -> Double { try scalar() }
    func decode(_ type: Float.Type) throws -> Float { try scalar() }
    func decode(_ type: Int.Type) throws -> Int { try scalar() }
    func decode(_ type: Int8.Type) throws -> Int8 { try scalar() }
    func decode(_ type: Int16.Type) throws -> Int16 { try scalar() }
    func decode(_ type: Int32.Type) throws -> Int32 { try scalar() }
    func decode(_ type: Int64.Type) throws -> Int64 { try scalar() }
    func decode(_ type: Int128.Type) throws -> Int128 { try scalar() }
    func decode(_ type: UInt.Type) throws -> UInt { try scalar() }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try scalar() }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try scalar() }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try scalar() }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try scalar() }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try scalar() }
}

/// The decoder of a superclass for which the object has no member, see `superDecoder()`.
struct AbsentValue: Decoder, SingleValueDecodingContainer {
    let codingPath: [any CodingKey]
    let userInfo: [CodingUserInfoKey: Any]

    func container<Key>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        throw absent([String: Any].self)
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw absent([Any].self) }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
    func decodeNil() -> Bool { true }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { throw absent(type) }

    private func absent(_ type: Any.Type) -> DecodingError {
        .valueNotFound(
            type,
            DecodingError.Context(codingPath: codingPath, debugDescription: "The object has no such member."))
    }
}
