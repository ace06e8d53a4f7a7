package import EventLoop
import HTTPCore
package import HTTPServer

/// The limits for clients; sizes are in bytes.
package struct ServerConfiguration: Codable, Sendable {
    package var maximumConnections = 10_000
    /// The connections beyond the maximum on which health and metrics are answered.
    package var reservedConnections = 32
    /// The open connections of one client's address; nil for as many as there may be in total.
    package var maximumConnectionsPerClient: Int?
    /// The requests on one connection; the last answer closes it.
    package var maximumRequestsPerConnection = 100_000
    package var maximumTargetBytes = 8192, maximumHeadBytes = 32_768
    /// The time for a request to arrive.
    package var requestTimeoutMilliseconds = 10_000
    /// The time that a connection may stay open between requests.
    package var idleTimeoutMilliseconds = 75_000
    /// The time that a client may go without taking any byte of an answer, and the time for the whole answer.
    package var writeTimeoutMilliseconds = 30_000, answerTimeoutMilliseconds = 60_000
    /// Whether a client that closes its sending side still waits for its answer.
    package var allowsHalfClose = false
    /// The networks of proxies that name the client of a request, and the field in which they do.
    package var trustedProxies: [String] = [], forwardedField = TrustedProxies.Field.xForwardedFor.rawValue
    /// Whether connections start with a header of the PROXY protocol.
    package var readsProxyHeader = false
    /// The permissions of a Unix domain socket in octal digits; nil for those that the umask leaves.
    package var socketMode: String?
    /// The time after SIGTERM in which `/readyz` answers 503 while everything else is served.
    package var drainDelayMilliseconds = 0
    /// The time that idle connections then have to send one more request.
    package var drainGraceMilliseconds = 1000
    /// The time that requests in flight then have to finish.
    package var drainTimeoutMilliseconds = 30_000
    /// A second address, for monitoring alone; nil without one.
    package var operationsListen: String?
    /// The certificate for clients; nil for plain HTTP.
    package var tls: ServerTLSConfiguration?
    package var accessLog = AccessLogConfiguration()
    package var cors = CrossOriginConfiguration()

    package init() {}

    package init(from decoder: any Decoder) throws {
        var settings = try SettingsReader<CodingKeys>(decoder)
        settings.read(&maximumConnections, .maximumConnections, in: 1...1_000_000)
        settings.read(&reservedConnections, .reservedConnections, in: 0...1000)
        maximumConnectionsPerClient = settings.optional(.maximumConnectionsPerClient, in: 1...1_000_000)
        settings.read(&maximumRequestsPerConnection, .maximumRequestsPerConnection, in: 1...1_000_000_000)
        // The default of one gives way to the other.
        let target = settings.optional(.maximumTargetBytes, in: 64...65_536)
        let head = settings.optional(.maximumHeadBytes, in: 256...1_048_576)
        maximumTargetBytes = target ?? min(maximumTargetBytes, head ?? .max)
        maximumHeadBytes = head ?? max(maximumHeadBytes, maximumTargetBytes)
        settings.read(&requestTimeoutMilliseconds, .requestTimeoutMilliseconds, in: 10...3_600_000)
        settings.read(&idleTimeoutMilliseconds, .idleTimeoutMilliseconds, in: 10...3_600_000)
        settings.read(&writeTimeoutMilliseconds, .writeTimeoutMilliseconds, in: 10...3_600_000)
        settings.read(&answerTimeoutMilliseconds, .answerTimeoutMilliseconds, in: 10...3_600_000)
        settings.read(&allowsHalfClose, .allowsHalfClose)
        trustedProxies = settings.optional(.trustedProxies) ?? []
        settings.read(&forwardedField, .forwardedField)
        settings.read(&readsProxyHeader, .readsProxyHeader)
        socketMode = settings.optional(.socketMode)
        settings.read(&drainDelayMilliseconds, .drainDelayMilliseconds, in: 0...3_600_000)
        settings.read(&drainGraceMilliseconds, .drainGraceMilliseconds, in: 0...60_000)
        settings.read(&drainTimeoutMilliseconds, .drainTimeoutMilliseconds, in: 0...3_600_000)
        operationsListen = settings.optional(.operationsListen)
        tls = settings.optional(.tls)
        settings.read(&accessLog, .accessLog)
        settings.read(&cors, .cors)
        try settings.finish()
    }

    package var options: ServerOptions {
        var options = ServerOptions()
        options.requestLimits.maximumTargetBytes = maximumTargetBytes
        options.requestLimits.maximumHeadBytes = maximumHeadBytes
        options.maximumConnections = maximumConnections
        options.reservedConnections = reservedConnections
        options.maximumConnectionsPerClient = maximumConnectionsPerClient ?? .max
        options.maximumRequestsPerConnection = maximumRequestsPerConnection
        options.answerTimeout = .milliseconds(answerTimeoutMilliseconds)
        options.allowsHalfClose = allowsHalfClose
        options.requestTimeout = .milliseconds(requestTimeoutMilliseconds)
        options.idleTimeout = .milliseconds(idleTimeoutMilliseconds)
        options.writeTimeout = .milliseconds(writeTimeoutMilliseconds)
        options.drainGrace = .milliseconds(drainGraceMilliseconds)
        options.drainTimeout = .milliseconds(drainTimeoutMilliseconds)
        return options
    }

    /// The listener for clients at `address`.
    package func listener(at address: SocketAddress, _ tls: TLSContext?, _ handler: any RequestHandler) -> Listener {
        var listener = Listener(address, handler: handler)
        (listener.mode, listener.tls) = (mode, tls)
        listener.readsProxyHeader = readsProxyHeader
        listener.trustedProxies = TrustedProxies(
            trustedProxies.compactMap(ClientNetwork.init),
            field: TrustedProxies.Field(rawValue: forwardedField) ?? .xForwardedFor)
        return listener
    }

    /// The number that `socketMode` writes; nil if it has another form.
    package var mode: UInt32? {
        guard let socketMode, socketMode.wholeMatch(of: /0?[0-7]{3}/) != nil else { return nil }
        return UInt32(socketMode, radix: 8)
    }
}
