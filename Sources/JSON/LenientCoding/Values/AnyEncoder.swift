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

        func superEncoder() -> any Encoder { AnyEncoder(child(PathKey.superclass), codingPath + [PathKey.superclass]) }

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
        private var path: [any CodingKey] { codingPath + [PathKey(element: count)] }

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
