package import Records

/// The JSON Schema of the configuration file, for completion and checks in editors.
package enum SettingsSchema {
    /// The schema; null stands for a setting that is left out.
    package static var json: JSONValue {
        var components = SchemaComponents(allowsNull: true)
        guard case .object(let reference) = components.reference(to: Configuration.self) else { return .null }
        let schema = JSONValue.object(
            [
                .init("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
                .init("title", .string("Configuration of Weir")),
            ] + reference)
        var schemas = components.value
        for setting in RetiredSetting.all {
            let steps = setting.path.split(separator: ".").map { $0.hasSuffix("[]") ? $0.dropLast(2) : $0 }
            _ = deprecate(setting, steps[...], in: schema, &schemas)
        }
        return .object((schema.members ?? []) + [.init("components", .object([.init("schemas", schemas)]))])
    }

    /// Returns a schema with a retired setting at the end of `steps`, which editors strike through; `schemas` are those that
    /// it refers to.
    private static func deprecate(
        _ setting: RetiredSetting, _ steps: ArraySlice<Substring>, in schema: JSONValue, _ schemas: inout JSONValue
    ) -> JSONValue {
        var schema = schema
        if let name = schema["$ref"]?.stringValue?.split(separator: "/").last.map(String.init) {
            let found = schemas[name] ?? .null
            schemas[name] = deprecate(setting, steps, in: found, &schemas)
        } else if var properties = schema["properties"], let step = steps.first.map(String.init) {
            if steps.count == 1 {
                let text = "No setting: the value is \(setting.value). \(setting.advice)"
                properties[step] = ["deprecated": true, "description": .string(text)]
            } else {
                properties[step] = deprecate(setting, steps.dropFirst(), in: properties[step] ?? [:], &schemas)
            }
            schema["properties"] = properties
        } else if let choices = schema["anyOf"]?.elements {
            schema["anyOf"] = .array(choices.map { deprecate(setting, steps, in: $0, &schemas) })
        } else if let items = schema["items"] {
            schema["items"] = deprecate(setting, steps, in: items, &schemas)
        }
        return schema
    }
}
