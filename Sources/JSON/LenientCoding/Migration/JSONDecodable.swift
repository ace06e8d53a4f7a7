#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A model with a hand-written initializer from a `JSONValue`.
///
///     extension User: JSONDecodable {
///         init(json: JSONValue) throws {
///             id = try json.decode("id")
///             name = try json.decodeIfPresent("name")
///             level = try json.decode("level", default: .trainee)
///         }
///     }
///
/// It is the first step from `[String: Any]`, or from a library with its own JSON type, to `Codable`:
/// ``CodableToJSONDecodable`` and ``JSONToCodableDecodable`` let models of both kinds contain each other.
public protocol JSONDecodable {
    /// Creates the model from `json`.
    ///
    /// - Throws: `JSONDecodingError` with the path of the invalid value, or an error of the model. A `DecodingError` of a
    ///   model in an object or an array becomes a `JSONDecodingError`, which has the path to that model.
    init(json: JSONValue) throws
}

extension JSONValue {
    /// Creates a model from this value.
    ///
    ///     let ids = try json.decode(as: [Int].self)
    public func decode<Model: JSONDecodable>(as type: Model.Type = Model.self) throws -> Model { try Model(json: self) }

    /// Creates a model from the member called `key`.
    ///
    ///     let id = try json.decode("id", as: Int.self)
    ///
    /// Returns nil for an optional model if the member is missing or null.
    ///
    /// - Throws: `JSONDecodingError` if this is not an object or has no such member, or the error of the model.
    public func decode<Model: JSONDecodable>(_ key: String, as type: Model.Type = Model.self) throws -> Model {
        guard let value = try member(key) else {
            if let absent: Model = absentValue(of: type) { return absent }
            throw JSONDecodingError("missing", at: [.key(key)])
        }
        return try Model(json: value, at: .key(key))
    }

    /// Creates a model from the member called `key`; returns nil if it is missing or null.
    ///
    ///     let name: String? = try json.decodeIfPresent("name")
    ///
    /// - Throws: `JSONDecodingError` if this is not an object, or the error of the model.
    public func decodeIfPresent<Model: JSONDecodable>(
        _ key: String, as type: Model.Type = Model.self
    ) throws -> Model? {
        guard let value = try member(key), !value.isNull else { return nil }
        return try Model(json: value, at: .key(key))
    }

    /// Creates a model from the member called `key`; returns `standard` if it is missing or null.
    ///
    ///     let level = try json.decode("level", default: 1)
    ///
    /// - Throws: `JSONDecodingError` if this is not an object, or the error of the model or of `standard`.
    public func decode<Model: JSONDecodable>(
        _ key: String, default standard: @autoclosure () throws -> Model
    ) throws -> Model {
        try decodeIfPresent(key) ?? standard()
    }

    private func member(_ key: String) throws -> JSONValue? {
        guard case .object = self else { throw mismatch("an object") }
        return self[key]
    }

    /// Returns `value`, or throws an error if it is nil because this value is not `expectation`.
    fileprivate func expect<Value>(_ expectation: String, _ value: Value?) throws -> Value {
        guard let value else { throw mismatch(expectation) }
        return value
    }

    private func mismatch(_ expectation: String) -> JSONDecodingError {
        JSONDecodingError("expected \(expectation), found \(kindName)")
    }
}

extension JSONDecodable {
    /// Creates the model from the value at `step`, which is inserted into the path of an error.
    fileprivate init(json: JSONValue, at step: JSONDecodingError.Step) throws {
        do {
            self = try BridgeContext.at(step) { try Self(json: json) }
        } catch var error as JSONDecodingError {
            error.path.insert(step, at: 0)
            throw error
        } catch let error as DecodingError {
            // The path of a decoder that the model made begins at the model.
            var error = JSONDecodingError(error)
            error.path.insert(step, at: 0)
            throw error
        }
    }
}

// MARK: Standard types

extension JSONValue: JSONDecodable {
    /// Copies the value.
    public init(json: JSONValue) { self = json }
}

extension String: JSONDecodable {
    /// Creates a string from a string.
    public init(json: JSONValue) throws { self = try json.expect("a string", json.stringValue) }
}

extension Bool: JSONDecodable {
    /// Creates a Boolean from `true` or `false`.
    public init(json: JSONValue) throws { self = try json.expect("a Boolean", json.boolValue) }
}

extension Int: JSONDecodable {
    /// Creates an integer from a number without a fraction, such as `10` or `10.0`, that is in range.
    public init(json: JSONValue) throws { self = try json.expect("an integer", json.intValue) }
}

extension Int64: JSONDecodable {
    /// Creates an integer from a number without a fraction, such as `10` or `10.0`, that is in range.
    public init(json: JSONValue) throws { self = try json.expect("an integer", json.int64Value) }
}

extension UInt64: JSONDecodable {
    /// Creates an integer from a number without a fraction, such as `10` or `10.0`, that is in range.
    public init(json: JSONValue) throws { self = try json.expect("an integer from 0", json.uint64Value) }
}

extension Double: JSONDecodable {
    /// Creates the nearest double from a number.
    public init(json: JSONValue) throws { self = try json.expect("a number", json.doubleValue) }
}

extension Decimal: JSONDecodable {
    /// Creates a decimal from a number of up to 38 digits.
    public init(json: JSONValue) throws { self = try json.expect("a decimal number", json.decimalValue) }
}

extension Array: JSONDecodable where Element: JSONDecodable {
    /// Creates the elements from those of an array.
    public init(json: JSONValue) throws {
        let elements = try json.expect("an array", json.elements)
        self = try elements.enumerated().map { try Element(json: $1, at: .index($0)) }
    }
}

extension Dictionary: JSONDecodable where Key == String, Value: JSONDecodable {
    /// Creates the values from the members of an object; if a key occurs more than once, the last member counts.
    public init(json: JSONValue) throws {
        self.init()
        for member in try json.expect("an object", json.members) {
            self[member.key] = try Value(json: member.value, at: .key(member.key))
        }
    }
}

extension Optional: JSONDecodable where Wrapped: JSONDecodable {
    /// Creates nil from null, and the wrapped value from any other value.
    public init(json: JSONValue) throws { self = json.isNull ? nil : try Wrapped(json: json) }
}

extension JSONDecodable where Self: RawRepresentable, RawValue: JSONDecodable {
    /// Creates the value whose raw value is `json`.
    public init(json: JSONValue) throws {
        guard let value = Self(rawValue: try RawValue(json: json)) else {
            throw JSONDecodingError("expected a \(Self.self), found another value")
        }
        self = value
    }
}

/// The reason why a model could not be created from a `JSONValue`, and the path of the invalid value.
///
///     do {
///         let users = try json.decode("users", as: [[String: Int]].self)
///     } catch let error as JSONDecodingError {
///         print(error)  // users[2].id: expected an integer, found a string
///     }
public struct JSONDecodingError: Error, Equatable, Sendable {
    /// A step from a value to one that it contains.
    public enum Step: Equatable, Sendable {
        /// The member of an object.
        case key(String)
        /// The element of an array.
        case index(Int)
    }

    /// The path from the decoded value to the invalid one; empty if they are the same.
    public var path: [Step]
    /// The defect, such as `expected an integer, found a string`.
    public let reason: String

    /// Creates an error for the value at `path`.
    ///
    ///     guard json["end"] != json["start"] else { throw JSONDecodingError("is equal to start", at: [.key("end")]) }
    public init(_ reason: String, at path: [Step] = []) {
        self.reason = reason
        self.path = path
    }
}

extension JSONDecodingError: CustomStringConvertible {
    /// The path and the reason: `users[2].id: missing`.
    public var description: String { path.isEmpty ? reason : "\(Self.text(of: path)): \(reason)" }

    private static func text(of path: [Step]) -> String {
        path.reduce(into: "") { text, step in
            switch step {
            case .key(let key): text += (text.isEmpty ? "" : ".") + key.prefix(64)
            case .index(let index): text += "[\(index)]"
            }
        }
    }
}
