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
    /// JSON with the schema of a value, and with the same value in an explanation.
    static func document<Value: FieldValue>(of type: Value.Type) -> Self {
        document { type.schema(in: &$0) }
    }

    /// JSON with a schema, and with the same value in an explanation.
    static func document(schema: JSONValue) -> Self { document { _ in schema } }

    private static func document(_ schema: @escaping @Sendable (inout SchemaComponents) -> JSONValue) -> Self {
        Self("application/json") { components in
            let data = schema(&components)
            // The stricter form first: readers take the first one that fits.
            return ["anyOf": [explanation(of: data, &components), data]]
        }
    }

    private static func explanation(of data: JSONValue, _ components: inout SchemaComponents) -> JSONValue {
        [
            "type": "object", "description": "The answer with `explain`.",
            "properties": [
                "data": data, "drift": DriftReport.schema(in: &components),
                "source": DocumentSource.schema(in: &components),
                "upstream": ["description": "With `raw` alone: the upstream's document, without keys."],
            ],
            "required": ["data", "drift", "source"],
        ]
    }
}
