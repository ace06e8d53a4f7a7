public import JSONText

/// The component schemas of an OpenAPI 3.1 document, made from the tables of records.
///
///     var components = SchemaComponents()
///     components.add(Forecast.self)
///     components.write(to: &writer)  // {"Forecast":{"type":"object",…},"DataBlock":…}
public struct SchemaComponents: Sendable {
    private var names: [String] = []
    private var schemas: [String: JSONValue] = [:]

    /// Whether null stands for an absent field, as in settings.
    private var allowsNull = false
    /// The names of the systems of units in which clients can have answers, in the order of their numbers.
    private var unitSystems: [String] = []
    /// The form of dates in answers unless a client asks for another one.
    package var dates = DateForm.iso8601
    /// Whether records have the fields that their tables require; a client can select others.
    package var requiresFields = true

    /// No schemas.
    public init() {}

    /// No schemas; null stands for an absent field.
    package init(allowsNull: Bool) { self.allowsNull = allowsNull }

    /// No schemas; clients choose the fields, the form of dates and the units among `unitSystems`.
    package init(ofAnswersIn unitSystems: [String]) { (self.unitSystems, requiresFields) = (unitSystems, false) }

    /// Whether clients choose the form of answers.
    var isOfAnswers: Bool { !unitSystems.isEmpty }

    /// The schemas by name, in the order in which they were first needed.
    public var value: JSONValue {
        .object(names.map { JSONValue.Member($0, schemas[$0] ?? .object([])) })
    }

    /// Adds the schema of `Model` and those of the records in it.
    public mutating func add<Model: Record>(_ model: Model.Type) { _ = reference(to: model) }

    /// Writes the value of `components.schemas`: `{"Alert":{"type":"object",…},…}`.
    public func write(to writer: inout JSONWriter) { value.write(to: &writer) }

    /// Returns a reference to the schema of `Model`, which is added.
    package mutating func reference<Model: Record>(to model: Model.Type) -> JSONValue {
        let name = "\(model)"
        if schemas[name] == nil {
            names.append(name)
            // Entered before its fields, because a record may contain records of its own type.
            schemas[name] = .object([])
            schemas[name] = schema(of: model)
        }
        return .object([.init("$ref", .string("#/components/schemas/\(name)"))])
    }

    /// Returns a reference to a schema, which is added under `name`, or under the name with a number if another one has it.
    package mutating func reference(to schema: JSONValue, named name: String) -> JSONValue {
        var unique = name, number = 2
        while let other = schemas[unique], other != schema { (unique, number) = ("\(name)\(number)", number + 1) }
        if schemas.updateValue(schema, forKey: unique) == nil { names.append(unique) }
        return .object([.init("$ref", .string("#/components/schemas/\(unique)"))])
    }

    private mutating func schema<Model: Record>(of model: Model.Type) -> JSONValue {
        schema(of: model.schema.table, blank: Self.written(model.init()))
    }

    /// Returns the schema of an object with the fields of a table, whose defaults are in `blank`.
    mutating func schema(of table: RecordTable, blank: JSONValue?) -> JSONValue {
        var properties: [JSONValue.Member] = []
        for field in table.fields {
            var schema = field.shape.schema(&self).described(by: field.rules, in: unitSystems)
            if allowsNull, !field.rules.isRequired {
                schema = absentable(schema).adding("description", field.rules.note.map { .string($0) })
            }
            if !isOfAnswers, !field.shape.isOptional, !field.rules.isRequired {
                schema = schema.adding("default", blank?[field.name])
            }
            properties.append(JSONValue.Member(field.name, schema))
        }
        let required = table.fields.filter { requiresFields && $0.rules.isRequired }.map { JSONValue.string($0.name) }
        var schema = JSONValue.schema(ofType: "object").adding("properties", .object(properties))
        if !required.isEmpty { schema = schema.adding("required", .array(required)) }
        // A later version can add fields to answers.
        return isOfAnswers && !table.takesOthers
            ? schema : schema.adding("additionalProperties", .bool(table.takesOthers))
    }

    /// Returns the schema of a value that may be left out: it allows null if null stands for an absent field.
    func absentable(_ schema: JSONValue) -> JSONValue {
        allowsNull ? .object([.init("anyOf", .array([schema, .schema(ofType: "null")]))]) : schema
    }

    static func written(_ record: some Record) -> JSONValue? {
        // Never nil: the writer writes valid JSON.
        parsed(JSONWriter.text { record.write(to: &$0) })
    }

    static func parsed(_ json: String) -> JSONValue? {
        var parser = JSONParser()
        return try? parser.withDocument(Array(json.utf8)) { JSONValue($0) }
    }
}

extension JSONValue {
    /// The schema of a type.
    static func schema(ofType name: String) -> JSONValue { .object([Member("type", .string(name))]) }

    /// Returns the schema with the note, range and dimension of a field's rules, in each of the systems of units.
    fileprivate func described(by rules: FieldRules, in unitSystems: [String]) -> JSONValue {
        var schema = self
        if let note = rules.note { schema = schema.adding("description", .string(note)) }
        schema = schema.limited(by: rules, in: unitSystems)
        if let example = rules.example.flatMap(SchemaComponents.parsed) {
            schema = schema.adding("examples", .array([example]))
        }
        guard let dimension = rules.dimension else { return schema }
        schema = schema.adding("x-dimension", .string(dimension.name))
        if unitSystems.isEmpty { return schema }
        let units = unitSystems.enumerated().map { number, name in
            Member(name, .string(dimension.unit(in: Units(number: number)).name))
        }
        return schema.adding("x-units", .object(units))
    }

    /// Returns the schema with the range and the words of a field's rules, which hold for the elements of arrays and the
    /// values of dictionaries.
    private func limited(by rules: FieldRules, in unitSystems: [String]) -> JSONValue {
        if case .array(let choices) = self { return .array(choices.map { $0.limited(by: rules, in: unitSystems) }) }
        guard case .object(var members) = self, self["type"] != "null" else { return self }
        let inner = ["items", "additionalProperties", "anyOf"]
        if let index = members.firstIndex(where: { inner.contains($0.key) }) {
            members[index].value = members[index].value.limited(by: rules, in: unitSystems)
            return .object(members)
        }
        var schema = self
        // A range is in the base units.
        if let range = rules.plausible, rules.dimension == nil || unitSystems.count < 2 {
            let least = min(range.lowerBound, rules.placeholder ?? range.lowerBound)
            schema = schema.adding("minimum", .number(JSONWriter.text { $0.write(least) }))
            schema = schema.adding("maximum", .number(JSONWriter.text { $0.write(range.upperBound) }))
        }
        if !rules.words.isEmpty { schema = schema.adding("enum", .array(rules.words.map { .string($0) })) }
        return schema
    }

    fileprivate func adding(_ key: String, _ value: JSONValue?) -> JSONValue {
        guard let value, case .object(let members) = self else { return self }
        return .object(members + [Member(key, value)])
    }
}

extension Record {
    /// A reference to the record's schema, which is added to the components.
    public static func schema(in components: inout SchemaComponents) -> JSONValue { components.reference(to: self) }
}
