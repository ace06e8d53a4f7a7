import Settings
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
                help: "URL to ask, or unix:PATH for a Unix socket; default: the configured address."),
            .config, .set,
        ]
    ) { invocation in
        let url = try invocation.value("--url") ?? configuredURL(invocation)
        switch await HealthProbe.ask(url) {
        case .healthy:
            try Terminal.say("healthy")
            return .ok
        case .unhealthy(let reason): throw CommandError(code: .unavailable, message: "\(url): \(reason)")
        case .invalidURL:
            throw CommandError.usage("--url takes an http or https URL or unix:PATH, not \"\(url)\"")
        }
    }

    /// The address in the configuration that `serve` would read; without a configuration, the default address.
    private static func configuredURL(_ invocation: Invocation) throws -> String {
        guard let file = try invocation.configurationFile(waits: false) else { return defaultURL }
        if let url = try file.operatorsURL() { return url.hasPrefix("unix:") ? url : url + "/readyz" }
        throw CommandError.usage("\(file.path) does not tell the address to ask; name it with --url")
    }
}
