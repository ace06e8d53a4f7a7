import JSONText

extension DecodingSession {
    /// Why the value at `position` is not a `type`.
    @inline(never)
    func failure(_ type: Any.Type, at position: UInt32, _ place: Place) -> any Error {
        guard isLive else { return Self.outlived }
        let node = node(position)
        let path = codingPath(place)
        if node.isNull {
            return DecodingError.valueNotFound(
                type, Self.context(path, "Expected a value of type \(type), found null instead."))
        }
        if Self.isRightKind(node, for: type) {
            let text = Self.excerpt(node)
            return DecodingError.dataCorrupted(Self.context(path, "\(text) is not representable as \(type)."))
        }
        return DecodingError.typeMismatch(
            type, Self.context(path, "Expected a value of type \(type), found \(Self.name(of: node)) instead."))
    }

    /// No member is called `key`.
    @inline(never)
    func missing(_ key: some CodingKey, _ place: Place) -> any Error {
        guard isLive else { return Self.outlived }
        return DecodingError.keyNotFound(
            key, Self.context(codingPath(place), "No member is called \"\(key.stringValue)\"."))
    }

    /// The array at `place` has no further element.
    @inline(never)
    func exhausted(_ type: Any.Type, _ place: Place) -> any Error {
        guard isLive else { return Self.outlived }
        return DecodingError.valueNotFound(
            type, Self.context(codingPath(place), "The array has no further element."))
    }

    /// The string at `place` does not spell a `type`.
    @inline(never)
    func corrupted(_ description: String, _ place: Place) -> any Error {
        DecodingError.dataCorrupted(Self.context(codingPath(place), description))
    }

    private static func context(_ path: [any CodingKey], _ description: String) -> DecodingError.Context {
        DecodingError.Context(codingPath: path, debugDescription: description)
    }

    static func isRightKind(_ node: JSONNode, for type: Any.Type) -> Bool {
        switch node.kind {
        case .integer, .number: type != Bool.self && type != String.self && (type is any Numeric.Type)
        case .string, .escapedString: type == String.self
        default: false
        }
    }

    /// What a person calls the value's kind.
    static func name(of node: JSONNode) -> String {
        switch node.kind {
        case .null: "null"
        case .false, .true: "a Boolean"
        case .integer, .number: "a number"
        case .string, .escapedString: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }

    private static func excerpt(_ node: JSONNode) -> String {
        let text = node.text
        let start = String(decoding: text.prefix(40), as: UTF8.self)
        return text.count > 40 ? start + "…" : start
    }
}
