import JSONText
import Records

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
        guard configuration.userInfo[.quotesValues] != nil, let scalar = JSONScalar(node) else { return nil }
        return path.quote(.leaf(scalar))
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
