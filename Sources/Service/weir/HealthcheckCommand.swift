import Gateway

/// The command `weir healthcheck`.
enum HealthcheckCommand {
    private static let defaultURL = "http://127.0.0.1:8080/readyz"

    /// `weir healthcheck`: for containers without curl.
    static let command = Command(
        name: "healthcheck", summary: "Ask a running weir whether it is ready.",
        options: [
            Command.Option(
                name: "--url", placeholder: "URL",
                help: "URL to ask, or unix:PATH for a Unix socket; default: \(defaultURL).")
        ]
    ) { invocation in
        let url = invocation.value("--url") ?? defaultURL
        switch await HealthProbe.ask(url) {
        case .healthy:
            try Terminal.say("healthy")
            return .ok
        case .unhealthy(let reason): throw CommandError(code: .unavailable, message: "\(url): \(reason)")
        case .invalidURL:
            throw CommandError.usage("--url takes an http or https URL or unix:PATH, not \"\(url)\"")
        }
    }
}
