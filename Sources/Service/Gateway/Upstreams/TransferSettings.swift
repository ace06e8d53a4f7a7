import HTTPClient

/// What all requests to an upstream have in common: how to connect, and the limits of an answer.
struct TransferSettings: Sendable {
    private let policy: ConnectionPolicy
    private let redirects: RedirectPolicy
    private let connectTimeout: Duration
    private let firstByteTimeout: Duration?
    private let minimumRate: Int
    private let maximumHeadBytes: Int
    private let maximumFields: Int
    private let maximumBodyBytes: Int

    init(_ configuration: UpstreamConfiguration, _ policy: ConnectionPolicy) {
        self.policy = policy
        redirects = configuration.redirectPolicy
        connectTimeout = .milliseconds(configuration.connectTimeoutMilliseconds)
        firstByteTimeout = configuration.firstByteTimeoutMilliseconds.map { .milliseconds($0) }
        minimumRate = configuration.minimumBytesPerSecond
        maximumHeadBytes = configuration.maximumHeadBytes
        maximumFields = configuration.maximumHeadFields
        maximumBodyBytes = configuration.maximumBytes
    }

    func apply(to request: inout OutgoingRequest) {
        request.policy = policy
        request.redirects = redirects
        request.connectTimeout = connectTimeout
        request.firstByteTimeout = firstByteTimeout
        request.minimumRate = minimumRate
        request.maximumHeadBytes = maximumHeadBytes
        request.maximumFields = maximumFields
        request.maximumBodyBytes = maximumBodyBytes
    }
}
