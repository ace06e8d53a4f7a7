import Settings
import EventLoop
import Gateway
import Records

// The configuration that a command uses.
extension Invocation {
    /// The configuration in the file that `--config` names, or else in the first default file that exists, with the
    /// settings of `--set`, `--listen` and `--shards`.
    ///
    /// With `waits`, the file may be a pipe: `weir check --config /dev/stdin`. Without `overridden`, the file stands alone.
    func configuration(
        waits: Bool = true, overridden: Bool = true
    ) throws -> (configuration: Configuration, file: ConfigurationFile) {
        let paths = ConfigurationFile.defaultPaths
        guard let file = try configurationFile(waits: waits, overridden: overridden) else {
            throw CommandError(
                code: .configuration,
                message: "there is no configuration at \(paths.joined(separator: " or ")); name one with --config FILE")
        }
        return (try file.configuration(), file)
    }

    /// The file of the configuration, as `configuration` finds it; nil if none is named and no default file exists.
    func configurationFile(waits: Bool = true, overridden: Bool = true) throws -> ConfigurationFile? {
        guard let path = value("--config") ?? ConfigurationFile.defaultPaths.first(where: FileContents.exists) else {
            return nil
        }
        do {
            return try ConfigurationFile(path: path, overrides: overridden ? overrides() : [], waits: waits)
        } catch let error as SystemError {
            throw CommandError(code: .noInput, message: "\(error)")
        }
    }

    private func overrides() throws -> [SettingOverride] {
        let schema = Configuration.schema
        let named = [("--listen", schema.path(of: \.listen)), ("--shards", schema.path(of: \.shards))].compactMap {
            option, setting in value(option).flatMap { SettingOverride(option, setting, $0) }
        }
        return try values("--set").map { text in
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, let override = SettingOverride("--set", parts[0], parts[1]) else {
                throw CommandError.usage(
                    "--set takes PATH=VALUE, such as server.tls.minimumVersion=1.3 or upstreams[0].baseURL=URL, "
                        + "not \"\(text)\"")
            }
            return override
        } + named
    }
}

extension Command.Option {
    static let config = Command.Option(
        name: "--config", placeholder: "FILE",
        help: "Configuration; default: the first of \(ConfigurationFile.defaultPaths.joined(separator: ", ")).")
    static let set = Command.Option(
        name: "--set", placeholder: "PATH=VALUE", repeats: true,
        help: "Setting in place of the file's, such as upstreams[0].baseURL=URL; VALUE is JSON or a text.")
}
