import API
import Records

/// The parameters that choose the form of an answer: its fields, its dates and whether its repairs are listed.
struct ShapingParameters: Sendable {
    static let fieldsName = "fields", datesName = "dates", explainName = "explain"

    let fields: Parameter<SelectedFields>
    let dates: Parameter<DateForm>
    let explain: Parameter<Explanation>

    /// The parameters of answers with the fields of `root`, whose dates have the given form by default.
    init<Root: Record>(of root: Root.Type, example: String, dates form: DateForm, showsUpstream: Bool) {
        let first = String(example.prefix { $0 != "," })
        fields = Parameter(
            Self.fieldsName, .fields(of: root, example: example), orElse: "all", "The fields to keep.", example: first)
        dates = Self.dates(orElse: form.rawValue)
        explain = Self.explain(showsUpstream: showsUpstream)
    }

    /// The parameter that asks for the repairs, and with `showsUpstream` also for the upstream's document.
    static func explain(showsUpstream: Bool) -> Parameter<Explanation> {
        let words: [(String, Explanation)] = [("1", .repairs), ("0", .none), ("true", .repairs), ("false", .none)]
        return Parameter(
            explainName, .oneOf(words + (showsUpstream ? [("raw", .upstream)] : [])), orElse: "0",
            "Whether to answer with the document, its repairs and its source"
                + (showsUpstream ? "; raw adds the upstream's document." : "."), example: "1")
    }

    static func dates(orElse standard: String) -> Parameter<DateForm> {
        Parameter(
            datesName, .oneOf(DateForm.self), orElse: standard,
            "The form of dates: seconds since 1970, or ISO 8601 in UTC.", example: DateForm.iso8601.rawValue)
    }

    var specs: [ParameterSpec] { [fields.spec, dates.spec, explain.spec] }
}

extension RouteDescription.Answer {
    /// JSON with the schema of a value, whose dates have the given form by default; `explain` puts the value into an envelope.
    static func document<Value: FieldValue>(of type: Value.Type, dates form: DateForm) -> Self {
        explainable { components in
            components.dates = form
            defer { components.dates = .iso8601 }
            return type.schema(in: &components)
        }
    }

    /// JSON with a schema, which gets the name of its route in OpenAPI; `explain` puts the value into an envelope.
    static func document(schema: JSONValue, of route: String, _ isExplainable: Bool) -> Self {
        let words = route.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
        let name = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        var answer = explainable { components in
            switch schema["type"] {
            case "object": components.reference(to: schema, named: "\(name)Answer")
            case "array":
                schema["items"]?["type"] == "object"
                    ? schema.replacing(
                        "items", with: components.reference(to: schema["items"] ?? [:], named: "\(name)Item"))
                    : schema
            default: schema
            }
        }
        if !isExplainable { answer.explained = nil }
        return answer
    }

    private static func explainable(_ schema: @escaping @Sendable (inout SchemaComponents) -> JSONValue) -> Self {
        var answer = Self("application/json") { schema(&$0) }
        answer.explained = { components in
            let explanation: JSONValue = [
                "type": "object", "description": "The answer with `explain`.",
                "properties": [
                    "data": ["description": "The answer without `explain`."],
                    "drift": DriftReport.schema(in: &components),
                    "source": DocumentSource.schema(in: &components),
                    "upstream": ["description": "With `raw` alone: the upstream's document, without keys."],
                ],
                "required": ["data", "drift", "source"],
            ]
            return components.reference(to: explanation, named: "Explanation")
        }
        return answer
    }
}

extension JSONValue {
    /// Returns an object with another value of a member.
    fileprivate func replacing(_ key: String, with value: JSONValue) -> JSONValue {
        guard case .object(let members) = self else { return self }
        return .object(members.map { $0.key == key ? Member(key, value) : $0 })
    }
}
