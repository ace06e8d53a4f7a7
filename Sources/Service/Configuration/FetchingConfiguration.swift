/// The limits that all upstreams share.
package struct FetchingConfiguration: Codable, Sendable {
    /// The time for one request of a client, over all its tries.
    package var deadlineMilliseconds = 5000
    /// The bytes that answers of upstreams may take up at a time.
    package var maximumBodyBytes = 128 << 20
    /// The connections to upstreams that an event loop keeps open; nil for as many as requests.
    package var maximumConnections: Int?
    /// The connections that an event loop has to one host and port at a time; nil for as many as the upstreams there have
    /// requests.
    package var maximumConnectionsPerUpstream: Int?
    /// The path of the file that keeps the quotas of the upstreams over restarts.
    package var quotaFile: String?
    /// Whether the log names the tries of every request, and not only of those with a try that failed.
    package var logsEveryRequest = false

    package init() {}

    package init(from decoder: any Decoder) throws {
        var settings = try SettingsReader<CodingKeys>(decoder)
        settings.read(&deadlineMilliseconds, .deadlineMilliseconds, in: 1...600_000)
        settings.read(&maximumBodyBytes, .maximumBodyBytes, in: (1 << 20)...(1 << 36))
        maximumConnections = settings.optional(.maximumConnections, in: 1...1_000_000)
        maximumConnectionsPerUpstream = settings.optional(.maximumConnectionsPerUpstream, in: 1...10_000)
        quotaFile = settings.optional(.quotaFile)
        settings.read(&logsEveryRequest, .logsEveryRequest)
        try settings.finish()
    }
}

/// When an upstream that fails is not asked for a while.
package struct BreakerConfiguration: Codable, Sendable {
    package var failurePercent = 50
    package var minimumRequests = 20
    package var windowMilliseconds = 10_000
    package var openMilliseconds = 1000
    package var maximumOpenMilliseconds = 60_000

    package init() {}

    package init(from decoder: any Decoder) throws {
        var settings = try SettingsReader<CodingKeys>(decoder)
        settings.read(&failurePercent, .failurePercent, in: 1...100)
        settings.read(&minimumRequests, .minimumRequests, in: 1...1_000_000)
        settings.read(&windowMilliseconds, .windowMilliseconds, in: 100...3_600_000)
        // The default of one gives way to the other.
        let open = settings.optional(.openMilliseconds, in: 1...3_600_000)
        let maximumOpen = settings.optional(.maximumOpenMilliseconds, in: 1...3_600_000)
        openMilliseconds = open ?? min(openMilliseconds, maximumOpen ?? .max)
        maximumOpenMilliseconds = maximumOpen ?? max(maximumOpenMilliseconds, openMilliseconds)
        try settings.finish()
    }
}
