import Contracts
import EventLoop
import API
import HTTPCore
import Records
import Settings

/// The mappings that upstreams can have as their dialect: those of the configuration, and those that come with Weir.
struct MappingCatalog {
    private static let maximumBytes = 1 << 20

    private let configured: [String: MappingConfiguration]
    private let file: ConfigurationFile
    private let note: SettingNotes<Configuration>

    init(_ configuration: Configuration, in file: ConfigurationFile, _ note: SettingNotes<Configuration>) {
        (configured, self.file, self.note) = (configuration.mappings ?? [:], file, note)
    }

    /// The names that `dialect` can have, those of Swift included.
    var names: [String] {
        let others = EmbeddedMapping.all.map(\.name) + configured.keys.sorted()
        return UpstreamConfiguration.dialects.map(\.name) + others.filter { configured[$0] == nil }
            + configured.keys.sorted()
    }

    /// Returns a mapping; nil for a dialect of Swift, for no mapping, and with faults, which are noted.
    /// - Throws: `ConfigurationError` with the faults in the mapping's own file.
    func mapping(_ name: String) throws(ConfigurationError) -> (any CompiledMapping)? {
        if UpstreamConfiguration.dialects.contains(where: { $0.name == name }) { return nil }
        if let settings = configured[name] {
            let notes = note[\.mappings, name]
            guard let path = settings.file else { return Self.compile(name, settings, notes) }
            return try mappingFile(path, notes).flatMap { file throws(ConfigurationError) in
                try Self.compile(name, file)
            }
        }
        guard let embedded = EmbeddedMapping.all.first(where: { $0.name == name }) else { return nil }
        return try Self.compile(name, ConfigurationFile(path: "\(name).json", bytes: embedded.bytes))
    }

    /// Returns the settings of a configured mapping with those of its file, which a reload compares; nil with faults.
    func settings(_ name: String) throws(ConfigurationError) -> MappingConfiguration? {
        guard let settings = configured[name], let path = settings.file else { return configured[name] }
        let notes = note[\.mappings, name]
        if settings.json?.members?.count != 1 { notes(\.file, "must be the only setting") }
        guard let file = mappingFile(path, notes) else { return nil }
        var own = try file.read(MappingConfiguration.self)
        own.file = path
        return own
    }

    private func mappingFile(_ path: String, _ note: SettingNotes<MappingConfiguration>) -> ConfigurationFile? {
        let path = file.resolve(path)
        do {
            return ConfigurationFile(path: path, bytes: try FileContents.read(path: path, limit: Self.maximumBytes))
        } catch {
            note(\.file, "names \(path), which cannot be used: \(error)")
            return nil
        }
    }

    /// Compiles a mapping that has a file of its own.
    private static func compile(
        _ name: String, _ file: ConfigurationFile
    ) throws(ConfigurationError) -> (any CompiledMapping)? {
        let notes = SettingNotes<MappingConfiguration>()
        let settings = try file.read(MappingConfiguration.self)
        if settings.file != nil { notes(\.file, "must be left out: this is the file") }
        let mapping = compile(name, settings, notes)
        if !notes.faults.list.isEmpty { throw file.error(notes.faults) }
        return mapping
    }

    /// Compiles a mapping; nil with a fault, which is noted.
    private static func compile(
        _ name: String, _ settings: MappingConfiguration, _ note: SettingNotes<MappingConfiguration>
    ) -> (any CompiledMapping)? {
        let faults = note.faults.list.count
        if name.wholeMatch(of: /[A-Za-z][A-Za-z0-9_-]{0,63}/) == nil || name == "json" {
            note(\.self, "must have another name: at most 64 letters, digits, _ and -, a letter first, and not json")
        }
        let header = settings.key?.header
        if let header, !MappedRequest.isFieldName(header, isCredential: true) || header.lowercased() == "authorization"
        {
            note(\.key?.header, "must be the name of a header field that a request can have; bearer is Authorization")
        }
        if let query = settings.key?.query, query.wholeMatch(of: /[A-Za-z0-9_.~\[\]-]{1,100}/) == nil {
            note(\.key?.query, "must be a name of letters, digits, _ . ~ - [ ]")
        }
        if let key = settings.key, [key.query != nil, key.header != nil, key.bearer == true].count(where: \.self) != 1 {
            note(\.key, "must have one of query, header and bearer")
        }
        var mapping: (any CompiledMapping)?
        switch settings.contract {
        case "forecast": mapping = ForecastMapping(name, settings, note)
        case "tweets": mapping = TweetMapping(name, settings, note)
        case nil: note(\.contract, "is missing: it takes forecast or tweets")
        default:
            note(\.contract, choiceFault(settings.contract ?? "", among: ["forecast", "tweets"]) ?? "is not built")
        }
        return note.faults.list.count == faults ? mapping : nil
    }
}

extension Configuration {
    /// Gives each upstream the mapping that its `dialect` names, and compiles all others, so that their faults are noted.
    /// - Throws: `ConfigurationError` with the faults in a mapping's own file.
    mutating func compileMappings(
        in file: ConfigurationFile, _ note: SettingNotes<Configuration>
    ) throws(ConfigurationError) {
        let catalog = MappingCatalog(self, in: file, note)
        var compiled: [String: any CompiledMapping] = [:]
        for name in (mappings ?? [:]).keys.sorted() {
            if UpstreamConfiguration.dialects.contains(where: { $0.name == name }) {
                note(\.mappings, at: ".\(name)", "must have another name, which no dialect has")
            }
            // Without a file that can be read there is nothing to compile.
            guard let settings = try catalog.settings(name) else { continue }
            compiled[name] = try catalog.mapping(name)
            mappings?[name] = settings
        }
        for index in upstreams.indices {
            guard let name = upstreams[index].dialect else { continue }
            if let fault = choiceFault(name, among: catalog.names) {
                note[\.upstreams, index](\.dialect, fault)
                continue
            }
            if mappings?[name] == nil, compiled[name] == nil { compiled[name] = try catalog.mapping(name) }
            upstreams[index].mapping = compiled[name]
        }
    }
}
