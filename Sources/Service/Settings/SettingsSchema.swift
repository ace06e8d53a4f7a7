package import Records

/// The JSON Schema of the configuration file, for completion and checks in editors.
package enum SettingsSchema {
    /// The schema; null stands for a setting that is left out.
    package static var json: JSONValue {
        var components = SchemaComponents(allowsNull: true)
        guard case .object(let reference) = components.reference(to: Configuration.self) else { return .null }
        return .object(
            [
                .init("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
                .init("title", .string("Configuration of Weir")),
            ] + reference + [.init("components", .object([.init("schemas", components.value)]))])
    }
}
