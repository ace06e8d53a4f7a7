import Configuration
import EventLoop
import Gateway
import JSONText
import Records
import Telemetry

/// The command `weir check`.
enum CheckCommand {
    /// `weir check`: whether `serve` would accept the configuration.
    static let command = Command(
        name: "check", summary: "Check a configuration and the keys it names, without serving.",
        options: [
            .config,
            Command.Option(
                name: "--print", help: "Print the configuration with all defaults as JSON; it never contains keys."),
            Command.Option(name: "--schema", help: "Print the JSON Schema of configurations instead of checking one."),
        ]
    ) { invocation in
        if invocation.has("--schema") {
            try Terminal.write(JSONWriter.bytes(expecting: 65_536) { SettingsSchema.json.write(to: &$0) } + [0x0A])
            return .ok
        }
        let (configuration, file) = try invocation.configuration()
        let notes = try configuration.checkResources(in: file, now: Clock.system.seconds)
        if invocation.has("--print") {
            try Terminal.write(configuration.printed(in: file) + [UInt8(ascii: "\n")])
        } else {
            let served = "serves \(configuration.servedRoutes.joined(separator: ", "))"
            try Terminal.say((notes + [served, "ok"]).map { "\(file.path): \($0)" }.joined(separator: "\n"))
        }
        return .ok
    }
}

extension Invocation {
    /// The configuration in the file that `--config` names, or else in the first default file that exists.
    ///
    /// With `waits`, the file may be a pipe: `weir check --config /dev/stdin`.
    func configuration(waits: Bool = true) throws -> (configuration: Configuration, file: ConfigurationFile) {
        let paths = ConfigurationFile.defaultPaths
        guard let path = value("--config") ?? paths.first(where: FileContents.isReadable) else {
            throw CommandError(
                code: .configuration,
                message: "there is no configuration at \(paths.joined(separator: " or ")); name one with --config FILE")
        }
        do {
            let file = try ConfigurationFile(path: path, waits: waits)
            return (try file.configuration(), file)
        } catch let error as SystemError {
            throw CommandError(code: .noInput, message: "\(error)")
        }
    }
}

extension Command.Option {
    static let config = Command.Option(
        name: "--config", placeholder: "FILE",
        help: "Configuration; default: the first of \(ConfigurationFile.defaultPaths.joined(separator: ", ")).")
}
