#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import JSONText

/// The decoder of one value of the document, and its single value container.
///
/// The values in one array or object mostly use one decoder in turns; see `recycle`.
final class ValueDecoder: CodingPath, DocumentDecoder, SingleValueDecodingContainer {
    let state: DecodingState
    // Unchecked as in `DecodingState`: no code of a model runs while one of these is accessed.
    @exclusivity(unchecked) private(set) var step: PathStep
    @exclusivity(unchecked) private(set) var parent: ValueDecoder?
    @exclusivity(unchecked) private(set) var position: UInt32
    @exclusivity(unchecked) private var pattern: UInt64?
    /// Whether the value is decoded as a dictionary, whose keys no strategy converts.
    let isDictionary: Bool
    /// The shape of the value after a keyed container was made, or of an earlier value.
    @exclusivity(unchecked) private(set) var shape: ObjectShape?
    /// The positions of the members' values.
    @exclusivity(unchecked) private var positions: [UInt32] = []
    /// Whether a keyed container was made of the value.
    @exclusivity(unchecked) private var isOpen = false
    /// A decoder for the next value in this one.
    @exclusivity(unchecked) private var spare: ValueDecoder?

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

    /// A hash of the path that ignores the indices of elements.
    var patternHash: UInt64 {
        if let pattern { return pattern }
        let hash = parent.map { step.patternHash(in: $0.patternHash) } ?? 0
        pattern = hash
        return hash
    }

    var codingPath: [any CodingKey] { state.isLive ? keys : [] }
    var userInfo: [CodingUserInfoKey: Any] { state.userInfo }

    func documentNode() throws -> JSONNode { try state.root.node(at: position) }

    func noteLoneSurrogate() throws {
        guard state.readsLoneSurrogates else { throw state.corrupt("A string has a lone surrogate.", at: self) }
        state.note(.coerced, .loneSurrogate, at: self)
    }

    func container<Key>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        let node = try documentNode()
        guard node.kind == .object else { throw state.failure([String: Any].self, node, at: self) }
        if isOpen {
            return try ValueDecoder(state, at: position, step, of: parent, isDictionary: isDictionary)
                .container(keyedBy: type)
        }
        let shape: ObjectShape
        if let last = self.shape, last.isShared, last.keyType == type, last.describes(node) {
            shape = last
        } else {
            shape = state.shape(of: node, for: self, keyedBy: type)
            self.shape = shape
        }
        positions.removeAll(keepingCapacity: true)
        for (_, value) in node.members { positions.append(value.position) }
        isOpen = true
        if shape.hasFaultyNames { try note(duplicates: shape.overriddenNames, corrupt: shape.corruptNames) }
        if state.reportsUnknownMembers, !isDictionary {
            state.repairs.unknownMembers.note(shape.unknownNames(type), in: position, self)
        }
        return KeyedDecodingContainer(KeyedReader<Key>(self))
    }

    /// Notes the faulty names of the object's members.
    ///
    /// - Throws: `DecodingError` if a name has a lone surrogate that the decoder does not tolerate.
    func note(duplicates: [String], corrupt: [String]) throws {
        if !state.readsLoneSurrogates, let name = corrupt.first {
            throw state.corrupt("The key \"\(name)\" has a lone surrogate.", at: self)
        }
        state.repairs.note(duplicates: duplicates, corrupt: corrupt, of: position, self)
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

    /// Decodes the value for the single value container, where it keeps its own type.
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let node = try documentNode()
        if ScalarRules.apply(to: type) { return try state.decodeByRules(type, node, isDeclared: false) { self } }
        return try decodeItself(type, node)
    }

    /// Decodes the value as the type that a model declares for it, with the repairs of the decoder.
    func decodeDeclared<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let node = try documentNode()
        if ScalarRules.apply(to: type) { return try state.decodeByRules(type, node, isDeclared: true) { self } }
        return try state.coerces ? decodeCoercing(type, node) : decodeItself(type, node)
    }

    /// Decodes a value of a type without rules of its own, or one that a scalar converts to.
    ///
    /// Not inlined: inlined, its optional value costs a metadata lookup per value, 6 % of decoding small objects.
    @inline(never)
    private func decodeCoercing<Value: Decodable>(_ type: Value.Type, _ node: JSONNode) throws -> Value {
        try decodeCoercible(type, node) ?? decodeItself(type, node)
    }

    /// Decodes a value of a type without rules of its own.
    private func decodeItself<Value: Decodable>(_ type: Value.Type, _ node: JSONNode) throws -> Value {
        guard node.kind == .object || node.kind == .array else { return try Value(from: self) }
        switch state.collections.kind(of: type) {
        case .other: return try Value(from: self)
        case .direct(let collection):
            guard collection.canDecode(node) else { fallthrough }
            return try decodeDirectly(collection, as: type, node)
        case .dictionary:
            return try Value(from: ValueDecoder(state, at: position, step, of: parent, isDictionary: true))
        }
    }

    /// Decodes a collection, whose type is `Value`, without a container.
    private func decodeDirectly<Collection: DirectlyDecodable, Value>(
        _ collection: Collection.Type, as type: Value.Type, _ node: JSONNode
    ) throws -> Value {
        switch try Collection.decode(node, by: self) {
        case let value as Value: return value
        default: throw state.failure(type, node, at: self)
        }
    }

    // MARK: Values in this one

    /// Returns a decoder of a value in this one.
    func child(at position: UInt32, _ step: consuming PathStep) -> ValueDecoder {
        guard let child = spare.take() else { return ValueDecoder(state, at: position, step, of: self) }
        child.position = position
        child.pattern = nil
        // Swapped, because an assignment would run the deinitializer of a model's key during the access.
        swap(&child.step, &step)
        child.parent = self
        return child
    }

    /// Keeps a decoder for the next value in the same parent, unless the model still refers to it.
    ///
    /// A spare decoder has no parent, so that it is in no cycle of references.
    static func recycle(_ decoder: consuming ValueDecoder) {
        guard isKnownUniquelyReferenced(&decoder), let parent = decoder.parent.take() else { return }
        decoder.isOpen = false
        parent.spare = consume decoder
    }

    /// Decodes a value in this one.
    @inline(__always)
    func decode<Value: Decodable>(_ type: Value.Type, _ node: JSONNode, _ step: () -> PathStep) throws -> Value {
        if ScalarRules.apply(to: type) {
            return try state.decodeByRules(type, node, isDeclared: true) { child(at: node.position, step()) }
        }
        let decoder = child(at: node.position, step())
        let value =
            try state.coerces ? decoder.decodeCoercing(type, node) : decoder.decodeItself(type, node)
        Self.recycle(consume decoder)
        return value
    }

    /// Decodes an optional value in this one; returns nil if it is invalid and the decoder tolerates that.
    @inline(__always)
    func decodeIfValid<Value: Decodable>(
        _ type: Value.Type, _ node: JSONNode, _ step: () -> PathStep
    ) throws -> Value? {
        guard state.skipsMistyped else { return try decode(type, node, step) }
        let mark = state.repairs.mark()
        do {
            let value = try decode(type, node, step)
            state.repairs.keep(mark)
            return value
        } catch {
            try state.drop(error, at: child(at: node.position, step()), mark)
            return nil
        }
    }

    /// Returns the value of the member that the coding key called `name` matches.
    @inline(never)
    func value(of name: String) throws -> JSONNode? {
        let node = try documentNode()
        return shape?.ordinal(of: name).map { node.node(at: positions[$0]) }
    }
}

extension DecodingState {
    /// Notes that an optional value was dropped because of an error, and removes its repairs.
    fileprivate func drop(_ error: any Error, at path: ValueDecoder, _ mark: Repairs.Mark) throws {
        repairs.rollBack(to: mark)
        _ = try root
        note(.dropped, Self.reason(of: error, at: path), at: path)
    }

    /// Returns the reason in the report for an optional value that failed with `error`.
    private static func reason(of error: any Error, at path: ValueDecoder) -> DriftReport.Reason {
        guard case DecodingError.typeMismatch(_, let context) = error else { return .invalid }
        return context.codingPath.count == path.keys.count ? .mistyped : .invalid
    }
}

// MARK: Scalars

extension ValueDecoder {
    @inline(__always)
    private func scalar<Value: Scalar>() throws -> Value {
        let node = try documentNode()
        if let value = Value.read(node) { return value }
        return try state.convert(node, at: self, isDeclared: false)
    }

    @inline(__always)
    func decode<Value: Scalar>(_ type: Value.Type) throws -> Value { try scalar() }
    // Stated: the requirements for integers of 128 bits have default implementations, which fail.
    func decode(_ type: Int128.Type) throws -> Int128 { try scalar() }
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
