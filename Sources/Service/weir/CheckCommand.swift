import Settings
import EventLoop
import Gateway
import JSONText
import Records
import Operations

/// The commands `weir check` and `weir openapi`.
enum CheckCommand {
    /// `weir check`: whether `serve` would accept the configuration, and what it would serve.
    static let command = Command(
        name: "check", summary: "Check a configuration and the keys it names, and say what would be served.",
        options: [
            .config, .set,
            Command.Option(name: "--strict", help: "Refuse a configuration for which there are warnings."),
            Command.Option(
                name: "--print", help: "Print the configuration with all defaults as JSON; it never contains keys."),
            Command.Option(
                name: "--probe",
                help:
                    "Ask each upstream once, with its key, and the shared store; the exit code is 69 if one is unusable."
            ),
            Command.Option(name: "--schema", help: "Print the JSON Schema of configurations instead of checking one."),
        ]
    ) { invocation in
        if invocation.has("--schema") {
            try Terminal.write(JSONWriter.bytes(expecting: 65_536) { SettingsSchema.json.write(to: &$0) } + [0x0A])
            return .ok
        }
        let (configuration, file) = try invocation.configuration()
        let served = try configuration.checkResources(in: file, now: Clock.system.seconds)
        let warnings = served.warnings.map { "warning: \($0)" }
        func named(_ lines: [String]) -> String { lines.map { "\(file.path): \($0)" }.joined(separator: "\n") }
        if invocation.has("--strict"), !warnings.isEmpty {
            throw CommandError(code: .configuration, message: named(warnings))
        }
        if invocation.has("--print") {
            try Terminal.write(configuration.printed(in: file) + [UInt8(ascii: "\n")])
        } else {
            try Terminal.say(named(served.lines + served.omissions + warnings + ["ok"]))
        }
        guard invocation.has("--probe") else { return .ok }
        let outcomes = try await UpstreamProbe.ask(configuration, in: file)
        try Terminal.say(outcomes.map { "\(file.path): \($0.text)" }.joined(separator: "\n"))
        return outcomes.contains(where: \.isUnusable) ? .unavailable : .ok
    }

    /// `weir openapi`: the document that `/openapi.json` serves.
    static let openAPI = Command(
        name: "openapi", summary: "Print the OpenAPI 3.1 document of a configuration's routes.",
        options: [.config, .set]
    ) { invocation in
        try Terminal.write(invocation.configuration().configuration.openAPIDocument)
        if FileContents.standardOutputIsTerminal { try Terminal.say("") }
        return .ok
    }
}
