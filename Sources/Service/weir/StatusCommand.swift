import Gateway

/// The command `weir status`.
enum StatusCommand {
    /// `weir status`: the state of a running service.
    static let command = Command(
        name: "status", summary: "Show requests, errors, upstreams, cache and log of a running weir.",
        options: [
            .config, .set, DriftCommand.url,
            Command.Option(name: "--json", help: "Write the answer as it is, in place of tables."),
        ]
    ) { invocation in
        try await DriftCommand.report(invocation) { try await OperationsProbe.status($0) }
    }
}
