#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A value of mixed or unknown type, as a property of a `Codable` model.
///
///     struct Event: Codable {
///         var name: String
///         var details: [String: AnyCodable]
///     }
///     let event = try LenientDecoder().decode(Event.self, from: bytes)
///     event.details["attempts"]?.value as? Int
///
/// A decoded value is null, a `Bool`, `Int`, `Double` or `String`, or an array or a dictionary of these. A number with
/// a fraction or an exponent is a `Double`. An integer beyond `Int` is a `UInt64`, beyond that a `Decimal` of up to 38
/// digits, beyond that a `Double`. Values of different types are not equal: 0, 0.0 and false are three values.
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
    }

    let storage: Storage

    init(storage: Storage) { self.storage = storage }

    /// Wraps a Boolean, number, string, `Date`, `Data`, `URL`, `UUID`, `JSONValue` or `AnyCodable`, or an optional,
    /// array or dictionary of them.
    ///
    /// Returns nil if `value` or an inner value has another type.
    ///
    ///     AnyCodable(["a", 1, true] as [Any])?.description  // ["a",1,true]
    ///     AnyCodable(1...2)  // nil
    public init?(_ value: Any) {
        guard let storage = Storage(value) else { return nil }
        self.storage = storage
    }

    /// The value in its Swift type: an array is `[Any]`, an object `[String: Any]`, null `Optional<Any>.none`.
    ///
    ///     let any: AnyCodable = ["attempts": 3]
    ///     (any.value as? [String: Any])?["attempts"] as? Int  // 3
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
        case .null, .array, .object: Any?.none as Any
        case .bool(let value): value
        case .int(let value): Int(exactly: value) ?? value
        case .uint(let value): value
        case .decimal(let value): value
        case .double(let value): value
        case .string(let value): value
        case .date(let value): value
        case .data(let value): value
        case .url(let value): value
        case .uuid(let value): value
        }
    }

    /// Whether this is null.
    public var isNull: Bool { storage == .null }
}

extension AnyCodable.Storage {
    fileprivate init?(_ value: Any) {
        switch value {
        case let value as AnyCodable: self = value.storage
        case let value as JSONValue: self = AnyCodable(value).storage
        case let value as any NilRepresentable:
            guard let wrapped = value.wrapped else {
                self = .null
                return
            }
            self.init(wrapped)
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
        case let value as [String: Any]: self.init(members: value)
        case let value as [Any]: self.init(elements: value)
        default: return nil
        }
    }

    private init?(integer value: any BinaryInteger) {
        if let value = Int64(exactly: value) {
            self = .int(value)
        } else if let value = UInt64(exactly: value) {
            self = .uint(value)
        } else if let value = NumberSpelling.decimal(String(value)) {
            self = .decimal(value)
        } else {
            return nil
        }
    }

    private init?(elements: [Any]) {
        var values: [AnyCodable] = []
        values.reserveCapacity(elements.count)
        for element in elements {
            guard let value = AnyCodable(element) else { return nil }
            values.append(value)
        }
        self = .array(values)
    }

    private init?(members: [String: Any]) {
        var values: [String: AnyCodable] = [:]
        values.reserveCapacity(members.count)
        for (key, member) in members {
            guard let value = AnyCodable(member) else { return nil }
            values[key] = value
        }
        self = .object(values)
    }
}

extension AnyCodable: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Creates null.
    public init(nilLiteral: ()) { self.init(storage: .null) }

    /// Creates the Boolean of the literal.
    public init(booleanLiteral value: Bool) { self.init(storage: .bool(value)) }

    /// Creates the integer of the literal.
    public init(integerLiteral value: Int) { self.init(storage: .int(Int64(value))) }

    /// Creates the double of the literal.
    public init(floatLiteral value: Double) { self.init(storage: .double(value)) }

    /// Creates the string of the literal.
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
    public var description: String { JSONValue(self)?.description ?? "\(value)" }
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
