#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An encoder whose result is an `AnyCodable`: dates and data stay what they are, for the strategies of a later encoder.
struct AnyEncoder: Encoder {
    /// The value that one encoder encodes; a container is filled after the call that made it.
    fileprivate final class Node {
        var leaf = AnyCodable.Storage.null
        var elements: [Node]?
        var members: [String: Node]?

        var any: AnyCodable {
            if let elements { return AnyCodable(storage: .array(elements.map(\.any))) }
            if let members { return AnyCodable(storage: .object(members.mapValues(\.any))) }
            return AnyCodable(storage: leaf)
        }
    }

    private let node: Node
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// The maximum depth of a value, which is encoded with recursion.
    private static let maximumDepth = 512

    fileprivate init(_ node: Node, _ codingPath: [any CodingKey]) {
        self.node = node
        self.codingPath = codingPath
    }

    /// Encodes a value.
    ///
    /// - Throws: the value's error, or `EncodingError` for a value deeper than 512 levels.
    static func tree(of value: any Encodable) throws -> AnyCodable {
        let node = Node()
        try value.encode(to: AnyEncoder(node, []))
        return node.any
    }

    /// Encodes an inner value; a type that ``AnyCodable`` knows is not asked to encode itself.
    fileprivate static func encode(_ value: some Encodable, into node: Node, at path: [any CodingKey]) throws {
        guard path.count <= maximumDepth else {
            throw EncodingError.invalidValue(
                type(of: value),
                EncodingError.Context(codingPath: path, debugDescription: "nested \(path.count) levels deep"))
        }
        if let storage = AnyCodable.Storage(leaf: value) {
            node.leaf = storage
        } else {
            try value.encode(to: AnyEncoder(node, path))
        }
    }

    func container<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        node.members = node.members ?? [:]
        return KeyedEncodingContainer(Keyed<Key>(node: node, codingPath: codingPath))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        node.elements = node.elements ?? []
        return Unkeyed(node: node, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { Single(node: node, codingPath: codingPath) }
}

extension AnyEncoder {
    private struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let node: Node
        let codingPath: [any CodingKey]

        private func child(_ key: some CodingKey) -> Node {
            let child = Node()
            node.members?[key.stringValue] = child
            return child
        }

        func encodeNil(forKey key: Key) { _ = child(key) }

        func encode(_ value: some Encodable, forKey key: Key) throws {
            try AnyEncoder.encode(value, into: child(key), at: codingPath + [key])
        }

        func nestedContainer<Nested>(keyedBy type: Nested.Type, forKey key: Key) -> KeyedEncodingContainer<Nested> {
            AnyEncoder(child(key), codingPath + [key]).container(keyedBy: type)
        }

        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
            AnyEncoder(child(key), codingPath + [key]).unkeyedContainer()
        }

        func superEncoder() -> any Encoder {
            AnyEncoder(child(RawCodingKey.superclass), codingPath + [RawCodingKey.superclass])
        }

        func superEncoder(forKey key: Key) -> any Encoder { AnyEncoder(child(key), codingPath + [key]) }
    }

    private struct Unkeyed: UnkeyedEncodingContainer {
        let node: Node
        let codingPath: [any CodingKey]
        var count: Int { node.elements?.count ?? 0 }

        private func child() -> Node {
            let child = Node()
            node.elements?.append(child)
            return child
        }

        /// The path of the next element.
        private var path: [any CodingKey] { codingPath + [RawCodingKey(element: count)] }

        func encodeNil() { _ = child() }

        func encode(_ value: some Encodable) throws {
            let path = path
            try AnyEncoder.encode(value, into: child(), at: path)
        }

        func nestedContainer<Nested>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
            let path = path
            return AnyEncoder(child(), path).container(keyedBy: type)
        }

        func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
            let path = path
            return AnyEncoder(child(), path).unkeyedContainer()
        }

        func superEncoder() -> any Encoder {
            let path = path
            return AnyEncoder(child(), path)
        }
    }

    private struct Single: SingleValueEncodingContainer {
        let node: Node
        let codingPath: [any CodingKey]

        func encodeNil() { node.leaf = .null }

        func encode(_ value: some Encodable) throws { try AnyEncoder.encode(value, into: node, at: codingPath) }
    }
}

/// Conversions between the numbers of Swift and Foundation's `NSNumber`, which `JSONSerialization` makes.
///
/// FoundationEssentials has no `NSNumber`. Foundation bridges the numbers of Swift to it at run time, also on Linux, so a
/// process that uses Foundation has it here without an import.
enum ObjectNumber {
    /// Returns the `NSNumber` of a number or a Boolean; the value itself in a process without Foundation.
    static func object(_ value: Any) -> Any { bridged(value).map { $0 as Any } ?? value }

    /// Returns the storage of an `NSNumber`; nil for other values.
    ///
    /// A whole number becomes an integer: `NSNumber` does not tell 53 from 53.0 by casts.
    static func storage(of value: Any) -> AnyCodable.Storage? {
        guard type(of: value) is AnyClass else { return nil }
        if let truth = boolean(value as AnyObject) { return .bool(truth) }
        if let integer = value as? Int64 { return .int(integer) }
        if let integer = value as? UInt64 { return .uint(integer) }
        if let decimal = value as? Decimal { return .decimal(decimal) }
        return (value as? Double).map { .double($0) }
    }

    /// Foundation has one object for each Boolean; an `NSNumber` of 1 is another object.
    private static func boolean(_ object: AnyObject) -> Bool? {
        [true, false].first { bridged($0) === object }
    }

    private static func bridged(_ value: Any) -> AnyObject? {
        func bridge<Value: _ObjectiveCBridgeable>(_ value: Value) -> AnyObject { value._bridgeToObjectiveC() }
        return (value as? any _ObjectiveCBridgeable).map { bridge($0) }
    }
}
