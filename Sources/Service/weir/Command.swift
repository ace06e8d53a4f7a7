import Gateway
import Mapping
import Operations
import Records

/// A command of `weir`.
struct Command: Sendable {
    /// An option of a command.
    struct Option: Sendable {
        let name: String
        /// The value in the help; nil for an option without a value.
        var placeholder: String?
        /// Whether the option may be given several times; commas then join its values.
        var repeats = false
        let help: String

        static let help = Option(name: "--help", help: "Explain this command.")

        fileprivate var usage: String { placeholder.map { "\(name) \($0)" } ?? name }
    }

    let name: String
    var aliases: [String] = []
    let summary: String
    var options: [Option] = []
    /// The operands in the help.
    var operands = ""
    var maximumOperands = 0
    let action: @Sendable (Invocation) async throws -> ExitCode

    /// All commands, in the order of the help.
    static let all: [Command] =
        [
            ServeCommand.command, NormalizeCommand.command, QueryCommand.command, InferCommand.command,
            DiffCommand.command, ReplayCommand.command, SnapshotCommand.command, .units, CheckCommand.command,
            CheckCommand.openAPI,
            OperatorCommands.healthcheck, OperatorCommands.drift, OperatorCommands.status,
            OperatorCommands.explain,
        ] + OperatorCommands.byHand + [.version, .help]

    /// Runs the command, or prints its help for `--help`.
    func run(_ invocation: Invocation) async throws -> ExitCode {
        guard invocation.has("--help") else { return try await action(invocation) }
        try Terminal.say(help)
        return .ok
    }

    private var help: String {
        let lines = (options + [.help]).map { option in
            "  \(option.usage)\(String(repeating: " ", count: max(2, 30 - option.usage.count)))\(option.help)"
        }
        return """
            \(summary)

            Usage: weir \(name) [OPTION…]\(operands.isEmpty ? "" : " \(operands)")

            Options:
            \(lines.joined(separator: "\n"))
            """
    }

    /// The text of `weir --help`.
    static var overview: String {
        let lines = all.map { "  \($0.name)\(String(repeating: " ", count: 14 - $0.name.count))\($0.summary)" }
        return """
            Weir is a gateway between clients and untidy JSON APIs: it fetches documents, repairs them, and reports the repairs.

            Usage: weir COMMAND [OPTION…]

            Commands:
            \(lines.joined(separator: "\n"))

            See weir COMMAND --help. Exit codes: 0 ok, 1 difference, 64 usage, 65 bad data, 66 no input, 69 unavailable, 78 configuration.
            """
    }

    private static let help = Command(name: "help", aliases: ["--help", "-h"], summary: "List the commands.") { _ in
        try Terminal.say(overview)
        return .ok
    }

    private static let version = Command(
        name: "version", aliases: ["--version"], summary: "Print the version and the build."
    ) { _ in
        let commit = ProcessMetrics.commit.isEmpty ? "" : ", commit \(ProcessMetrics.commit)"
        try Terminal.say("weir \(weirVersion) (build \(ProcessMetrics.digest)\(commit))")
        return .ok
    }

    /// `weir units`: the units that the answers of configured routes may name.
    private static let units = Command(
        name: "units", summary: "List units and their spellings; a prefix such as wmoUnit: is ignored."
    ) { _ in
        let lines = MappedUnit.all.map { unit in
            let columns = [unit.quantity.rawValue.padded(to: 13), unit.name.padded(to: 6)]
            return columns.joined() + (unit.symbols + unit.words).joined(separator: ", ")
        }
        try Terminal.say(lines.joined(separator: "\n"))
        return .ok
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(1, width - count)) }
}

/// The exit codes, from sysexits(3) and, for differences, from diff(1).
enum ExitCode: Int32 {
    case ok = 0
    /// A document drifts further than its baseline, a route reads a member that new answers do not have, or answers change.
    case difference = 1
    /// The command line is wrong.
    case usage = 64
    /// The input is malformed.
    case badData = 65
    /// The input cannot be read.
    case noInput = 66
    /// The service does not answer, or the system refuses a resource.
    case unavailable = 69
    /// The configuration is wrong.
    case configuration = 78
}

/// Why a command failed: a message for the user, and the exit code.
struct CommandError: Error {
    let code: ExitCode
    let message: String

    static func usage(_ message: String) -> CommandError { CommandError(code: .usage, message: message) }

    /// A usage error about an unknown name; suggests the nearest known one.
    static func usage(_ message: String, instead name: String, of known: [String]) -> CommandError {
        let hint = NearestName.find(name, among: known).map { "; did you mean \($0)?" } ?? ""
        return usage("\(message), not \"\(name)\"\(hint)")
    }
}
