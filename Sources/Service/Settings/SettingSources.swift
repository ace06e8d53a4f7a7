import Records

/// Where the settings come from that are no defaults.
package struct SettingSources: Sendable {
    private let document: JSONValue
    private let overrides: [SettingOverride]
    private let variables: [String: [String]]

    /// The sources of the settings in a resolved document.
    init(_ document: JSONValue, _ resolution: SettingResolution) {
        (self.document, overrides, variables) = (document, resolution.overrides, resolution.variables)
    }

    /// Each setting that is given, with its source: an option such as `--set`, `environment NAME`, or `file`.
    package var all: [(setting: String, source: String)] {
        Configuration.schema.descriptions.given(in: document, below: "").map { ($0, source(of: $0)) }
    }

    private func source(of path: String) -> String {
        // A later option has precedence; it can also give a part of the setting.
        if let override = overrides.last(where: { $0.covers(path) || $0.path.isSetting(path) }) {
            return override.option
        }
        let names = variables.filter { $0.key.isSetting(path) }.flatMap(\.value)
        return names.isEmpty ? "file" : "environment " + Set(names).sorted().joined(separator: ", ")
    }
}

extension [FieldDescription] {
    /// Returns the paths of the settings with values in an object, those in lists and maps one by one.
    fileprivate func given(in object: JSONValue, below path: String) -> [String] {
        flatMap { field -> [String] in
            guard let value = object[field.name], !value.isNull else { return [] }
            return field.given(value, path + field.name)
        }
    }
}

extension FieldDescription {
    fileprivate func given(_ value: JSONValue, _ path: String) -> [String] {
        switch value {
        case .array(let elements) where !members.isEmpty:
            elements.enumerated().flatMap { members.given(in: $1, below: "\(path)[\($0)].") }
        case .object(let values) where !members.isEmpty && isMap:
            values.flatMap { members.given(in: $0.value, below: "\(path).\($0.key).") }
        case .object where !members.isEmpty: members.given(in: value, below: path + ".")
        default: [path]
        }
    }
}
