#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
package import JSONText

/// A decoder that reads a parsed document: it hands over the node that it stands at, so that nothing is probed.
package protocol DocumentDecoder: Decoder {
    /// The node that the decoder stands at.
    ///
    /// - Throws: `DecodingError` once the document is gone.
    func documentNode() throws -> JSONNode
    /// Notes that U+FFFD replaces a lone surrogate in the value.
    ///
    /// - Throws: `DecodingError` if the decoder does not tolerate that.
    func noteLoneSurrogate() throws
    /// What the decoder decides about records.
    var recordRules: DecoderRules { get }
}

/// An encoder that writes JSON text: it takes a value as text that is written for it.
package protocol DocumentEncoder: Encoder {
    /// Lets `body` write exactly one JSON value.
    ///
    /// - Throws: `EncodingError` if a value was already encoded here.
    func writeText(_ body: (inout JSONWriter) -> Void) throws
    /// The encoder's strategies for fields of records; nil for the usual ones.
    var recordStrategies: EncoderStrategies? { get }
}

extension Decoder {
    /// The node that the decoder stands at; nil if the decoder does not read a parsed document.
    package func documentNode() throws -> JSONNode? {
        guard let decoder = self as? any DocumentDecoder else { return nil }
        // The type selects the protocol's function, not this one.
        let node: JSONNode = try decoder.documentNode()
        return node
    }
}

extension Encoder {
    /// Lets `body` write the value as text; returns false if the encoder does not write JSON text.
    package func writeText(_ body: (inout JSONWriter) -> Void) throws -> Bool {
        guard let encoder = self as? any DocumentEncoder else { return false }
        try encoder.writeText(body)
        return true
    }
}

extension Decoder {
    /// Decodes a string and parses it.
    ///
    /// - Throws: `DecodingError` if the value is not a string, or if `parse` returns nil.
    package func decodeText<Value>(
        expecting expectation: @autoclosure () -> String, _ parse: (String) -> Value?
    ) throws -> Value {
        let container = try singleValueContainer()
        let text = try container.decode(String.self)
        if let value = parse(text) { return value }
        let found = quote(.string(text)) ?? "another string"
        throw DecodingError.dataCorruptedError(
            in: container, debugDescription: "Expected \(expectation()), found \(found).")
    }

    /// Returns the first 40 characters of a scalar as JSON if errors may include values; nil otherwise.
    package func quote(_ scalar: JSONValue) -> String? {
        guard userInfo[.quotesValues] as? Bool == true else { return nil }
        let text = scalar.description
        return text.count > 40 ? text.prefix(40) + "…" : text
    }
}

extension Encoder {
    /// Encodes a value that has no keys and no elements of its own.
    package func encodeSingle(_ value: some Encodable) throws {
        var container = singleValueContainer()
        try container.encode(value)
    }

    /// Encodes the text of a value; throws `EncodingError` if it is nil.
    package func encodeText(of value: some Any, _ text: String?) throws {
        guard let text else {
            let context = EncodingError.Context(codingPath: codingPath, debugDescription: "The value has no text.")
            throw EncodingError.invalidValue(value, context)
        }
        try encodeSingle(text)
    }
}

extension Decoder {
    /// Whether the value is an object.
    ///
    /// Expensive if it is not, because decoders answer with an error.
    var isObject: Bool { (try? container(keyedBy: RawCodingKey.self)) != nil }
}

extension JSONValue {
    /// The scalar of a decoder's value; nil for arrays and objects.
    ///
    /// Every failed attempt costs an error with a path as long as the value is deep, so frequent kinds come first.
    package init?(scalarFrom decoder: any Decoder) throws {
        if let node = try decoder.documentNode() {
            if node.kind == .array || node.kind == .object { return nil }
            self = try JSONValue(from: decoder)
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

extension CodingUserInfoKey {
    /// Whether errors of `LenientDecoder`, of strategies and of `@Lossless` include the number, string or Boolean that does
    /// not decode, cut to 40 characters.
    ///
    /// They do not by default, because values may be secret. Errors of other code, such as the standard library's of a raw
    /// value that an enumeration lacks, may include the value anyway.
    ///
    ///     decoder.userInfo[.quotesValues] = true
    ///     // Expected an ISO 8601 date such as 2016-03-28T14:39:13Z, found "tomorrow".
    public static let quotesValues = Self.named("LenientCoding.quotesValues")
}

extension JSONValue: Codable {
    /// Decodes a value of any type from any decoder.
    ///
    /// `LenientDecoder` keeps the text of numbers and the order of members. From other decoders a number is read as the
    /// integer, decimal or double that is most exact, and members are sorted by their keys.
    ///
    /// - Throws: `DecodingError`, also for values nested deeper than 512 levels.
    public init(from decoder: any Decoder) throws {
        if let document = decoder as? any DocumentDecoder {
            var isLossy = false
            self.init(try document.documentNode(), &isLossy)
            if isLossy { try document.noteLoneSurrogate() }
            return
        }
        let level = TreeLevel.current
        if level.expectsScalar, let scalar = try JSONValue(scalarFrom: decoder) {
            self = scalar
        } else if level.expectsObject, decoder.isObject {
            self = try Self.object(from: decoder, level)
        } else if let array = try Self.array(from: decoder, level) {
            self = array
        } else if !level.expectsScalar, let scalar = try JSONValue(scalarFrom: decoder) {
            self = scalar
        } else {
            self = try Self.object(from: decoder, level)
        }
    }

    /// Decodes an array; returns nil for a value of another type.
    private static func array(from decoder: any Decoder, _ level: TreeLevel) throws -> JSONValue? {
        let unkeyed: any UnkeyedDecodingContainer
        do {
            unkeyed = try decoder.unkeyedContainer()
        } catch DecodingError.typeMismatch {
            return nil
        }
        return try TreeLevel.$current.withValue(level.inside(isObject: false, decoder)) {
            var container = unkeyed
            var elements: [JSONValue] = []
            while !container.isAtEnd { elements.append(try container.decode(JSONValue.self)) }
            return .array(elements)
        }
    }

    /// Decodes an object as a dictionary, whose keys no decoder converts.
    private static func object(from decoder: any Decoder, _ level: TreeLevel) throws -> JSONValue {
        try TreeLevel.$current.withValue(level.inside(isObject: true, decoder)) {
            let members = try decoder.singleValueContainer().decode([String: JSONValue].self)
            return .object(members.sorted { $0.key < $1.key }.map { Member($0.key, $0.value) })
        }
    }

    /// Encodes the value to any encoder; `CompactEncoder` keeps the text of numbers and the order of members.
    ///
    /// - Throws: `EncodingError` for a `number` whose text is not a JSON number, and for values nested deeper than 512
    ///   levels.
    public func encode(to encoder: any Encoder) throws {
        try checkNumbers(encoder)
        if try encoder.writeText({ write(to: &$0) }) { return }
        if case .array(let elements) = self {
            try encoder.descend(into: self) {
                var container = encoder.unkeyedContainer()
                for element in elements { try container.encode(element) }
            }
            return
        }
        var container = encoder.singleValueContainer()
        switch self {
        case .null, .array: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .string(let text): try container.encode(text)
        case .number(let text): try container.encode(number: text, of: self, encoder)
        case .object(let members):
            // No encoder converts the keys of a dictionary.
            let values = members.map { ($0.key, $0.value) }
            try encoder.descend(into: self) { try container.encode(Dictionary(values) { _, last in last }) }
        }
    }

    private func checkNumbers(_ encoder: any Encoder) throws {
        guard encoder is any DocumentEncoder else { return }
        var open = [self]
        while let value = open.popLast() {
            switch value {
            case .number(let text) where !NumberText.isNumber(text): throw encoder.invalid(value, "not a JSON number")
            case .array(let elements): open += elements
            case .object(let members): open += members.map(\.value)
            default: break
            }
        }
    }
}

extension SingleValueEncodingContainer {
    /// Encodes the number as the integer, decimal or double that is most exact.
    fileprivate mutating func encode(number text: String, of value: JSONValue, _ encoder: any Encoder) throws {
        guard NumberText.isNumber(text) else { throw encoder.invalid(value, "not a JSON number") }
        if text != "-0", let integer = Int64(text) { return try encode(integer) }
        if let integer = UInt64(text) { return try encode(integer) }
        guard let double = NumberSpelling.double(text) else {
            throw encoder.invalid(value, "beyond the range of doubles")
        }
        let decimal = NumberSpelling.decimal(text)
        if let decimal, Decimal(string: double.description) != decimal { return try encode(decimal) }
        try encode(double)
    }
}
