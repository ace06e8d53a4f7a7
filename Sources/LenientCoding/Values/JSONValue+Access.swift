public import FoundationEssentials

extension JSONValue {
    /// The element at `index`; nil when there is none or this is no array.
    public subscript(index: Int) -> JSONValue? {
        guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
        return elements[index]
    }

    /// Whether the value is `null`.
    public var isNull: Bool { self == .null }

    /// `true` or `false`; nil for any other kind.
    public var boolValue: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The string; nil for any other kind.
    public var stringValue: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The number as an integer when it is one (`10`, `10.0`, `1e1`) and fits; nil otherwise.
    public var intValue: Int? { numberText.flatMap(NumberSpelling.integer) }

    /// The number as an integer when it is one and fits; nil otherwise.
    public var int64Value: Int64? { numberText.flatMap(NumberSpelling.integer) }

    /// The number as an integer when it is one and fits; nil otherwise.
    public var uint64Value: UInt64? { numberText.flatMap(NumberSpelling.integer) }

    /// The number as the nearest double; nil for other kinds and beyond the range of doubles.
    public var doubleValue: Double? { numberText.flatMap(NumberSpelling.double) }

    /// The number as a decimal that loses nothing; nil for other kinds and where there is none.
    public var decimalValue: Decimal? { numberText.flatMap(NumberSpelling.decimal) }

    /// The elements of an array; nil for any other kind.
    public var elements: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The members of an object in their order; nil for any other kind.
    public var members: [Member]? {
        if case .object(let members) = self { members } else { nil }
    }

    /// What the value is, as a person would say it: `an object`.
    var kindName: String {
        switch self {
        case .null: "null"
        case .bool: "a Boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }

    private var numberText: String? {
        guard case .number(let text) = self, NumberSpelling.isNumber(text) else { return nil }
        return text
    }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// `null`.
    public init(nilLiteral: ()) { self = .null }

    /// `true` or `false`.
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// The number of the literal.
    public init(integerLiteral value: Int) { self = .number(String(value)) }

    /// The number of the literal in the shortest form that reads back as the same double.
    public init(floatLiteral value: Double) { self = .number(value.description) }

    /// The string of the literal.
    public init(stringLiteral value: String) { self = .string(value) }

    /// The array of the literal.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

    /// The object of the literal, members in their order.
    public init(dictionaryLiteral members: (String, JSONValue)...) {
        self = .object(members.map { Member($0.0, $0.1) })
    }
}

extension JSONValue: CustomStringConvertible {
    /// The value as compact JSON.
    public var description: String { String(decoding: text, as: UTF8.self) }
}
