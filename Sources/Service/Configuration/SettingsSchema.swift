package import Records

extension Configuration {
    /// The JSON Schema of the configuration file, for completion and checks in editors.
    package static var jsonSchema: JSONValue {
        var components = SchemaComponents(allowsNull: true)
        guard case .object(let reference) = components.reference(to: Configuration.self) else { return .null }
        return .object(
            [
                .init("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
                .init("title", .string("Configuration of Weir")),
            ] + reference + [.init("components", .object([.init("schemas", components.value)]))])
    }
}
