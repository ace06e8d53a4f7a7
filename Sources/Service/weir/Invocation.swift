import Records
import Settings
import EventLoop
import Gateway

/// A parsed command line: the command, its options and its operands.
struct Invocation {
    let command: Command
    private let options: [String: [String]]
    let operands: [String]
    /// The number of operands before `--`; that of all without `--`.
    let operandsBeforeSeparator: Int

    /// Parses `weir COMMAND [OPTION…] [OPERAND…]`.
    ///
    /// Options are `--name VALUE`, `--name=VALUE` or, without a value, `--name`; `--` ends them.
    init(_ arguments: [String]) throws {
        guard let name = arguments.first else { throw CommandError.usage(Command.overview) }
        command = try Self.command(name)
        var options: [String: [String]] = [:]
        var operands: [String] = []
        var separator: Int?
        var rest = arguments.dropFirst()
        while let argument = rest.popFirst() {
            if argument == "--" {
                separator = operands.count
                operands += rest
                break
            }
            guard argument.hasPrefix("-"), argument != "-" else {
                operands.append(argument)
                continue
            }
            let (option, value) = try Self.option(argument, &rest, of: command)
            if options[option.name] != nil, !option.repeats {
                throw CommandError.usage("\(option.name) is given twice")
            }
            options[option.name, default: []].append(value)
        }
        if operands.count > command.maximumOperands {
            let extra = operands[command.maximumOperands]
            throw CommandError.usage("unexpected argument \"\(extra)\"; see weir \(name) --help")
        }
        self.options = options
        self.operands = operands
        operandsBeforeSeparator = separator ?? operands.count
    }

    /// Returns the value of an option, or its values with commas between them; nil if it is absent.
    func value(_ option: String) -> String? { options[option]?.joined(separator: ",") }

    /// Returns the values of an option that can be repeated.
    func values(_ option: String) -> [String] { options[option] ?? [] }

    func has(_ option: String) -> Bool { options[option] != nil }

    /// Returns the comma-separated parts of an option's value; nil if the option is absent.
    func list(_ option: String) -> [String]? {
        value(option).map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    }

    /// Returns the value of an option that takes one of several names; nil if the option is absent.
    func choice<Choice: RawRepresentable & CaseIterable>(_ option: String) throws -> Choice?
    where Choice.RawValue == String {
        guard let value = value(option) else { return nil }
        if let choice = Choice(rawValue: value) { return choice }
        let choices = Choice.allCases.map(\.rawValue)
        let listed = choices.dropLast().joined(separator: ", ") + " or " + (choices.last ?? "")
        throw CommandError.usage("\(option) takes \(listed)", instead: value, of: choices)
    }

    private static func command(_ name: String) throws -> Command {
        if let command = Command.all.first(where: { $0.name == name || $0.aliases.contains(name) }) { return command }
        let nearest = NearestName.find(name, among: Command.all.map(\.name))
        let hint = nearest.map { "; did you mean \"\($0)\"?" } ?? "; see weir --help"
        throw CommandError.usage("there is no command \"\(name)\"\(hint)")
    }

    private static func option(
        _ argument: String, _ rest: inout ArraySlice<String>, of command: Command
    ) throws -> (option: Command.Option, value: String) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let name = parts[0] == "-h" ? "--help" : parts[0]
        let known = command.options + [.help]
        guard let option = known.first(where: { $0.name == name }) else {
            let nearest = NearestName.closest(to: name, among: known.map(\.name)) ?? "--help"
            throw CommandError.usage("there is no option \(name); did you mean \(nearest)?")
        }
        guard let placeholder = option.placeholder else {
            if parts.count > 1 { throw CommandError.usage("\(name) takes no value") }
            return (option, "")
        }
        guard let value = parts.count > 1 ? parts[1] : rest.popFirst() else {
            throw CommandError.usage("\(name) takes a value: \(name) \(placeholder)")
        }
        return (option, value)
    }
}

// The configuration that a command uses.
extension Invocation {
    /// The configuration in the file that `--config` names, or else in the first default file that exists, with the
    /// settings of `--set`, `--listen` and `--shards`.
    ///
    /// With `waits`, the file may be a pipe: `weir check --config /dev/stdin`. Without `overridden`, the file stands alone.
    /// `option` is another option that names a file.
    func configuration(
        waits: Bool = true, overridden: Bool = true, of option: String = "--config"
    ) throws -> (configuration: Configuration, file: ConfigurationFile) {
        let paths = ConfigurationFile.defaultPaths
        guard let file = try configurationFile(waits: waits, overridden: overridden, of: option) else {
            throw CommandError(
                code: .configuration,
                message: "there is no configuration at \(paths.joined(separator: " or ")); name one with --config FILE")
        }
        return (try file.configuration(), file)
    }

    /// The file of the configuration, as `configuration` finds it; nil if none is named and no default file exists.
    func configurationFile(
        waits: Bool = true, overridden: Bool = true, of option: String = "--config"
    ) throws -> ConfigurationFile? {
        guard let path = value(option) ?? ConfigurationFile.defaultPaths.first(where: FileContents.exists) else {
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
