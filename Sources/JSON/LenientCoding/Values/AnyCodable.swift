#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import JSONText

/// A value of mixed or unknown type, as a property of a `Codable` model.
///
///     struct Event: Codable {
///         var name: String
///         var details: [String: AnyCodable]
///     }
///     let event = try LenientDecoder().decode(Event.self, from: bytes)
///     event.details["attempts"]?.value as? Int
///
/// A decoded value is null, a Boolean, a number or a string, or an array or a dictionary of these. A number with a
/// fraction or an exponent is a double. An integer beyond `Int` is a `UInt64`, beyond that a `Decimal` of up to 38 digits,
/// beyond that a double. Values of different types are not equal: 0, 0.0 and false are three values.
///
/// `JSONValue` is the better choice if the text of numbers or the order of members matters.
public struct AnyCodable: Sendable {
    enum Storage: Hashable, Sendable {
        case null
        case bool(Bool)
        case int(Int64)
        /// Beyond `Int64`.
        case uint(UInt64)
        case decimal(Decimal)
        case double(Double)
        case string(String)
        case array([AnyCodable])
        case object([String: AnyCodable])
        case date(Date)
        case data(Data)
        case url(URL)
        case uuid(UUID)
        /// A value that cannot be wrapped, with the reason; no encoder takes it.
        case unsupported(String)
    }

    let storage: Storage

    init(storage: Storage) { self.storage = storage }

    /// Wraps a Boolean, number, string, `Date`, `Data`, `URL`, `UUID`, `JSONValue`, `AnyCodable` or any other `Encodable`
    /// value, or an optional, array or dictionary of them.
    ///
    /// `NSNumber`, `NSString`, `NSDictionary` and the other objects of `JSONSerialization` are values of these types; an
    /// `NSNumber` of 0 or 1 is a number and not a Boolean. `NSNull` and `Void` are null.
    ///
    ///     AnyCodable(["a", 1, true] as [Any]).description  // ["a",1,true]
    ///     AnyCodable(Hashtag(text: "a")).description  // {"text":"a"}
    ///
    /// A value of another type is not lost silently: to encode it is an error that names its type.
    /// ``init(exactly:)`` returns nil for it.
    public init(_ value: Any) { storage = Storage(value) }

    /// Wraps a value of a type that the other initializer lists; returns nil if `value` or an inner value has another type.
    ///
    ///     AnyCodable(exactly: 1.0...2.0)?.description  // [1,2]
    ///     AnyCodable(exactly: { 7 })  // nil
    public init?(exactly value: Any) {
        self.init(value)
        if unsupported != nil { return nil }
    }

    /// The value in its Swift type: an array is `[Any]`, an object `[String: Any]`, null `Optional<Any>.none`.
    ///
    /// Numbers and Booleans cast like those of `JSONSerialization`: 53 is an `Int`, a `Double` and every other type of
    /// number that represents it exactly, 1 is also `true`, and `true` also 1. They are `NSNumber` if the process uses
    /// Foundation; without it they cast to one Swift type only.
    ///
    ///     let any: AnyCodable = ["temperature": 53]
    ///     (any.value as? [String: Any])?["temperature"] as? Double  // 53
    public var value: Any {
        foldTree(
            self,
            { any in
                switch any.storage {
                case .array(let elements): .array(elements)
                case .object(let members): .object(members.map { ($0.key, $0.value) })
                default: .leaf(any.leafValue)
                }
            }, array: { $0 }, object: { Dictionary($0.lazy.map { ($0.key, $0.value) }) { _, last in last } })
    }

    private var leafValue: Any {
        switch storage {
        case .null, .array, .object, .unsupported: Any?.none as Any
        case .bool(let value): ObjectNumber.object(value)
        case .int(let value): ObjectNumber.object(Int(exactly: value) ?? value)
        case .uint(let value): ObjectNumber.object(value)
        case .decimal(let value): ObjectNumber.object(value)
        case .double(let value): ObjectNumber.object(value)
        case .string(let value): value
        case .date(let value): value
        case .data(let value): value
        case .url(let value): value
        case .uuid(let value): value
        }
    }

    /// Whether this is null.
    public var isNull: Bool { storage == .null }

    /// The reason why this value or an inner value cannot be encoded; nil if it can.
    var unsupported: String? {
        var open = [self]
        while let next = open.popLast() {
            switch next.storage {
            case .unsupported(let reason): return reason
            case .array(let elements): open += elements
            case .object(let members): open += members.values
            default: break
            }
        }
        return nil
    }
}

extension AnyCodable.Storage {
    fileprivate init(_ value: Any) {
        switch value {
        case let value as AnyCodable: self = value.storage
        case let value as JSONValue: self = AnyCodable(value).storage
        case let value as any NilRepresentable: self = value.wrapped.map { Self($0) } ?? .null
        case is Void: self = .null
        default: self = ObjectNumber.storage(of: value) ?? Self(scalar: value) ?? Self(compound: value)
        }
    }

    /// The storage of a value that does not have to be encoded; nil for others.
    init?(leaf value: Any) {
        if let value = value as? AnyCodable { self = value.storage } else { self.init(scalar: value) }
    }

    private init?(scalar value: Any) {
        switch value {
        case let value as Bool: self = .bool(value)
        case let value as String: self = .string(value)
        case let value as Double: self = .double(value)
        case let value as any BinaryInteger: self.init(integer: value)
        case let value as any BinaryFloatingPoint: self = .double(Double(value))
        case let value as Decimal: self = .decimal(value)
        case let value as Substring: self = .string(String(value))
        case let value as Date: self = .date(value)
        case let value as Data: self = .data(value)
        case let value as URL: self = .url(value)
        case let value as UUID: self = .uuid(value)
        default: return nil
        }
    }

    private init(compound value: Any) {
        switch value {
        case let value as [String: Any]: self = .object(value.mapValues { AnyCodable($0) })
        case let value as [Any]: self = .array(value.map { AnyCodable($0) })
        case let value as any Encodable: self.init(encoding: value)
        // Its type is not visible without an import of Foundation.
        case let value where "\(type(of: value))" == "NSNull": self = .null
        default: self = .unsupported("AnyCodable does not support the type \(type(of: value)).")
        }
    }

    private init(encoding value: any Encodable) {
        do {
            self = try AnyEncoder.tree(of: value).storage
        } catch EncodingError.invalidValue(_, let context) {
            self = .unsupported(context.debugDescription)
        } catch {
            self = .unsupported("The value of type \(type(of: value)) does not encode: \(error)")
        }
    }

    private init(integer value: any BinaryInteger) {
        if let value = Int64(exactly: value) {
            self = .int(value)
        } else if let value = UInt64(exactly: value) {
            self = .uint(value)
        } else if let value = NumberSpelling.decimal(String(value)) {
            self = .decimal(value)
        } else {
            self = .unsupported("An integer beyond 38 digits has no exact value.")
        }
    }
}

extension AnyCodable: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    /// Creates null.
    public init(nilLiteral: ()) { self.init(storage: .null) }

    /// Creates the Boolean of the literal.
    public init(booleanLiteral value: Bool) { self.init(storage: .bool(value)) }

    /// Creates the integer of the literal.
    public init(integerLiteral value: Int) { self.init(storage: .int(Int64(value))) }

    /// Creates the double of the literal.
    public init(floatLiteral value: Double) { self.init(storage: .double(value)) }

    /// Creates the string of the literal, which may have interpolations.
    public init(stringLiteral value: String) { self.init(storage: .string(value)) }

    /// Creates the array of the literal.
    public init(arrayLiteral elements: AnyCodable...) { self.init(storage: .array(elements)) }

    /// Creates the object of the literal; if a key occurs more than once, the last member counts.
    public init(dictionaryLiteral members: (String, AnyCodable)...) {
        self.init(storage: .object(Dictionary(members) { _, last in last }))
    }
}

extension AnyCodable: CustomStringConvertible {
    /// The value as JSON, or as Swift prints it if JSON cannot represent it.
    public var description: String { JSONValue(self)?.description ?? unsupported ?? "\(value)" }
}

extension AnyCodable {
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
        self = (try? AnyCodable(json) { AnyCodable(storage: .double(Double($0) ?? .nan)) }) ?? nil
    }

    /// Converts a `JSONValue`; `huge` returns the value of a number beyond the range of doubles.
    private init(_ json: JSONValue, _ huge: (String) throws -> AnyCodable) throws {
        self = try foldTree(
            json,
            { value in
                switch value {
                case .null: .leaf(nil)
                case .bool(let value): .leaf(AnyCodable(storage: .bool(value)))
                case .number(let text): .leaf(try Self.number(text) ?? huge(text))
                case .string(let text): .leaf(AnyCodable(storage: .string(text)))
                case .array(let elements): .array(elements)
                case .object(let members): .object(members.map { ($0.key, $0.value) })
                }
            }, array: { AnyCodable(storage: .array($0)) },
            object: { AnyCodable(storage: .object(Dictionary($0.map { ($0.key, $0.value) }) { _, last in last })) })
    }
}

extension AnyCodable: Codable {
    /// Decodes a value of any type from any decoder.
    ///
    /// Decoders other than `LenientDecoder` do not distinguish `1.0` from `1`: both become an integer.
    ///
    /// - Throws: `DecodingError` for numbers beyond the range of doubles; from other decoders also for values nested
    ///   deeper than 512 levels.
    public init(from decoder: any Decoder) throws {
        try self.init(JSONValue(from: decoder)) { text in
            let description = "\(text.prefix(40)) is beyond the range of doubles."
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: decoder.codingPath, debugDescription: description))
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
            self = try foldTree(any, Self.part, array: JSONValue.array) { members in
                .object(members.map { Member($0.key, $0.value) })
            }
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

extension AnyCodable: Hashable {
    /// Returns whether the values and their types are equal.
    public static func == (left: AnyCodable, right: AnyCodable) -> Bool {
        areEqualTrees(left, right) { left, right in
            switch (left.storage, right.storage) {
            case (.array(let left), .array(let right)):
                return left.count == right.count ? Array(zip(left, right)) : nil
            case (.object(let left), .object(let right)):
                guard left.count == right.count else { return nil }
                let pairs = left.compactMap { key, value in right[key].map { (value, $0) } }
                return pairs.count == left.count ? pairs : nil
            case (let left, let right): return left == right ? [] : nil
            }
        }
    }

    /// Hashes the value.
    public func hash(into hasher: inout Hasher) {
        visitTree(self) { value in
            switch value.storage {
            case .array(let elements):
                hasher.combine(elements.count)
                return elements
            case .object(let members):
                let sorted = members.sorted { $0.key < $1.key }
                for member in sorted { hasher.combine(member.key) }
                return sorted.map(\.value)
            case let leaf:
                hasher.combine(leaf)
                return []
            }
        }
    }
}
