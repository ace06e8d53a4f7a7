/// One of the things that `weir` can do.
struct Command: Sendable {
    /// An option of a command.
    struct Option: Sendable {
        let name: String
        /// What stands for the value in the help; nil for an option without one.
        var placeholder: String?
        /// Whether it may be there several times, its values then joined by commas.
        var repeats = false
        let help: String

        static let help = Option(name: "--help", help: "Say what this command does.")
    }

    let name: String
    var aliases: [String] = []
    let summary: String
    var options: [Option] = []
    /// What stands for the operands in the help.
    var operands = ""
    var maximumOperands = 0
    let action: @Sendable (Invocation) async throws -> ExitCode

    /// All commands, in the order of the help.
    static let all: [Command] = [.serve, .normalize, .check, .healthcheck, .version, .help]

    /// Runs the command, or says what it does where that was asked.
    func run(_ invocation: Invocation) async throws -> ExitCode {
        guard invocation.has("--help") else { return try await action(invocation) }
        try Terminal.say(help)
        return .ok
    }

    /// What the command does and which options it has.
    var help: String {
        let usage = options.map { " [\($0.name)\($0.placeholder.map { " \($0)" } ?? "")]" }.joined()
        let lines = (options + [.help]).map { option in
            let title = "  \(option.name)\(option.placeholder.map { " \($0)" } ?? "")"
            return title + String(repeating: " ", count: max(2, 32 - title.count)) + option.help
        }
        return """
            \(summary)

            Usage: weir \(name)\(usage)\(operands.isEmpty ? "" : " \(operands)")

            Options:
            \(lines.joined(separator: "\n"))
            """
    }

    /// What `weir --help` says.
    static var overview: String {
        let lines = all.map { "  \($0.name)\(String(repeating: " ", count: 14 - $0.name.count))\($0.summary)" }
        return """
            Weir stands between clients and untidy JSON APIs: it fetches, repairs, and says what it repaired.

            Usage: weir COMMAND [OPTION…]

            Commands:
            \(lines.joined(separator: "\n"))

            See weir COMMAND --help. Exit codes: 0 ok, 64 usage, 65 bad data, 66 no input, 69 unavailable, 78 configuration.
            """
    }

    private static let help = Command(name: "help", aliases: ["--help", "-h"], summary: "Say what weir can do.") { _ in
        try Terminal.say(overview)
        return .ok
    }

    private static let version = Command(
        name: "version", aliases: ["--version"], summary: "Say which version this is."
    ) { _ in
        try Terminal.say("weir \(weirVersion)")
        return .ok
    }
}

/// The version, as `weir version` gives it.
let weirVersion = "0.1.0"
