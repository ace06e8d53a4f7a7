public import FoundationEssentials

extension JSONValue: JSONDecodable {
    /// The value itself.
    public init(json: JSONValue) { self = json }
}

extension String: JSONDecodable {
    /// Makes a string of a string.
    public init(json: JSONValue) throws { self = try json.expect("a string", json.stringValue) }
}

extension Bool: JSONDecodable {
    /// Makes a Boolean of `true` and `false`.
    public init(json: JSONValue) throws { self = try json.expect("a Boolean", json.boolValue) }
}

extension Int: JSONDecodable {
    /// Makes an integer of a number that is one and fits.
    public init(json: JSONValue) throws { self = try json.expect("an integer", json.intValue) }
}

extension Int64: JSONDecodable {
    /// Makes an integer of a number that is one and fits.
    public init(json: JSONValue) throws { self = try json.expect("an integer", json.int64Value) }
}

extension UInt64: JSONDecodable {
    /// Makes an integer of a number that is one and fits.
    public init(json: JSONValue) throws { self = try json.expect("an integer from 0", json.uint64Value) }
}

extension Double: JSONDecodable {
    /// Makes a double of a number.
    public init(json: JSONValue) throws { self = try json.expect("a number", json.doubleValue) }
}

extension Decimal: JSONDecodable {
    /// Makes a decimal of a number of up to 38 digits.
    public init(json: JSONValue) throws { self = try json.expect("a decimal number", json.decimalValue) }
}

extension Array: JSONDecodable where Element: JSONDecodable {
    /// Makes an array of an array whose elements all are such models.
    public init(json: JSONValue) throws {
        let elements = try json.expect("an array", json.elements)
        self = try elements.enumerated().map { try Element(json: $1, at: .index($0)) }
    }
}

extension Dictionary: JSONDecodable where Key == String, Value: JSONDecodable {
    /// Makes a dictionary of an object whose members all are such models; of equal keys the last one counts.
    public init(json: JSONValue) throws {
        self.init()
        for member in try json.expect("an object", json.members) {
            self[member.key] = try Value(json: member.value, at: .key(member.key))
        }
    }
}

extension Optional: JSONDecodable where Wrapped: JSONDecodable {
    /// Nil of null, else what the wrapped type makes of it.
    public init(json: JSONValue) throws { self = json.isNull ? nil : try Wrapped(json: json) }
}

extension JSONDecodable where Self: RawRepresentable, RawValue: JSONDecodable {
    /// Makes a case of its raw value.
    public init(json: JSONValue) throws {
        guard let value = Self(rawValue: try RawValue(json: json)) else {
            throw JSONDecodingError("expected a \(Self.self), found another value")
        }
        self = value
    }
}

extension JSONValue {
    /// `value`, which is nil where this is not `expectation`.
    fileprivate func expect<Value>(_ expectation: String, _ value: Value?) throws -> Value {
        guard let value else { throw mismatch(expectation) }
        return value
    }
}
