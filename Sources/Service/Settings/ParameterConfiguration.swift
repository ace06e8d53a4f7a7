package import Records

/// A parameter of a route, with the keys of JSON Schema.
package struct ParameterConfiguration: Record {
    /// The values that the parameter takes; those of an array are in `items`.
    package var values = Values()
    package var items: Values?
    package var maxItems: Int?
    package var standard: JSONValue?, example: JSONValue?
    package var description: String?, required: Bool?, header: String?, credential: Bool?

    package init() {}

    /// The values of a parameter, or of the elements of an array.
    package struct Values: Record {
        package var type: String?, choices: [JSONValue]?
        package var minimum: Double?, maximum: Double?
        package var minLength: Int?, maxLength: Int?
        package var pattern: String?, format: String?

        package init() {}

        package static let schema = Schema<Values>(.exact, .defaulted) {
            Field(
                \.type, .oneOf(["string", "integer", "number", "boolean", "array"]), .takes(orElse: "`string`"),
                .example(#""integer""#), .note("The type; an `array` is written with commas, and holds no other one."))
            Field("enum", \.choices, .takes("a list"), .example(#"["asc", "desc"]"#), .note("The values."))
            Field(\.minimum, .example("0"), .note("The smallest number."))
            Field(\.maximum, .example("100"), .note("The largest number."))
            Field(\.minLength, .plausible(0...10_000), .example("1"), .note("The least characters of a text."))
            Field(\.maxLength, .plausible(0...10_000), .example("40"), .note("The most characters of a text."))
            Field(
                \.pattern, .takes("a regular expression"), .example(#""^[A-Z0-9]{3,8}$""#),
                .note("The form of a text (PCRE2)."))
            Field(
                \.format, .oneOf(["date", "date-time"]), .takes(orElse: "any"), .example(#""date""#),
                .note("A date, or a date with a time, in ISO 8601."))
        }
    }

    package static let schema = Schema<ParameterConfiguration>(.exact, .defaulted) {
        Included(\.values)
        Field(
            \.items, .takes("an object"), .example(#"{"type": "integer"}"#),
            .note("The elements of an array, with the keys above."))
        Field(\.maxItems, .plausible(1...1000), .takes(orElse: "100"), .example("20"), .note("The most elements."))
        Field(
            "default", \.standard, .takes("a value of the type"), .example("10"),
            .note("The value of a parameter that is absent."))
        Field(\.description, .example(#""The station's identifier""#), .note("The meaning, for OpenAPI."))
        Field(\.example, .takes("a value of the type"), .example(#""KSFO""#), .note("An example, for OpenAPI."))
        Field(
            \.required, .takes(orElse: "`true` in the path"), .example("true"),
            .note("Whether a request without the parameter is an error."))
        Field(
            \.header, .takes("the name of a header field"), .example(#""Accept-Language""#),
            .note("The client's header field that has the value, instead of the query."))
        Field(
            \.credential, .example("true"),
            .note(
                "Whether the value is a [credential of the client](routes.md#credentials-of-clients), for the upstream."
            ))
    }
}
