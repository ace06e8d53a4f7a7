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
///
/// Comparing, converting and encoding a value recurse, as they do for `JSONValue`.
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
        switch storage {
        case .array(let elements):
            var values: [Any] = []
            for element in elements { values.append(element.value) }
            return values
        case .object(let members):
            var values: [String: Any] = [:]
            for (key, value) in members { values[key] = value.value }
            return values
        default: return leafValue
        }
    }

    // Apart from the recursion, here and below, so that a level takes little of the stack.
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

extension AnyCodable: Hashable {
    /// Returns whether the values and their types are equal.
    public static func == (left: AnyCodable, right: AnyCodable) -> Bool {
        switch (left.storage, right.storage) {
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: haveEqualLeaves(left, right)
        }
    }

    private static func haveEqualLeaves(_ left: AnyCodable, _ right: AnyCodable) -> Bool {
        left.storage == right.storage
    }

    /// Hashes the value.
    public func hash(into hasher: inout Hasher) {
        switch storage {
        case .array(let elements): hasher.combine(elements)
        case .object(let members): hasher.combine(members)
        default: hashLeaf(into: &hasher)
        }
    }

    private func hashLeaf(into hasher: inout Hasher) { storage.hash(into: &hasher) }
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
    public var description: String { text ?? unsupported ?? "\(value)" }
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
        switch json {
        case .array(let elements):
            var values: [AnyCodable] = []
            for element in elements { values.append(AnyCodable(element)) }
            storage = .array(values)
        case .object(let members):
            var values: [String: AnyCodable] = [:]
            for member in members { values[member.key] = AnyCodable(member.value) }
            storage = .object(values)
        default: self = Self.leaf(json)
        }
    }

    private static func leaf(_ json: JSONValue) -> AnyCodable {
        switch json {
        case .null, .array, .object: AnyCodable(storage: .null)
        case .bool(let value): AnyCodable(storage: .bool(value))
        case .number(let text): number(text) ?? AnyCodable(storage: .double(Double(text) ?? .nan))
        case .string(let text): AnyCodable(storage: .string(text))
        }
    }

    /// The value of a node; sets `isLossy` if U+FFFD replaces a lone surrogate.
    ///
    /// - Throws: the text of a number beyond the range of doubles.
    private init(_ node: JSONNode, _ isLossy: inout Bool) throws(HugeNumber) {
        switch node.kind {
        case .array:
            var elements: [AnyCodable] = []
            elements.reserveCapacity(node.count)
            for element in node.elements { elements.append(try AnyCodable(element, &isLossy)) }
            storage = .array(elements)
        case .object:
            var members: [String: AnyCodable] = [:]
            members.reserveCapacity(node.count)
            for (key, value) in node.members {
                members[key.string(&isLossy) ?? ""] = try AnyCodable(value, &isLossy)
            }
            storage = .object(members)
        default: self = try Self.leaf(node, &isLossy)
        }
    }

    private static func leaf(_ node: JSONNode, _ isLossy: inout Bool) throws(HugeNumber) -> AnyCodable {
        switch node.kind {
        case .null, .array, .object: AnyCodable(storage: .null)
        case .false: AnyCodable(storage: .bool(false))
        case .true: AnyCodable(storage: .bool(true))
        case .integer, .number: try number(node)
        case .string, .escapedString: AnyCodable(storage: .string(node.string(&isLossy) ?? ""))
        }
    }

    /// The value of a number; an integer of other spellings than `-0` needs no text, and neither does a double.
    private static func number(_ node: JSONNode) throws(HugeNumber) -> AnyCodable {
        if node.kind == .integer, let value = node.int64, value != 0 { return AnyCodable(storage: .int(value)) }
        if node.kind == .number, let value = node.double {
            return AnyCodable(storage: value.isFinite ? .double(value) : .null)
        }
        let text = String(decoding: node.text, as: UTF8.self)
        guard let value = number(text) else { throw HugeNumber(text: text) }
        return value
    }

    private struct HugeNumber: Error {
        let text: String
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
        do {
            var isLossy = false
            if let document = decoder as? ValueDecoder {
                self = try AnyCodable(document.documentNode(), &isLossy)
                if isLossy { try document.noteLoneSurrogate() }
            } else {
                var parser = JSONParser(options: JSONOptions(maximumBytes: .max))
                self = try parser.withDocument(JSONValue(from: decoder).text) { try AnyCodable($0, &isLossy) }
            }
        } catch let error as HugeNumber {
            let description = "\(error.text.prefix(40)) is beyond the range of doubles."
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: decoder.codingPath, debugDescription: description))
        }
    }

    /// Encodes the value to any encoder, which applies its strategies to dates, data and non-finite numbers.
    ///
    /// - Throws: `EncodingError`, also for values nested deeper than 512 levels.
    public func encode(to encoder: any Encoder) throws {
        if case .unsupported(let reason) = storage {
            throw EncodingError.invalidValue(
                value, EncodingError.Context(codingPath: encoder.codingPath, debugDescription: reason))
        }
        if encoder is ValueEncoder, isPlain {
            _ = try encoder.writeText { write(to: &$0) }
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

extension AnyCodable {
    /// Whether the text does not depend on an encoder: there are no dates, no data, and no numbers that are not finite.
    private var isPlain: Bool {
        var open = [self]
        while let next = open.popLast() {
            switch next.storage {
            case .null, .bool, .int, .uint, .string, .url, .uuid: break
            case .decimal(let value): if !value.isFinite { return false }
            case .double(let value): if !value.isFinite { return false }
            case .array(let elements): open += elements
            case .object(let members): open += members.values
            case .date, .data, .unsupported: return false
            }
        }
        return true
    }

    /// Writes a plain value as compact JSON, with members sorted by their keys.
    private func write(to writer: inout JSONWriter) {
        switch storage {
        case .array(let elements):
            writer.write("[", "]", elements) { $0.write(to: &$1) }
        case .object(let members):
            writer.write("{", "}", members.sorted { $0.key < $1.key }) { member, writer in
                writer.write(member.key)
                writer.write(byte: UInt8(ascii: ":"))
                member.value.write(to: &writer)
            }
        default: writeLeaf(to: &writer)
        }
    }

    private func writeLeaf(to writer: inout JSONWriter) {
        switch storage {
        case .bool(let value): writer.write(value)
        case .int(let value): writer.write(value)
        case .uint(let value): writer.write(value)
        case .decimal(let value): value.writeScalar(to: &writer)
        case .double(let value): writer.write(value)
        case .string(let value): writer.write(value)
        case .url(let value): writer.write(value.absoluteString)
        case .uuid(let value): value.writeScalar(to: &writer)
        case .null, .array, .object, .date, .data, .unsupported: writer.writeNull()
        }
    }

    /// The value as compact JSON; nil if it is not plain.
    fileprivate var text: String? { isPlain ? JSONWriter.text { write(to: &$0) } : nil }
}

extension JSONValue {
    /// Converts an `AnyCodable`, with members sorted by their keys.
    ///
    /// Returns nil if it contains a date, data or a non-finite number, whose text depends on an encoder's strategies, or a
    /// value that cannot be encoded, or nests deeper than 512 levels.
    ///
    ///     let any: AnyCodable = ["b": 2, "a": [true, nil]]
    ///     JSONValue(any)?.description  // {"a":[true,null],"b":2}
    public init?(_ any: AnyCodable) {
        var parser = JSONParser(options: JSONOptions(maximumBytes: .max))
        guard let text = any.text, let value = try? parser.withDocument(Array(text.utf8), { JSONValue($0) }) else {
            return nil
        }
        self = value
    }
}
