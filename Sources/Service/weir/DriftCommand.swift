import EventLoop
import Settings
import Gateway

/// The command `weir drift`.
enum DriftCommand {
    private static let defaultURL = "http://127.0.0.1:8080"

    /// `weir drift`: what the upstreams of a running service have changed.
    static let command = Command(
        name: "drift", summary: "List what the documents of a running weir's upstreams need to be repaired.",
        options: [
            .config, .set, url,
            Command.Option(name: "--since", placeholder: "TIME", help: "Only what was seen since then, such as 24h."),
            Command.Option(name: "--json", help: "Write the answer as it is, in place of a table."),
        ]
    ) { invocation in
        let since = invocation.value("--since")
        return try await report(invocation) { try await OperationsProbe.drift($0, since: since) }
    }

    /// Writes the report that `ask` gets from the service whose URL is given or configured.
    static func report(
        _ invocation: Invocation, _ ask: (String) async throws -> OperationsProbe.Answer
    ) async throws -> ExitCode {
        let url = try invocation.value("--url") ?? configuredURL(invocation) ?? defaultURL
        do {
            let answer = try await ask(url)
            if invocation.has("--json") {
                try Terminal.write(answer.json + [UInt8(ascii: "\n")])
            } else {
                try Terminal.say(answer.text)
            }
            return .ok
        } catch let fault as OperationsProbe.Fault {
            if fault.isInvalidURL { throw CommandError.usage("--url \(fault), not \"\(url)\"") }
            throw CommandError(code: .unavailable, message: "\(url): \(fault)")
        }
    }

    /// The option that names the service.
    static let url = Command.Option(
        name: "--url", placeholder: "URL",
        help: "Address for monitoring, or unix:PATH; default: as configured, or else \(defaultURL).")

    /// Returns the address of the service in the configuration; nil without one, unless an option names it.
    private static func configuredURL(_ invocation: Invocation) throws -> String? {
        try invocation.configurationFile(waits: false)?.operatorsURL()
    }
}
