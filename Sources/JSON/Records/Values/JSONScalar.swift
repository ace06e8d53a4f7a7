#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
package import JSONText

/// A JSON value that is neither an array nor an object.
package enum JSONScalar {
    case null
    case bool(Bool)
    /// A number, as its text.
    case number(String)
    case string(String)

    /// The scalar of a node; nil for arrays and objects.
    package init?(_ node: JSONNode) {
        var isLossy = false
        self.init(node, &isLossy)
    }

    /// The scalar of a node; nil for arrays and objects.
    ///
    /// Sets `isLossy` if U+FFFD replaces a lone surrogate.
    init?(_ node: JSONNode, _ isLossy: inout Bool) {
        switch node.kind {
        case .null: self = .null
        case .true: self = .bool(true)
        case .false: self = .bool(false)
        case .integer, .number: self = .number(String(decoding: node.text, as: UTF8.self))
        case .string, .escapedString: self = .string(node.string(&isLossy) ?? "")
        case .array, .object: return nil
        }
    }

    /// The scalar of a decoder's value; nil for arrays and objects.
    ///
    /// Every failed attempt costs an error with a path as long as the value is deep, so frequent kinds come first.
    package init?(from decoder: any Decoder) throws {
        if let document = decoder as? any DocumentDecoder {
            var isLossy = false
            self.init(try document.documentNode(), &isLossy)
            if isLossy { try document.noteLoneSurrogate() }
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
    /// Decodes a value; returns nil for a value of another type.
    fileprivate func decodeUnlessMistyped<Value: Decodable>(_ type: Value.Type) throws -> Value? {
        do {
            return try decode(type)
        } catch DecodingError.typeMismatch {
            return nil
        }
    }

    /// Decodes a number as the most exact text; returns nil for a value of another type.
    fileprivate func decodeNumberText() throws -> String? {
        if let value = decodeIfPossible(Int64.self) {
            // Integers lose the sign of -0.
            if value == 0, let zero = decodeIfPossible(Double.self), zero.sign == .minus { return "-0" }
            return String(value)
        }
        guard let double = try decodeUnlessMistyped(Double.self) else { return nil }
        if let value = decodeIfPossible(UInt64.self) { return String(value) }
        return NumberSpelling.text(double, decodeIfPossible(Decimal.self))
    }

    /// Decodes a value; returns nil for any error, because decoders report a number that does not fit differently.
    private func decodeIfPossible<Value: Decodable>(_ type: Value.Type) -> Value? { try? decode(type) }
}
