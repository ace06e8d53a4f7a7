#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import JSONText

/// The decoder of one value of the document, and its single value container.
final class ValueDecoder: CodingPath, DocumentDecoder, SingleValueDecodingContainer {
    let state: DecodingState
    let step: PathStep
    let parent: ValueDecoder?
    let position: UInt32
    /// Whether the value is decoded as a dictionary, whose keys no strategy converts.
    let isDictionary: Bool

    init(
        _ state: DecodingState, at position: UInt32, _ step: PathStep, of parent: ValueDecoder?,
        isDictionary: Bool = false
    ) {
        self.state = state
        self.step = step
        self.parent = parent
        self.position = position
        self.isDictionary = isDictionary
    }

    /// Returns a decoder with the path of a member, for reports.
    func member(_ key: some CodingKey) -> ValueDecoder { ValueDecoder(state, at: position, .member(key), of: self) }

    var codingPath: [any CodingKey] { state.isLive ? keys : [] }
    var userInfo: [CodingUserInfoKey: Any] { state.userInfo }

    func documentNode() throws -> JSONNode { try state.root.node(at: position) }

    func container<Key>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        let node = try documentNode()
        guard node.kind == .object else { throw state.failure([String: Any].self, node, at: self) }
        return KeyedDecodingContainer(KeyedReader<Key>(self, node))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let node = try documentNode()
        guard node.kind == .array else { throw state.failure([Any].self, node, at: self) }
        return UnkeyedReader(self, node)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        _ = try documentNode()
        return self
    }

    func decodeNil() -> Bool { (try? documentNode())?.isNull == true }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try state.decode(type, documentNode()) { self }
    }

    /// Decodes a value of a type without rules of its own.
    fileprivate func decodeItself<Value: Decodable>(_ type: Value.Type, isObject: Bool) throws -> Value {
        guard isObject, state.dictionaries.contain(type) else { return try Value(from: self) }
        return try Value(from: ValueDecoder(state, at: position, step, of: parent, isDictionary: true))
    }
}

extension DecodingState {
    /// Decodes `node`, whose decoder is only created if it is needed.
    func decode<Value: Decodable>(_ type: Value.Type, _ node: JSONNode, _ decoder: () -> ValueDecoder) throws -> Value {
        if ScalarRules.apply(to: type) { return try decodeByRules(type, node, decoder) }
        return try decoder().decodeItself(type, isObject: node.kind == .object)
    }

    // Specialized, so that the casts take no time: 4 % of decoding a forecast, 2 % of tweets, 0 % of events and builds.
    @specialized(where Value == String)
    @specialized(where Value == Int)
    @specialized(where Value == Double)
    @specialized(where Value == Date)
    @specialized(where Value == URL)
    @inline(never)
    private func decodeByRules<Value: Decodable>(
        _ type: Value.Type, _ node: JSONNode, _ decoder: () -> ValueDecoder
    ) throws -> Value {
        if type == String.self { return try cast(scalar(String.self, node, decoder), node, decoder) }
        if type == Int.self { return try cast(scalar(Int.self, node, decoder), node, decoder) }
        if type == Double.self { return try cast(scalar(Double.self, node, decoder), node, decoder) }
        if type == Date.self { return try cast(date(node, decoder), node, decoder) }
        if type == URL.self { return try cast(url(node, decoder), node, decoder) }
        if type == Decimal.self { return try cast(decimal(node, decoder), node, decoder) }
        if type == Data.self { return try cast(data(node, decoder), node, decoder) }
        throw failure(type, node, at: decoder())
    }

    /// Casts a value to its dynamic type, which is `Value`.
    @inline(never)
    private func cast<Source, Value>(_ value: Source, _ node: JSONNode, _ decoder: () -> ValueDecoder) throws -> Value {
        guard let value = value as? Value else { throw failure(Value.self, node, at: decoder()) }
        return value
    }

    /// Decodes an optional value; returns nil if it is invalid and the decoder tolerates that.
    func decodeIfValid<Value: Decodable>(
        _ type: Value.Type, _ node: JSONNode, _ decoder: () -> ValueDecoder
    ) throws -> Value? {
        guard skipsMistyped else { return try decode(type, node, decoder) }
        let mark = repairs.mark()
        do {
            let value = try decode(type, node, decoder)
            repairs.keep(mark)
            return value
        } catch {
            repairs.rollBack(to: mark)
            _ = try root
            let path = decoder()
            note(.dropped, Self.reason(of: error, at: path), at: path)
            return nil
        }
    }

    /// Returns the reason in the report for an optional value that failed with `error`.
    private static func reason(of error: any Error, at path: ValueDecoder) -> DriftReport.Reason {
        guard case DecodingError.typeMismatch(_, let context) = error else { return .invalid }
        return context.codingPath.count == path.keys.count ? .mistyped : .invalid
    }
}

/// The types that are not decoded by their own `init(from:)`, nor encoded by their own `encode(to:)`.
enum ScalarRules {
    /// Returns whether values of a type are decoded and encoded by the rules of this module.
    ///
    /// The first three types only take a shorter way; the others have strategies or rules of their own.
    @inline(__always)
    static func apply(to type: Any.Type) -> Bool {
        type == String.self || type == Int.self || type == Double.self || type == Date.self || type == URL.self
            || type == Decimal.self || type == Data.self
    }
}

/// A dictionary that the standard library encodes as an object, whose keys no strategy converts.
private protocol KeyedByData {}

extension Dictionary: KeyedByData where Key: CodingKeyRepresentable {}

/// Knows which types are dictionaries.
struct DictionaryTypes {
    /// The last type that is no dictionary, because elements of one array mostly have one type.
    ///
    /// Measured: 5 % of decoding and encoding a forecast, 7 % of Jenkins builds, at most 1 % of tweets and GitHub events.
    private var lastOther: Any.Type?

    /// Returns whether the standard library encodes values of a type as objects whose keys are data.
    mutating func contain(_ type: Any.Type) -> Bool {
        if let lastOther, lastOther == type { return false }
        if type is any KeyedByData.Type { return true }
        lastOther = type
        return false
    }
}

// MARK: Types that do not use their own init(from:)

extension DecodingState {
    @inline(__always)
    private func scalar<Value: Scalar>(
        _ type: Value.Type, _ node: JSONNode, _ decoder: () -> ValueDecoder
    ) throws -> Value {
        if let value = Value.read(node) { return value }
        return try convert(node, at: decoder())
    }

    private func date(_ node: JSONNode, _ decoder: () -> ValueDecoder) throws -> Date {
        switch configuration.dateDecodingStrategy {
        case .deferredToDate: Date(timeIntervalSinceReferenceDate: try scalar(Double.self, node, decoder))
        case .secondsSince1970: Date(timeIntervalSince1970: try scalar(Double.self, node, decoder))
        case .millisecondsSince1970: Date(timeIntervalSince1970: try scalar(Double.self, node, decoder) / 1000)
        case .iso8601: try date(node, decoder, ISO8601.date)
        case .format(let format): try date(node, decoder, format.date)
        case .custom(let read): try read(decoder())
        }
    }

    private func date(_ node: JSONNode, _ decoder: () -> ValueDecoder, _ parse: (String) -> Date?) throws -> Date {
        guard node.isString else { throw failure(String.self, node, at: decoder()) }
        guard let date = parse(try scalar(String.self, node, decoder)) else {
            throw Self.corrupted("The string is not a date in the expected format.", at: decoder())
        }
        return date
    }

    private func url(_ node: JSONNode, _ decoder: () -> ValueDecoder) throws -> URL {
        guard let url = URL(string: try scalar(String.self, node, decoder)) else {
            throw Self.corrupted("The string is not a URL.", at: decoder())
        }
        return url
    }

    private func decimal(_ node: JSONNode, _ decoder: () -> ValueDecoder) throws -> Decimal {
        if node.isNumber, let value = Decimal(string: String(decoding: node.text, as: UTF8.self)), value.isFinite {
            return value
        }
        guard coerces, node.isString, let value = JSONScalar(node)?.coerced(to: Decimal.self)?.value
        else { throw failure(Decimal.self, node, at: decoder()) }
        note(.coerced, .numericString, at: decoder())
        return value
    }

    private func data(_ node: JSONNode, _ decoder: () -> ValueDecoder) throws -> Data {
        switch configuration.dataDecodingStrategy {
        case .deferredToData: return try Data(from: decoder())
        case .custom(let read): return try read(decoder())
        case .base64:
            guard let data = Data(base64Encoded: try scalar(String.self, node, decoder)) else {
                throw Self.corrupted("The string is not valid base64.", at: decoder())
            }
            return data
        }
    }

    private static func corrupted(_ description: String, at path: ValueDecoder) -> DecodingError {
        .dataCorrupted(DecodingError.Context(codingPath: path.keys, debugDescription: description))
    }
}

// MARK: Scalars

extension ValueDecoder {
    @inline(__always)
    private func scalar<Value: Scalar>() throws -> Value {
        let node = try documentNode()
        if let value = Value.read(node) { return value }
        return try state.convert(node, at: self)
    }

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
