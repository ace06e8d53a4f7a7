#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import JSONText
package import Records

extension AnyCodable: JSONTree {
    package static func leaf(_ scalar: JSONScalar) throws(AnyCodableError) -> AnyCodable {
        switch scalar {
        case .null: return AnyCodable(storage: .null)
        case .bool(let value): return AnyCodable(storage: .bool(value))
        case .string(let text): return AnyCodable(storage: .string(text))
        case .number(let text):
            guard let number = number(text) else { throw AnyCodableError(number: String(text.prefix(40))) }
            return number
        }
    }

    package static func branch(_ elements: [AnyCodable]) -> AnyCodable { AnyCodable(storage: .array(elements)) }

    package static func branch(_ members: [(key: String, value: AnyCodable)]) -> AnyCodable {
        AnyCodable(storage: .object(Dictionary(members.lazy.map { ($0.key, $0.value) }) { _, last in last }))
    }

    private static func number(_ text: String) -> AnyCodable? {
        if text != "-0", NumberSpelling.isInteger(text) {
            if let value = Int64(text) { return AnyCodable(storage: .int(value)) }
            if let value = UInt64(text) { return AnyCodable(storage: .uint(value)) }
            if let value = NumberSpelling.decimal(text) { return AnyCodable(storage: .decimal(value)) }
        }
        return NumberSpelling.double(text).map { AnyCodable(storage: .double($0)) }
    }

    /// Converts a `JSONValue`; a number beyond the range of doubles becomes infinite.
    public init(_ json: JSONValue) {
        self = foldTree(
            json,
            { value in
                switch value {
                case .null: .leaf(nil)
                case .bool(let value): .leaf(AnyCodable(storage: .bool(value)))
                case .number(let text): .leaf(Self.number(text) ?? AnyCodable(storage: .double(Double(text) ?? .nan)))
                case .string(let text): .leaf(AnyCodable(storage: .string(text)))
                case .array(let elements): .array(elements)
                case .object(let members): .object(members.map { ($0.key, $0.value) })
                }
            }, array: Self.branch, object: Self.branch)
    }
}

/// The error for a number beyond the range of doubles.
package struct AnyCodableError: Error {
    let number: String
}

extension AnyCodable: Codable {
    /// Decodes a value of any type from any decoder.
    ///
    /// Decoders other than `LenientDecoder` do not distinguish `1.0` from `1`: both become an integer.
    ///
    /// - Throws: `DecodingError` for numbers beyond the range of doubles; from other decoders also for values nested
    ///   deeper than 512 levels.
    public init(from decoder: any Decoder) throws {
        do {
            self = try Self.tree(from: decoder)
        } catch let error as AnyCodableError {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription: "\(error.number) is beyond the range of doubles."))
        }
    }

    /// Encodes the value to any encoder, which applies its strategies to dates, data and non-finite numbers.
    ///
    /// - Throws: `EncodingError`, also for values nested deeper than 512 levels. `CompactEncoder` has no such limit for
    ///   values without dates, data and non-finite numbers.
    public func encode(to encoder: any Encoder) throws {
        if case .unsupported(let reason) = storage {
            throw EncodingError.invalidValue(
                value, EncodingError.Context(codingPath: encoder.codingPath, debugDescription: reason))
        }
        // Dates, data and non-finite numbers have no JSONValue and need the encoder's strategies.
        if encoder is ValueEncoder, let json = JSONValue(self) {
            _ = try encoder.writeText { json.write(to: &$0) }
            return
        }
        if case .array(let elements) = storage {
            try encoder.descend(into: self) {
                var container = encoder.unkeyedContainer()
                for element in elements { try container.encode(element) }
            }
            return
        }
        var container = encoder.singleValueContainer()
        switch storage {
        case .null, .array, .unsupported: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .int(let value): try container.encode(value)
        case .uint(let value): try container.encode(value)
        case .decimal(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .date(let value): try container.encode(value)
        case .data(let value): try container.encode(value)
        case .url(let value): try container.encode(value)
        case .uuid(let value): try container.encode(value)
        case .object(let members):
            // No encoder converts the keys of a dictionary.
            try encoder.descend(into: self) { try container.encode(members) }
        }
    }
}

extension JSONValue {
    /// Converts an `AnyCodable`, with members sorted by their keys.
    ///
    /// Returns nil if it contains a date, data or a non-finite number, whose text depends on an encoder's strategies, or a
    /// value that cannot be encoded.
    ///
    ///     let any: AnyCodable = ["b": 2, "a": [true, nil]]
    ///     JSONValue(any)?.description  // {"a":[true,null],"b":2}
    public init?(_ any: AnyCodable) {
        do {
            self = try foldTree(any, Self.part, array: JSONValue.branch, object: JSONValue.branch)
        } catch {
            return nil
        }
    }

    private struct HasNoJSON: Error {}

    private static func part(of any: AnyCodable) throws(HasNoJSON) -> TreePart<AnyCodable, JSONValue> {
        switch any.storage {
        case .null: return .leaf(.null)
        case .bool(let value): return .leaf(.bool(value))
        case .int(let value): return .leaf(.number(String(value)))
        case .uint(let value): return .leaf(.number(String(value)))
        case .decimal(let value) where value.isFinite: return .leaf(.number(value.description))
        case .double(let value) where value.isFinite: return .leaf(JSONValue(double: value))
        case .string(let value): return .leaf(.string(value))
        case .url(let value): return .leaf(.string(value.absoluteString))
        case .uuid(let value): return .leaf(.string(value.uuidString))
        case .array(let elements): return .array(elements)
        case .object(let members): return .object(members.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
        case .decimal, .double, .date, .data, .unsupported: throw HasNoJSON()
        }
    }

    private init(double value: Double) {
        var writer = JSONWriter()
        writer.write(value)
        self = .number(String(decoding: writer.bytes, as: UTF8.self))
    }
}
