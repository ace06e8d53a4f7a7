package import Records

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

extension [FieldDescription] {
    /// Returns the settings in which two objects differ.
    ///
    /// An element that only one of the objects has is one difference.
    package func differences(
        of new: JSONValue, from old: JSONValue, below path: String = ""
    ) -> [SettingDifference] {
        flatMap { field in
            field.differences(of: new[field.name] ?? .null, from: old[field.name] ?? .null, path + field.name)
        }
    }
}

/// A setting that differs between two configurations.
package struct SettingDifference: Sendable {
    /// The path, such as `upstreams[0].baseURL`.
    package let setting: String
    /// Whether a process keeps its value.
    package let isFixed: Bool
    /// The values; null where there is none.
    package let old: JSONValue, new: JSONValue
}

extension FieldDescription {
    fileprivate func differences(
        of new: JSONValue, from old: JSONValue, _ path: String
    ) -> [SettingDifference] {
        func difference(_ path: String, _ old: JSONValue?, _ new: JSONValue?) -> SettingDifference {
            SettingDifference(setting: path, isFixed: rules.isFixed, old: old ?? .null, new: new ?? .null)
        }
        if new == old { return [] }
        switch (new, old) {
        case (.array(let new), .array(let old)) where !members.isEmpty:
            return (0..<max(new.count, old.count)).flatMap { index in
                let place = "\(path)[\(index)]"
                guard index < old.count else { return [difference(place, nil, new[index])] }
                guard index < new.count else { return [difference(place, old[index], nil)] }
                return members.differences(of: new[index], from: old[index], below: place + ".")
            }
        case (.object(let members), .object(let others)) where isMap:
            let keys = Set((members + others).map(\.key)).sorted()
            return keys.filter { new[$0] != old[$0] }.map { difference("\(path).\($0)", old[$0], new[$0]) }
        case (.object, .object) where !members.isEmpty && !rules.isFixed:
            return members.differences(of: new, from: old, below: path + ".")
        default: return [difference(path, old, new)]
        }
    }
}
