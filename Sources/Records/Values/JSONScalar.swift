import FoundationEssentials
package import JSONText

/// A JSON value that holds no others.
package enum JSONScalar {
    case null
    case bool(Bool)
    /// The number's text.
    case number(String)
    case string(String)

    /// The scalar that `node` is; nil for arrays and objects.
    package init?(_ node: JSONNode) {
        switch node.kind {
        case .null: self = .null
        case .true: self = .bool(true)
        case .false: self = .bool(false)
        case .integer, .number: self = .number(String(decoding: node.text, as: UTF8.self))
        case .string, .escapedString: self = .string(node.string ?? "")
        case .array, .object: return nil
        }
    }

    /// The scalar that `decoder` stands at; nil where it stands at none.
    ///
    /// Every question that is answered with no costs an error, whose path is as long as the value is deep: frequent
    /// kinds come first, and none is asked for twice.
    package init?(from decoder: any Decoder) throws {
        if let node = try decoder.documentNode() {
            self.init(node)
            return
        }
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let text = try container.decodeUnlessMistyped(String.self) {
            self = .string(text)
        } else if let value = try container.decodeUnlessMistyped(Bool.self) {
            self = .bool(value)
        } else if let text = try container.decodeNumberText() {
            self = .number(text)
        } else {
            return nil
        }
    }
}

extension SingleValueDecodingContainer {
    /// Decodes a value; nil when there is one of another kind.
    fileprivate func decodeUnlessMistyped<Value: Decodable>(_ type: Value.Type) throws -> Value? {
        do {
            return try decode(type)
        } catch DecodingError.typeMismatch {
            return nil
        }
    }

    /// Decodes a number as the text that keeps most of it; nil where there is none.
    fileprivate func decodeNumberText() throws -> String? {
        if let value = decodeIfPossible(Int64.self) {
            // An integer has no sign for zero.
            if value == 0, let zero = decodeIfPossible(Double.self), zero.sign == .minus { return "-0" }
            return String(value)
        }
        guard let double = try decodeUnlessMistyped(Double.self) else { return nil }
        if let value = decodeIfPossible(UInt64.self) { return String(value) }
        return NumberSpelling.text(double, decodeIfPossible(Decimal.self))
    }

    /// Decodes a value; nil when that fails: decoders differ in how they say that a number does not fit.
    private func decodeIfPossible<Value: Decodable>(_ type: Value.Type) -> Value? { try? decode(type) }
}
