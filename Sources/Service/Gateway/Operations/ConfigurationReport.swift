import CivilDates
import Settings
import HTTPCore
import JSONText
import Records

/// The configuration that a service uses, for operators; without secrets.
struct ConfigurationReport: Record {
    var file = "", hash = ""
    var number = 0
    var takenAt = ""
    var settings = JSONValue.null
    var sources: [SettingSource] = []
    var needsRestart: [String] = []
    var lastReload: ReloadReport?

    static let schema = Schema<ConfigurationReport> {
        Field(\.file, .note("The file of the configuration."))
        Field(\.hash, .note("A digest of all settings: two processes with the same digest have the same settings."))
        Field(\.number, .note("The reloads since the start that changed something."))
        Field(\.takenAt, .note("The time since which the configuration is in use."))
        Field(\.settings, .note("All settings with their defaults, as `weir check --print` prints them."))
        Field(\.sources, .note("Where the settings come from that are no defaults."))
        Field(\.needsRestart, .note("The settings that the process takes over at its next start only."))
        Field(\.lastReload, .note("How the last reload ended; absent before the first one."))
    }
}

/// A setting that is no default.
struct SettingSource: Record {
    var setting = "", source = ""

    static let schema = Schema<SettingSource> {
        Field(\.setting, .note("The path, such as `upstreams[0].baseURL`."))
        Field(\.source, .note("`file`, `environment NAME`, or an option such as `--set`."))
    }
}

/// How a reload ended.
struct ReloadReport: Record {
    enum Result: String {
        case reloaded, unchanged, refused
    }

    /// The names of settings that a report has at most.
    private static let maximumChanges = 100

    var at = "", result = Result.reloaded.rawValue
    var changed: [String] = [], changes: [SettingChange] = [], needsRestart: [String] = []
    var hash = "", number = 0
    var detail: String?, faults: [SettingFault]?

    static let schema = Schema<ReloadReport> {
        Field(\.at, .note("The time of the reload."))
        Field(
            \.result, .oneOf([Result.reloaded, .unchanged, .refused].map(\.rawValue)),
            .note("`unchanged`: the settings, the keys and the certificate are those in use."))
        Field(\.changed, .note("The settings that have changed, at most 100 of them; none if only keys have."))
        Field(\.changes, .note("The values of these settings before and after the reload, as in `settings`."))
        Field(\.needsRestart, .note("The settings that the process takes over at its next start only."))
        Field(\.hash, .note("The digest of the settings in use."))
        Field(\.number, .note("The reloads since the start that changed something."))
        Field(\.detail, .note("Why the configuration was refused."))
        Field(\.faults, .note("The faults of a configuration that was refused."))
    }
}

/// A setting with its values before and after a reload.
struct SettingChange: Record {
    var setting = "", old = JSONValue.null, new = JSONValue.null

    static let schema = Schema<SettingChange> {
        Field(\.setting, .note("The path of the setting."))
        Field(\.old, .note("The value before; null if there was none."))
        Field(\.new, .note("The value since; null if there is none."))
    }
}

/// A fault of a setting.
struct SettingFault: Record {
    var place = "", setting = "", detail = ""

    static let schema = Schema<SettingFault> {
        Field(\.place, .note("The line and the column in the file, or the option of the command line."))
        Field(\.setting, .note("The path of the setting."))
        Field(\.detail, .note("What is wrong, and what to do."))
    }
}

extension ConfigurationReport {
    /// The report of a configuration whose keys are known, in use since `takenAt` in unix milliseconds.
    init(_ configuration: Configuration, _ keys: [KeyReading], _ file: ConfigurationFile, takenAt: Int) throws {
        self.init()
        self.file = file.path
        hash = configuration.hash
        self.takenAt = ISO8601Timestamp.format(millisecondsSinceEpoch: takenAt)
        var parser = JSONParser(options: JSONOptions(maximumBytes: .max))
        settings = try parser.withDocument(configuration.printed(without: keys)) { JSONValue($0) }
        sources = try file.readConfiguration(memoryLimit: nil).sources.all.map { setting, source in
            SettingSource(setting: setting, source: source)
        }
    }
}

extension ReloadReport {
    var isRefused: Bool { result == Result.refused.rawValue }

    /// Notes the settings that have changed, and their values in reports, which have no secrets.
    mutating func note(changed settings: [String], from old: ConfigurationReport, to new: ConfigurationReport) {
        changed = Array(settings.prefix(Self.maximumChanges))
        changes = Configuration.schema.descriptions.differences(of: new.settings, from: old.settings)
            .prefix(Self.maximumChanges).map { SettingChange(setting: $0.setting, old: $0.old, new: $0.new) }
    }

    mutating func note(refused error: any Error) {
        result = Result.refused.rawValue
        detail = "\(error)"
        faults = (error as? ConfigurationError)?.faults.map { fault in
            SettingFault(place: fault.place, setting: fault.setting, detail: fault.detail)
        }
    }
}

extension Configuration {
    /// A digest of all settings, in hexadecimal.
    var hash: String {
        let bytes = JSONWriter.bytes(expecting: 8192) { write(to: &$0) }
        return HMAC.sha1(of: bytes, key: Array("weir configuration".utf8)).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }
}
