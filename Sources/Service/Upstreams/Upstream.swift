package import Configuration
import Contracts
import Dispatch
import EventLoop
package import HTTPClient
import HTTPCore
import JSONText
import Records
package import Telemetry

/// A source of documents: its address, its key and its limits.
package final class Upstream: Sendable {
    package let name: String
    package let dialect: String
    /// The address without a trailing slash.
    package let baseURL: String
    /// A checksum of the address, the dialect and the account, for the keys of the cache.
    package var address: UInt64 { place ^ credentials.account.value }
    /// A checksum of the address and the dialect.
    private let place: UInt64
    package let credentials: CredentialStore
    /// The server that answers at the address and runs as long as the upstream is used, as a sample does.
    package let server: (any Sendable)?
    /// The time for one try, unless less is left for the request.
    package let deadline: Duration
    /// The time for a request to the token endpoint, whichever request of a client begins it.
    package let tokenDeadline: Duration
    /// The part of that time that a try may wait for a place.
    let maximumWait: Duration
    package let maximumBytes: Int
    package let maximumDepth: Int
    let transfers: TransferSettings
    /// Those of the requests to the token endpoint.
    let tokenTransfers: TransferSettings
    package let state: UpstreamState
    /// Reads the key files again: on a thread of its own, because a file on the network may hang.
    let keyFiles: DocumentPool
    let bodies: BodyBudget
    let memory: MemoryPressure
    /// Whether a second request is made beside one that takes long.
    package let hedges: Bool
    package let forwardsTraceparent: Bool
    /// The cache of its documents; nil without one.
    package let caching: Caching?
    /// The store and the rules that replicas share; nil if this replica is alone.
    let shared: SharedReplicas?
    let drift: DriftBook
    let log: UpstreamLog
    /// The address with `***` in place of segments that may be keys.
    private let shownURL: String
    /// The path of a probe, and the time without a request after which there is one; zero for no probes.
    let probeTarget: String
    package let probeInterval: Duration

    package init(
        _ configuration: UpstreamConfiguration, baseURL: String, server: (any Sendable)? = nil,
        credentials: Credentials, reread: @escaping @Sendable () -> Credentials? = { nil }, log: Log,
        registry: UpstreamRegistry = UpstreamRegistry(),
        connection: ConnectionPolicy = .standard, tokenConnection: ConnectionPolicy = .standard,
        tokenDeadline: Duration = .seconds(5), caching: Caching? = nil
    ) {
        (self.server, self.caching) = (server, caching)
        (name, dialect) = (configuration.name, configuration.dialect ?? "json")
        self.baseURL = baseURL.hasSuffix("/") ? String(baseURL.dropLast()) : baseURL
        place = DocumentKey.address("\(dialect) \(self.baseURL)\(configuration.unixSocket.map { " \($0)" } ?? "")")
        state = registry.state(for: configuration)
        shownURL = (try? BaseURL(self.baseURL))?.withoutSecrets ?? "***"
        (probeTarget, probeInterval) = (configuration.probe.path ?? "", .seconds(configuration.probe.everySeconds))
        // A path can hold a key, too.
        let addresses = [baseURL, configuration.oauth2?.tokenURL].compactMap { $0.flatMap { try? BaseURL($0) } }
        self.credentials = CredentialStore(
            credentials, of: name, others: addresses.flatMap(\.secrets), known: state.knownKeys, log: log,
            reread: reread)
        deadline = .milliseconds(configuration.deadlineMilliseconds)
        self.tokenDeadline = tokenDeadline
        maximumWait = .milliseconds(configuration.maximumWaitMilliseconds)
        maximumBytes = configuration.maximumBytes
        maximumDepth = configuration.maximumDepth
        transfers = TransferSettings(configuration, connection)
        tokenTransfers = TransferSettings(configuration, tokenConnection)
        (bodies, memory, drift) = (registry.bodies, registry.memory, registry.drift)
        shared = registry.shared
        keyFiles = DocumentPool(threads: 1, clock: registry.clock, queue: DispatchQueue(label: "weir.keys"))
        hedges = configuration.hedges
        forwardsTraceparent = configuration.forwardsTraceparent
        self.log = UpstreamLog(upstream: name, log: log)
    }

    /// The longest address in a log, in characters.
    private static let longestShownURL = 500

    /// Returns the address of a request as logs name it: without keys, and without the query, which has the client's values.
    func shownURL(of target: String, _ scrubber: KeyScrubber) -> String {
        let path = target.prefix { $0 != "?" }.replacing("{key}", with: "***")
        return String(scrubber.scrubbed(shownURL + path).prefix(Self.longestShownURL))
    }
}
