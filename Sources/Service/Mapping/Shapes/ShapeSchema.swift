public import Records

extension Shape {
    /// The JSON Schema of answers, for OpenAPI; `required` has the members that every answer has.
    public var schema: JSONValue { root.schema(requiring: true) }

    /// The JSON Schema of answers of which clients select fields, so that none is required.
    public var schemaOfSelections: JSONValue { root.schema(requiring: false) }

    /// Whether an answer can have dates.
    public var hasDates: Bool {
        nodes.contains { node in
            if case .scalar(let rules) = node.content { rules.hasDates } else { false }
        }
    }
}

extension ShapeNode {
    /// The schema of the values that the node makes.
    fileprivate func schema(requiring: Bool) -> JSONValue {
        var members: [JSONValue.Member] = []
        switch content {
        case .open: break
        case .openObject: members = [.init("type", "object")]
        case .scalar(let rules): members = rules.schema
        case .object(let properties, let others):
            members = [.init("type", "object")]
            if !properties.isEmpty {
                let schemas = properties.map { property in
                    JSONValue.Member(property.name, property.node.schema(requiring: requiring))
                }
                members.append(.init("properties", .object(schemas)))
            }
            let required = properties.filter { $0.isRequired || $0.node.alwaysHasValue }.map(\.name)
            if requiring, !required.isEmpty {
                members.append(.init("required", .array(required.map { .string($0) })))
            }
            if let others {
                members.append(.init("additionalProperties", others.schema(requiring: requiring)))
            }
        case .array(let elements):
            var element = elements.node.schema(requiring: requiring)
            if elements.keepsNulls { element = element.acceptingNull }
            members = [.init("type", "array"), .init("items", element)]
            if case .number(let limit) = elements.limit { members.append(.init("maxItems", .number("\(limit)"))) }
            if elements.areUnique { members.append(.init("uniqueItems", true)) }
        }
        let schema = JSONValue.object(members + annotations.filter { note in !members.contains { $0.key == note.key } })
        return keepsNulls ? schema.acceptingNull : schema
    }

    /// Whether there is a value, or null, for every object around the node.
    fileprivate var alwaysHasValue: Bool {
        if fallback != nil { return true }
        guard case .current = source, replacements == nil, case .object(let properties, _) = content else {
            return false
        }
        return properties.contains { $0.node.alwaysHasValue }
            && properties.allSatisfy { !$0.isRequired || $0.node.alwaysHasValue }
    }
}

extension JSONValue {
    /// The schema with null as another type, if it names types, and as another value of `enum`.
    fileprivate var acceptingNull: JSONValue {
        var schema = self
        switch schema["type"] {
        case .string(let name)?: schema["type"] = [.string(name), "null"]
        case .array(let names)? where !names.contains("null"): schema["type"] = .array(names + ["null"])
        default: break
        }
        if let choices = schema["anyOf"]?.elements { schema["anyOf"] = .array(choices + [["type": "null"]]) }
        if let values = schema["enum"]?.elements, !values.contains(.null) { schema["enum"] = .array(values + [.null]) }
        return schema
    }
}
