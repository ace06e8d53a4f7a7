import JSONText

/// A type that is decoded from one JSON scalar.
protocol Scalar: Coercible, CoercibleScalar {
    /// Returns the value of `node`; nil if it has another type or does not fit.
    static func read(_ node: JSONNode) -> Self?
}

extension Bool: Scalar {
    static func read(_ node: JSONNode) -> Bool? { node.bool }
}

extension String: Scalar {
    static func read(_ node: JSONNode) -> String? { node.wellFormedString }
}

extension Double: Scalar {
    @inline(__always)
    static func read(_ node: JSONNode) -> Double? {
        guard let value = node.double else { return nil }
        return value == 0 && isLost(node.text) ? nil : value
    }

    /// Returns whether a number that was read as zero has a digit other than 0, so that it underflowed.
    @inline(never)
    static func isLost(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        text.prefix { $0 | 0x20 != UInt8(ascii: "e") }.contains { UInt8(ascii: "1")...UInt8(ascii: "9") ~= $0 }
    }
}

extension Float: Scalar {
    static func read(_ node: JSONNode) -> Float? {
        // Reading a double first would round twice.
        guard node.isNumber, let value = Float(String(decoding: node.text, as: UTF8.self)), value.isFinite
        else { return nil }
        return value == 0 && Double.isLost(node.text) ? nil : value
    }
}

extension Scalar where Self: FixedWidthInteger {
    @inline(__always)
    static func read(_ node: JSONNode) -> Self? {
        if let value = node.int64 { return Self(exactly: value) }
        return node.isNumber ? NumberText.integer(node.text) : nil
    }
}

extension Int: Scalar, WritableScalar, LosslessValue {}
extension Int8: Scalar, WritableScalar, LosslessValue {}
extension Int16: Scalar, WritableScalar, LosslessValue {}
extension Int32: Scalar, WritableScalar, LosslessValue {}
extension Int64: Scalar, WritableScalar, LosslessValue {}
extension Int128: Scalar, WritableScalar {}
extension UInt: Scalar, WritableScalar, LosslessValue {}
extension UInt8: Scalar, WritableScalar, LosslessValue {}
extension UInt16: Scalar, WritableScalar, LosslessValue {}
extension UInt32: Scalar, WritableScalar, LosslessValue {}
extension UInt64: Scalar, WritableScalar, LosslessValue {}
extension UInt128: Scalar, WritableScalar {}

/// A type whose values a decoder with `coercion` converts from scalars of other types.
protocol Coercible: Decodable {
    /// Decodes a scalar that the model declares with this type.
    static func decodeDeclared(_ node: JSONNode, by decoder: ValueDecoder) throws -> Self
}

extension Scalar {
    static func decodeDeclared(_ node: JSONNode, by decoder: ValueDecoder) throws -> Self {
        try read(node) ?? decoder.state.convert(node, at: decoder, isDeclared: true)
    }
}

extension Optional: Coercible where Wrapped: Decodable {
    static func decodeDeclared(_ node: JSONNode, by decoder: ValueDecoder) throws -> Wrapped? {
        node.isNull ? nil : try decoder.decodeDeclared(Wrapped.self)
    }
}

extension ValueDecoder {
    /// Decodes a scalar of a type that is converted; returns nil for other types, and for arrays and objects.
    @inline(never)
    func decodeCoercible<Value>(_ type: Value.Type, _ node: JSONNode) throws -> Value? {
        guard node.kind != .array, node.kind != .object, let coercible = type as? any Coercible.Type else { return nil }
        return try decode(coercible, as: type, node)
    }

    private func decode<Declared: Coercible, Value>(
        _ declared: Declared.Type, as type: Value.Type, _ node: JSONNode
    ) throws -> Value? {
        let value = try Declared.decodeDeclared(node, by: self)
        // Both types are the same. Without the array, the cast would turn an optional nil into nothing.
        return ([value] as? [Value])?.first
    }
}

extension Decoder {
    /// Decodes the value as the type that a model or a wrapper declares for it.
    ///
    /// A single value container would not convert it.
    func decodeDeclared<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if let decoder = self as? ValueDecoder { return try decoder.decodeDeclared(type) }
        return try singleValueContainer().decode(type)
    }
}

extension DecodingState {
    /// Converts a scalar of another type.
    ///
    /// - Throws: `DecodingError` if the decoder does not convert it.
    func convert<Value: Scalar>(_ node: JSONNode, at path: ValueDecoder, isDeclared: Bool) throws -> Value {
        guard let value: Value = converted(node, at: path, isDeclared) else {
            throw failure(Value.self, node, at: path)
        }
        return value
    }

    /// Converts an optional scalar of another type; returns nil if it is invalid and the decoder tolerates that.
    func convertIfValid<Value: Scalar>(_ node: JSONNode, at path: ValueDecoder) throws -> Value? {
        guard skipsMistyped else { return try convert(node, at: path, isDeclared: true) as Value }
        if let value: Value = converted(node, at: path, true) { return value }
        note(.dropped, Self.isSameKind(node, as: Value.self) ? .inexact : .mistyped, at: path)
        return nil
    }

    private func converted<Value: Scalar>(_ node: JSONNode, at path: ValueDecoder, _ isDeclared: Bool) -> Value? {
        if node.isString {
            if let value = nonConformingFloat(node) as Value? { return value }
            if readsLoneSurrogates, let text = node.string as? Value {
                note(.coerced, .loneSurrogate, at: path)
                return text
            }
        }
        guard coerces, isDeclared else { return nil }
        // Without a reason, the scalar has the right type but does not fit.
        guard !refused.contains(node.position), let scalar = JSONValue(scalar: node),
            let coercion = Value.coerced(from: scalar), let reason = coercion.reason
        else {
            refused.insert(node.position)
            return nil
        }
        note(.coerced, reason, at: path)
        return coercion.value
    }

    /// The infinity or NaN that a string stands for.
    private func nonConformingFloat<Value: Scalar>(_ node: JSONNode) -> Value? {
        // As in Foundation, a string with escapes does not match.
        guard node.kind == .string, Value.self == Double.self || Value.self == Float.self,
            case .convertFromString(let positive, let negative, let nan) =
                configuration.nonConformingFloatDecodingStrategy, let text = node.string
        else { return nil }
        let value: Double
        switch text {
        case positive: value = .infinity
        case negative: value = -.infinity
        case nan: value = .nan
        default: return nil
        }
        return value as? Value ?? Float(value) as? Value
    }
}
