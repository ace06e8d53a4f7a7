import EventLoop
import Settings
import Gateway

/// The commands that ask a running service.
enum OperatorCommands {
    private static let defaultURL = "http://127.0.0.1:8080"

    /// `weir healthcheck`: for containers without curl.
    static let healthcheck = Command(
        name: "healthcheck", summary: "Ask a running weir whether it is ready.",
        options: [
            Command.Option(
                name: "--url", placeholder: "URL",
                help: "URL to ask, or unix:PATH for a Unix socket; default: the configured address."),
            .config, .set,
        ]
    ) { invocation in
        try await ask(invocation, path: "/readyz") { try await OperationsClient.checkReadiness($0) }
    }

    /// `weir drift`: what the upstreams of a running service have changed.
    static let drift = Command(
        name: "drift", summary: "List what the documents of a running weir's upstreams need to be repaired.",
        options: [
            .config, .set, url,
            Command.Option(name: "--since", placeholder: "TIME", help: "Only what was seen since then, such as 24h."),
            Command.Option(
                name: "--new", placeholder: "TIME",
                help: "Only what came after the baseline and was seen first since then."),
            Command.Option(name: "--json", help: "Write the answer as it is, in place of a table."),
        ]
    ) { invocation in
        let (since, new) = (invocation.value("--since"), invocation.value("--new"))
        return try await ask(invocation) { try await OperationsClient.drift($0, since: since, new: new) }
    }

    /// `weir status`: the state of a running service.
    static let status = Command(
        name: "status", summary: "Show requests, errors, upstreams, cache and log of a running weir.",
        options: [
            .config, .set, url,
            Command.Option(name: "--json", help: "Write the answer as it is, in place of tables."),
        ]
    ) { invocation in
        try await ask(invocation) { try await OperationsClient.status($0) }
    }

    /// `weir explain`: what is known of a request.
    static let explain = Command(
        name: "explain", summary: "Show the upstream, the document and the times of an answer of a running weir.",
        options: [
            .config, .set, url,
            Command.Option(name: "--json", help: "Write the answer as it is, in place of a table."),
        ], operands: "REQUEST-ID", maximumOperands: 1
    ) { invocation in
        guard let id = invocation.operands.first else { throw CommandError.usage("REQUEST-ID is missing") }
        return try await ask(invocation) { try await OperationsClient.explain($0, id) }
    }

    /// The commands that change something for a while, or remove documents from the cache.
    static let byHand = [
        byHand("purge", "Remove documents from the cache of a running weir.", "UPSTREAM|ROUTE|TARGET|all"),
        byHand("pause", "Do not ask an upstream for a while; the cache answers.", "UPSTREAM"),
        byHand("resume", "Ask an upstream again.", "UPSTREAM"),
        byHand("shed", "Refuse the requests to a route for a while.", "ROUTE"),
        byHand("log", "Log lines from a level on, or requests (on, off), for a while.", "info|warning|error|on|off"),
    ]

    private static func byHand(_ name: String, _ summary: String, _ operand: String) -> Command {
        let takesSeconds = name != "purge" && name != "resume"
        let parameters = parameters.prefix(takesSeconds ? 3 : 2)
        return Command(
            name: name, summary: summary, options: parameters + [.config, .set, url], operands: operand,
            maximumOperands: 1
        ) { invocation in
            guard let subject = invocation.operands.first else { throw CommandError.usage("\(operand) is missing") }
            let action = name != "log" ? name : ["on", "off"].contains(subject) ? "accessLog" : "logLevel"
            return try await give(action, subject, invocation, parameters)
        }
    }

    /// The parameters of commands.
    static let parameters = [
        Command.Option(name: "--who", placeholder: "NAME", help: "The operator, for the log."),
        Command.Option(name: "--why", placeholder: "TEXT", help: "The reason, for the log."),
        Command.Option(name: "--seconds", placeholder: "N", help: "For how long; 0 ends it; default: 600."),
    ]

    /// Gives the service of an invocation a command, with the values of its parameters.
    static func give(
        _ action: String, _ subject: String, _ invocation: Invocation, _ parameters: ArraySlice<Command.Option>
    ) async throws -> ExitCode {
        let values = parameters.map { (String($0.name.dropFirst(2)), invocation.value($0.name)) }
        return try await ask(invocation) { try await OperationsClient.command($0, action, subject, values) }
    }

    static let url = Command.Option(
        name: "--url", placeholder: "URL",
        help: "Address for monitoring, or unix:PATH; default: as configured, or else \(defaultURL).")

    /// Writes what `question` gets from the service whose URL is given, or else configured, with `path` behind a configured
    /// address.
    private static func ask(
        _ invocation: Invocation, path: String = "",
        _ question: (String) async throws -> OperationsClient.Answer
    ) async throws -> ExitCode {
        let url = try invocation.value("--url") ?? configuredURL(invocation, path)
        do {
            let answer = try await question(url)
            if invocation.has("--json") {
                try Terminal.write(answer.json + [UInt8(ascii: "\n")])
            } else {
                try Terminal.say(answer.text)
            }
            return .ok
        } catch let fault as OperationsClient.Fault {
            if fault.isInvalidURL { throw CommandError.usage("--url \(fault), not \"\(url)\"") }
            throw CommandError(code: .unavailable, message: "\(url): \(fault)")
        }
    }

    /// The address in the configuration that `serve` would read; without a configuration, the default address.
    private static func configuredURL(_ invocation: Invocation, _ path: String) throws -> String {
        guard let file = try invocation.configurationFile(waits: false) else { return defaultURL + path }
        if let url = try file.operatorsURL() { return url.hasPrefix("unix:") ? url : url + path }
        // A healthcheck of another service would mislead.
        if path.isEmpty { return defaultURL }
        throw CommandError.usage("\(file.path) does not tell the address to ask; name it with --url")
    }
}
