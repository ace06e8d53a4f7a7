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

/// A parameter whose values have a type; classes, because each request reads several, and a copy retains a dozen texts.
package final class Parameter<Value: Sendable>: Sendable {
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
package final class ParameterType<Value: Sendable>: Sendable {
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
    package convenience init(
        _ expectation: String, schema: JSONValue, isASCII: Bool = true,
        hint: @escaping @Sendable (String) -> String = { _ in "" }, convert: @escaping @Sendable (String) -> Value?
    ) {
        self.init(expectation, schema: schema, isASCII: isASCII) { text in
            convert(text).map(Reading.value) ?? .wrong(hint: hint(text))
        }
    }
}

extension StringProtocol {
    /// Whether all characters are ASCII.
    ///
    /// To compare a text of 1,000 combining marks with one word takes up to a millisecond, because Swift orders the marks.
    /// Texts of clients are compared with names only after this check, or by bytes.
    package var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }
}

/// Texts of clients and configurations in messages.
package enum Quotation {
    /// Returns `; did you mean …?` if one of `choices` is similar to `text` or a prefix of it, else an empty string.
    package static func hint(_ text: String, among choices: [String]) -> String {
        guard text.isASCII else { return "" }
        let prefix = choices.first { $0.count > 2 && text.hasPrefix($0) }
        return (NearestName.find(text, among: choices) ?? prefix).map { "; did you mean \(quote($0))?" } ?? ""
    }

    /// Returns a client's or a configuration's text in quotes, cut to 40 code points; a character can have thousands.
    package static func quote(_ text: String) -> String { "\"\(String(text.unicodeScalars.prefix(40)))\"" }
}
