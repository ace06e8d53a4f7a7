public import FoundationEssentials

extension JSONValue {
    /// The element at `index`; nil when there is none or this is no array.
    ///
    ///     let json: JSONValue = ["a", "b"]
    ///     json[1]  // "b"
    ///     json[2]  // nil
    public subscript(index: Int) -> JSONValue? {
        guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
        return elements[index]
    }

    /// Whether the value is `null`.
    ///
    ///     JSONValue.null.isNull  // true
    public var isNull: Bool { if case .null = self { true } else { false } }

    /// `true` or `false`; nil for any other kind.
    ///
    ///     JSONValue.bool(true).boolValue  // true
    public var boolValue: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The string; nil for any other kind.
    ///
    ///     JSONValue.string("Wind").stringValue  // "Wind"
    public var stringValue: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The number as an integer when it is one (`10`, `10.0`, `1e1`) and fits; nil otherwise.
    ///
    ///     JSONValue.number("10.0").intValue  // 10
    public var intValue: Int? { numberText.flatMap(NumberSpelling.integer) }

    /// The number as an integer when it is one and fits; nil otherwise.
    ///
    ///     JSONValue.number("-9223372036854775808").int64Value  // Int64.min
    public var int64Value: Int64? { numberText.flatMap(NumberSpelling.integer) }

    /// The number as an integer when it is one and fits; nil otherwise.
    ///
    ///     JSONValue.number("18446744073709551615").uint64Value  // UInt64.max
    public var uint64Value: UInt64? { numberText.flatMap(NumberSpelling.integer) }

    /// The number as the nearest double; nil for other kinds and beyond the range of doubles.
    ///
    ///     JSONValue.number("51.61").doubleValue  // 51.61
    public var doubleValue: Double? { numberText.flatMap(NumberSpelling.double) }

    /// The number as a decimal that loses nothing; nil for other kinds and where there is none.
    ///
    ///     JSONValue.number("0.10").decimalValue  // 0.1
    public var decimalValue: Decimal? { numberText.flatMap(NumberSpelling.decimal) }

    /// The elements of an array; nil for any other kind.
    ///
    ///     let json: JSONValue = ["a", "b"]
    ///     json.elements?.count  // 2
    public var elements: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The members of an object in their order; nil for any other kind.
    ///
    ///     let json: JSONValue = ["id": 7, "lang": "en"]
    ///     json.members?.map(\.key)  // ["id", "lang"]
    public var members: [Member]? {
        if case .object(let members) = self { members } else { nil }
    }

    /// What the value is, as a person would say it: `an object`.
    package var kindName: String {
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
