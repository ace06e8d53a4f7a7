package import Records

/// The faults of settings.
package final class ConfigurationFaults {
    /// Each fault's path, such as `upstreams[0].name`, and its detail, which follows the path in a sentence.
    package private(set) var list: [(path: String, detail: String)] = []
    /// The number of faults beyond those.
    var others = 0

    package init() {}

    package func note(_ path: String, _ detail: String) { list.append((path, detail)) }
}

/// Notes faults of the settings of one record, whose names come from the tables.
///
///     note(\.tls.keyFile, "must be left out, unless there is a certificateFile")
///     note[\.upstreams, 0](\.jwt?.id, "must not be empty")  // upstreams[0].jwt.id must not be empty
package struct SettingNotes<Settings: Record> {
    /// The faults of all records.
    package let faults: ConfigurationFaults
    private let path: String

    private init(_ faults: ConfigurationFaults, _ path: String) { (self.faults, self.path) = (faults, path) }

    /// No faults yet, of a record that is a whole document.
    package init() { self.init(ConfigurationFaults(), "") }

    /// Notes a fault of a setting, or of the element or member of it that `place` names: `[0]`, `.search`.
    package func callAsFunction(_ setting: PartialKeyPath<Settings>, at place: String = "", _ detail: String) {
        faults.note(path(of: setting) + place, detail)
    }

    /// Returns the path of a setting from the root of the document.
    package func path(of setting: PartialKeyPath<Settings>) -> String {
        [path, Settings.schema.path(of: setting)].filter { !$0.isEmpty }.joined(separator: ".")
    }

    /// The notes of a record that a setting holds.
    package subscript<Part: Record>(setting: KeyPath<Settings, Part>) -> SettingNotes<Part> {
        SettingNotes<Part>(faults, path(of: setting))
    }

    /// The notes of a record that a setting may hold.
    package subscript<Part: Record>(setting: KeyPath<Settings, Part?>) -> SettingNotes<Part> {
        SettingNotes<Part>(faults, path(of: setting))
    }

    /// The notes of a record in a list.
    package subscript<Part: Record>(setting: KeyPath<Settings, [Part]>, index: Int) -> SettingNotes<Part> {
        SettingNotes<Part>(faults, "\(path(of: setting))[\(index)]")
    }

    /// The notes of a record in a value that may be a list.
    package subscript<Part: Record>(
        setting: KeyPath<Settings, OneOrMany<Part>?>, index: Int, of value: OneOrMany<Part>
    ) -> SettingNotes<Part> {
        SettingNotes<Part>(faults, path(of: setting) + (value.isList ? "[\(index)]" : ""))
    }

    /// The notes of a record in a value, by name, that may be a list.
    package subscript<Part: Record>(
        setting: KeyPath<Settings, NamedValues<OneOrMany<Part>>?>, name: String, index: Int, of value: OneOrMany<Part>
    ) -> SettingNotes<Part> {
        SettingNotes<Part>(faults, "\(path(of: setting)).\(name)" + (value.isList ? "[\(index)]" : ""))
    }

    /// The notes of a record whose settings are included in those of this one.
    package func included<Part: Record>(_: KeyPath<Settings, Part>) -> SettingNotes<Part> {
        SettingNotes<Part>(faults, path)
    }

    /// The notes of a record in a map.
    package subscript<Part: Record>(
        setting: KeyPath<Settings, [String: Part]?>, key: String
    ) -> SettingNotes<Part> {
        SettingNotes<Part>(faults, "\(path(of: setting)).\(key)")
    }
}

extension Record {
    /// Returns those of the settings that are set, with their values.
    package func values<Value>(
        of settings: [KeyPath<Self, Value?>]
    ) -> [(setting: KeyPath<Self, Value?>, value: Value)] {
        settings.compactMap { setting in self[keyPath: setting].map { (setting, $0) } }
    }
}

extension JSONValue {
    /// The member of a record's object that holds a setting.
    subscript<Root: Record>(setting: PartialKeyPath<Root>) -> JSONValue? { self[Root.schema.path(of: setting)] }
}
