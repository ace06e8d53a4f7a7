import JSONText
import Records

/// The state that the decoders and containers of one decode share.
///
/// A type may keep its decoder after `init(from:)` returns. The document is only valid until the decode ends: `end()`
/// removes it, and every later use of a decoder throws.
final class DecodingState {
    /// The maximum number of shapes that are kept for a type of coding keys.
    private static let maximumShapes = 16

    let configuration: LenientDecoder
    /// Whether scalars of another type are converted.
    let coerces: Bool
    /// Whether optional values that do not decode become nil.
    let skipsMistyped: Bool
    /// Whether U+FFFD replaces lone surrogates.
    let readsLoneSurrogates: Bool
    /// How coding keys match members without a custom strategy.
    let keyMatching: KeyMatching
    /// The scalars that were requested in vain: they keep their type in the requests that follow.
    @exclusivity(unchecked) var refused: Set<UInt32> = []
    // Unchecked here and in the shapes, because Swift would check each access to a property of a class, which took 8 %
    // of an encoding. No method calls out while it accesses one of them.
    /// The shapes of the objects that were read last with each type of coding keys.
    @exclusivity(unchecked) private var shapes: [(list: [ObjectShape], requested: RequestedKeys)] = []
    @exclusivity(unchecked) var collections = CollectionTypes { $0 as? any DirectlyDecodable.Type }

    private var document: JSONNode?
    /// The repairs so far: one value, so that marking it before an optional value takes one access.
    @exclusivity(unchecked) var repairs = Repairs()
    /// Whether members that no coding key matches are reported.
    let reportsUnknownMembers: Bool
    private var madeUserInfo: [CodingUserInfoKey: Any]?

    init(_ document: JSONNode, _ configuration: LenientDecoder, reportsUnknownMembers: Bool) {
        self.document = document
        self.configuration = configuration
        coerces = configuration.leniency.contains(.coercion)
        skipsMistyped = configuration.leniency.contains(.mistypedOptionals)
        readsLoneSurrogates = configuration.leniency.contains(.loneSurrogates)
        self.reportsUnknownMembers = reportsUnknownMembers
        if case .convertFromSnakeCase = configuration.keyDecodingStrategy {
            keyMatching = configuration.leniency.contains(.similarKeys) ? .similar : .converted
        } else {
            keyMatching = .exact
        }
    }

    /// Returns the shape of `object`, which is read with a type of coding keys.
    func shape(of object: JSONNode, for decoder: ValueDecoder, keyedBy type: any CodingKey.Type) -> ObjectShape {
        // No strategy converts the keys of a dictionary, and they are data.
        if decoder.isDictionary { return ObjectShape(of: object, keyedBy: type, .exact) }
        if case .custom(let convert) = configuration.keyDecodingStrategy {
            // The closure may convert a key differently at another path, so the shape is not shared.
            let path = decoder.keys
            return ObjectShape(of: object, keyedBy: type, .exact) {
                convert(path + [RawCodingKey($0)]).stringValue
            }
        }
        // A document is read with few types of coding keys, so a linear search is enough.
        let index = shapes.firstIndex { $0.list[0].keyType == type } ?? shapes.count
        if index == shapes.count { shapes.append(([], RequestedKeys())) }
        if let shape = shapes[index].list.last(where: { $0.describes(object) }) { return shape }
        let shape = ObjectShape(of: object, keyedBy: type, keyMatching, shapes[index].requested)
        if shapes[index].list.count == Self.maximumShapes { shapes[index].list.removeFirst() }
        shapes[index].list.append(shape)
        return shape
    }

    /// Ends the decode and invalidates its decoders.
    func end() {
        document = nil
        // The repairs refer to decoders, which refer to the state.
        repairs = Repairs()
    }

    var isLive: Bool { document != nil }

    /// The root of the document.
    ///
    /// - Throws: `DecodingError` after the decode has ended.
    var root: JSONNode {
        get throws {
            guard let document else { throw Self.outlived }
            return document
        }
    }

    static var outlived: DecodingError {
        .dataCorrupted(
            DecodingError.Context(
                codingPath: [],
                debugDescription: "The decoding has ended. A decoder must not be used after init(from:) returns."))
    }

    /// The configured user info, with a recorder added if it contains none.
    var userInfo: [CodingUserInfoKey: Any] {
        guard isLive else { return [:] }
        if let madeUserInfo { return madeUserInfo }
        var userInfo: [CodingUserInfoKey: Any] = configuration.userInfo
        if userInfo[.driftRecorder] == nil {
            let recorder = DriftRecorder()
            repairs.recorder = recorder
            userInfo[.driftRecorder] = recorder
        }
        madeUserInfo = userInfo
        return userInfo
    }

    /// Notes a repair of the value at `path`.
    func note(_ kind: DriftReport.Kind, _ reason: DriftReport.Reason, at path: ValueDecoder) {
        repairs.drift.note(kind, reason, at: path)
    }
}

extension DecodingState {
    /// Returns the error for a value that cannot be decoded as `type`.
    func failure(_ type: Any.Type, _ node: JSONNode, at path: ValueDecoder) -> DecodingError {
        if node.isNull {
            return .valueNotFound(type, Self.context(path, "Expected a value of type \(type), found null instead."))
        }
        if Self.isSameKind(node, as: type) {
            if node.hasLoneSurrogate { return corrupt("The string has a lone surrogate.", at: path) }
            let value = quote(node, at: path) ?? "The number"
            return corrupt("\(value) is not representable as \(type).", at: path)
        }
        let found = quote(node, at: path) ?? Self.kindName(of: node)
        return .typeMismatch(type, Self.context(path, "Expected a value of type \(type), found \(found) instead."))
    }

    /// Returns the error for a string with the wrong content.
    func unreadable(_ expectation: String, _ node: JSONNode, at path: ValueDecoder) -> DecodingError {
        corrupt("Expected \(expectation), found \(quote(node, at: path) ?? "another string").", at: path)
    }

    /// Returns the start of a scalar as JSON if errors may include values; nil otherwise.
    private func quote(_ node: JSONNode, at path: ValueDecoder) -> String? {
        guard configuration.userInfo[.quotesValues] != nil, let scalar = JSONValue(scalar: node) else { return nil }
        return path.quote(scalar)
    }

    /// Returns the error for a value at `path` with the wrong content.
    func corrupt(_ description: String, at path: ValueDecoder) -> DecodingError {
        .dataCorrupted(Self.context(path, description))
    }

    /// Returns the error for an object that has no member for `key`.
    func missing(_ key: some CodingKey, at path: ValueDecoder) -> DecodingError {
        .keyNotFound(key, Self.context(path, "The object has no member \"\(key.stringValue)\"."))
    }

    /// Returns the error for an array that ends before the element at `path`.
    func exhausted(_ type: Any.Type, at path: ValueDecoder) -> DecodingError {
        .valueNotFound(type, Self.context(path, "The array has no further element."))
    }

    /// Returns whether `type` is decoded from values of this kind.
    static func isSameKind(_ node: JSONNode, as type: Any.Type) -> Bool {
        switch node.kind {
        case .integer, .number: type is any Numeric.Type
        case .string, .escapedString: type == String.self
        default: false
        }
    }

    private static func context(_ path: ValueDecoder, _ description: String) -> DecodingError.Context {
        DecodingError.Context(codingPath: path.keys, debugDescription: description)
    }

    private static func kindName(of node: JSONNode) -> String {
        switch node.kind {
        case .null: "null"
        case .false, .true: "a Boolean"
        case .integer, .number: "a number"
        case .string, .escapedString: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
