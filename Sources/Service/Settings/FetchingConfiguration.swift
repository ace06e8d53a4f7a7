package import Records

/// The limits that all upstreams share.
package struct FetchingConfiguration: Record {
    package var deadlineMilliseconds = 5000
    package var maximumBodyBytes = 128 << 20
    package var maximumConnections: Int?
    package var maximumConnectionsPerUpstream: Int?
    package var quotaFile: String?
    package var logsEveryRequest = false

    package init() {}

    package static let schema = Schema<FetchingConfiguration>(.exact, .defaulted) {
        Field(
            \.deadlineMilliseconds, .plausible(1...600_000), .example("3000"),
            .note(
                "The time for a request of a client, over all upstreams and tries. When it has passed, the "
                    + "answer is 504."))
        Field(
            \.maximumBodyBytes, .plausible(1_048_576...68_719_476_736), .fixed, .example("33554432"),
            .note(
                "The bytes that answers of upstreams may take up at a time, from the transfer until they are "
                    + "read, and the windows of their brotli coding, with the answers that clients have not taken. An "
                    + "answer that does not fit gets 503. One upstream leaves 1/32 of them, in steps of 64 KiB, to the others. The default is less in a container "
                    + "with [little memory](operating.md#memory)."))
        Field(
            \.maximumConnections, .plausible(1...1_000_000), .takes(orElse: "as many as requests may be under way"),
            .example("100"),
            .note(
                "The connections to upstreams that each event loop keeps open. If a request ends and more are "
                    + "open, the connection that has been unused for the longest time is closed."))
        Field(
            \.maximumConnectionsPerUpstream, .plausible(1...10_000),
            .takes(orElse: "as many as the upstreams there have requests"), .example("16"),
            .note(
                "The connections that each event loop has to one host and port at a time. A request beyond that waits "
                    + "for one of them, for at most its `connectTimeoutMilliseconds`. Below the sum of "
                    + "`maximumConcurrent` of the upstreams at that host and port, a silent one can delay requests to "
                    + "others, also at other hosts, because libcurl wakes waiting requests in their order, whichever "
                    + "connection becomes free."))
        Field(
            \.quotaFile, .takes("a path"), .fixed, .example(#""/var/lib/weir/quotas.json""#),
            .note("The file that keeps the [quotas](#quotas) over restarts, relative to the configuration file."))
        Field(
            \.logsEveryRequest, .example("true"),
            .note(
                "Whether the log names the tries of every request, and not only of those with a try that "
                    + "failed."))
    }
}

extension FetchingConfiguration {
    /// The answers of upstreams may take up a quarter of the container's memory beyond what the service needs itself.
    mutating func settle(given: JSONValue?, _ memoryLimit: Int?) {
        guard given?[\Self.maximumBodyBytes] == nil else { return }
        maximumBodyBytes = min(maximumBodyBytes, max(1 << 20, Configuration.freeBytes(memoryLimit) / 4))
    }
}

/// When an upstream that fails is not asked for a while.
package struct BreakerConfiguration: Record {
    package var failurePercent = 50
    package var minimumRequests = 20
    package var windowMilliseconds = 10_000
    package var openMilliseconds = 1000
    package var maximumOpenMilliseconds = 60_000

    package init() {}

    package static let schema = Schema<BreakerConfiguration>(.exact, .defaulted) {
        Field(
            \.failurePercent, .plausible(1...100), .example("80"),
            .note("The part of the recent requests that must fail. 4xx other than 408 and 429 are no failures."))
        Field(
            \.minimumRequests, .plausible(1...1_000_000), .example("5"),
            .note("The number of recent requests below which the breaker does not open."))
        Field(
            \.windowMilliseconds, .plausible(100...3_600_000), .example("30000"),
            .note("The time for which a request is recent."))
        Field(
            \.openMilliseconds, .plausible(1...3_600_000), .example("5000"),
            .note(
                "The time for which the breaker opens first. The value must not exceed "
                    + "`maximumOpenMilliseconds`. If only one of the two is set, the default of the other is "
                    + "adapted to it."))
        Field(
            \.maximumOpenMilliseconds, .plausible(1...3_600_000), .example("300000"),
            .note("The longest time for which the breaker opens."))
    }

    /// The default of one of two times gives way to the other.
    mutating func settle(given: JSONValue?) {
        if given?[\Self.openMilliseconds] == nil { openMilliseconds = min(openMilliseconds, maximumOpenMilliseconds) }
        if given?[\Self.maximumOpenMilliseconds] == nil {
            maximumOpenMilliseconds = max(openMilliseconds, maximumOpenMilliseconds)
        }
    }
}
