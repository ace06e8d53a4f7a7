package import Records

/// A parameter of a route, described once: reading, faults, documents and OpenAPI come from this value.
package struct ParameterSpec: Sendable {
    package enum Location: String, Sendable {
        case path, query, header
    }

    package let name: String
    package let location: Location
    package let isRequired: Bool
    /// The values in words, without a subject: `a number from -90 to 90 degrees`.
    package let expectation: String
    /// The JSON Schema of the value.
    package private(set) var schema: JSONValue
    /// The meaning of an absent parameter, in words or as the value.
    package private(set) var defaultNote: String?
    /// The meaning of the value.
    package let summary: String
    /// A value that the demo answers; nil for a parameter that examples leave out.
    package let example: String?

    /// Returns the parameter of another route, which has its own default.
    package func with(default note: String) -> ParameterSpec {
        var spec = self
        spec.defaultNote = note
        return spec
    }

    /// The parameter of a route that ignores other values.
    package var ignoringOthers: ParameterSpec {
        var spec = self
        spec.schema = ["type": "string"]
        return spec
    }
}

/// A parameter whose values have a type.
package struct Parameter<Value: Sendable>: Sendable {
    package let spec: ParameterSpec
    /// The name of the value for readers; that of the parameter, unless the parameter is a header field.
    package let key: String
    package let type: ParameterType<Value>

    /// A parameter of the query, which may be absent: then `defaultNote` holds, and the schema has the default `value`.
    package init(
        _ name: String, _ type: ParameterType<Value>, in location: ParameterSpec.Location = .query,
        isRequired: Bool = false, orElse defaultNote: String? = nil, default value: JSONValue? = nil,
        _ summary: String, example: String? = nil, key: String? = nil
    ) {
        self.key = key ?? name
        var schema = type.schema
        if let value { schema["default"] = value }
        spec = ParameterSpec(
            name: name, location: location, isRequired: isRequired || location == .path,
            expectation: type.expectation, schema: schema, defaultNote: defaultNote, summary: summary,
            example: example)
        self.type = type
    }
}

/// The values that a parameter takes.
package struct ParameterType<Value: Sendable>: Sendable {
    package enum Reading: Sendable {
        case value(Value)
        /// A wrong value; the hint is empty, or a clause such as `; did you mean "si"?`.
        case wrong(hint: String)
        /// A list with wrong parts.
        case complaints([String])
    }

    package let expectation: String
    package let schema: JSONValue
    /// Whether every character of a value must be ASCII, as in all values but a text in a client's own words.
    let isASCII: Bool
    /// The longest value in bytes: 500 characters of four bytes, unless the type bounds its values itself.
    let maximumBytes: Int
    package let read: @Sendable (String) -> Reading

    package init(
        _ expectation: String, schema: JSONValue, isASCII: Bool, maximumBytes: Int = 2000,
        reading read: @escaping @Sendable (String) -> Reading
    ) {
        (self.expectation, self.schema, self.isASCII) = (expectation, schema, isASCII)
        (self.maximumBytes, self.read) = (maximumBytes, read)
    }

    /// A type whose values `convert` makes; `hint` says why there is none.
    package init(
        _ expectation: String, schema: JSONValue, isASCII: Bool = true,
        hint: @escaping @Sendable (String) -> String = { _ in "" }, convert: @escaping @Sendable (String) -> Value?
    ) {
        self.init(expectation, schema: schema, isASCII: isASCII) { text in
            convert(text).map(Reading.value) ?? .wrong(hint: hint(text))
        }
    }
}
