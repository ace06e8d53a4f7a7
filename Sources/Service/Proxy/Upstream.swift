package import Settings
import API
import Dispatch
import EventLoop
import HTTPClient
package import HTTPCore
import JSONText
package import Records
package import Operations

/// A source of documents: its name, its address, its key and its limits; one object for all routes that name it.
///
/// How its documents are kept, and for how long a try may take, comes with each request.
package final class Upstream: Sendable {
    package let name: String
    package let dialect: String
    /// Its own address; requests for other times can go to others.
    package let address: UpstreamAddress
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
    /// Those of the requests to the token endpoint.
    let tokenTransfers: TransferSettings
    package let state: UpstreamState
    /// Reads the key files again: on a thread of its own, because a file on the network may hang.
    let keyFiles: BoundedExecutor
    let bodies: BodyBudget
    let memory: MemoryPressure
    /// Whether a second request is made beside one that takes long.
    package let hedges: Bool
    package let forwardsTraceparent: Bool
    /// Whether documents may have the syntax of scripts.
    let hasLenientSyntax: Bool
    /// The cache of documents; nil without one.
    let cache: DocumentCache?
    /// The store and the rules that replicas share; nil if this replica is alone.
    let shared: SharedReplicas?
    let drift: DriftBook
    let log: UpstreamLog
    /// The path of a probe, and the time without a request after which there is one; zero for no probes.
    let probeTarget: String
    package let probeInterval: Duration

    package init(
        _ configuration: UpstreamConfiguration, baseURL: String, others: [UpstreamAddress] = [],
        server: (any Sendable)? = nil,
        credentials: Credentials, reread: @escaping @Sendable () -> Credentials? = { nil }, log: Log,
        registry: UpstreamRegistry = UpstreamRegistry(),
        connection: ConnectionPolicy = .standard, tokenConnection: ConnectionPolicy = .standard,
        tokenDeadline: Duration = .seconds(5), cache: DocumentCache? = nil
    ) {
        (self.server, self.cache) = (server, cache)
        (name, dialect) = (configuration.name, configuration.dialect ?? "json")
        address = UpstreamAddress(configuration, baseURL: baseURL, connection)
        state = registry.state(for: configuration)
        (probeTarget, probeInterval) = (configuration.probePath ?? "", .seconds(configuration.probeSeconds))
        // A path can hold a key, too.
        let tokenURL = (configuration.oauth2?.tokenURL).flatMap { try? BaseURL($0) }
        let secrets = ([address] + others).flatMap(\.secrets) + (tokenURL?.secrets ?? [])
        self.credentials = CredentialStore(
            credentials, of: name, others: secrets, known: state.knownKeys, log: log, reread: reread)
        state.quotas.shared?.count(for: address.host, self.credentials.account)
        deadline = .milliseconds(configuration.deadlineMilliseconds)
        self.tokenDeadline = tokenDeadline
        maximumWait = .milliseconds(configuration.maximumWaitMilliseconds)
        maximumBytes = configuration.maximumBytes
        tokenTransfers = TransferSettings(configuration, tokenConnection)
        (bodies, memory, drift) = (registry.bodies, registry.memory, registry.drift)
        shared = registry.shared
        keyFiles = BoundedExecutor(threads: 1, clock: registry.clock, queue: DispatchQueue(label: "weir.keys"))
        hedges = configuration.hedges
        forwardsTraceparent = configuration.forwardsTraceparent
        hasLenientSyntax = configuration.syntax != nil
        self.log = UpstreamLog(upstream: name, log: log)
    }

    /// Counts the repairs of a document that was read for the first time, for the route with this template.
    package func note(_ drift: DriftReport, route: String) { self.drift.note(drift, upstream: name, route: route) }

    /// Returns the key of the cache for a request at an address whose errors are read by `errors`.
    func key(
        of target: String, _ content: RequestContent = .none, at address: UpstreamAddress, _ errors: ErrorReader
    ) -> DocumentKey {
        DocumentKey(
            upstream: name, address: checksum(of: address), target: Self.keyText(of: target, content, errors))
    }

    /// Returns what the key of a document has of its request and of the reader of errors.
    static func keyText(of target: String, _ content: RequestContent, _ errors: ErrorReader) -> String {
        // The body is the last one: all before it is without line feeds, or has a length.
        "\(errors.identity.utf8.count) \(errors.identity)" + content.key(of: target)
    }

    /// A checksum of an address, the dialect, the fields of all requests and the account, for the keys of the cache.
    package func checksum(of address: UpstreamAddress) -> UInt64 { address.checksum ^ credentials.account.value }
}

/// Where an upstream is asked, and how to connect.
package final class UpstreamAddress: Sendable {
    /// The URL without a trailing slash.
    package let baseURL: String
    /// The host, the port and the socket, which tell two servers apart.
    fileprivate let host: String
    /// The name of the host, and the port.
    let name: String, port: Int
    /// A checksum of the address, the dialect and the fields of all requests.
    fileprivate let checksum: UInt64
    let transfers: TransferSettings
    /// The URL with `***` in place of segments that may be keys.
    private let shownURL: String
    /// The segments that may be keys.
    fileprivate let secrets: [Secret]

    package init(_ configuration: UpstreamConfiguration, baseURL: String, _ connection: ConnectionPolicy) {
        self.baseURL = baseURL.hasSuffix("/") ? String(baseURL.dropLast()) : baseURL
        let socket = configuration.unixSocket.map { " \($0)" } ?? ""
        let url = try? BaseURL(baseURL)
        host = (url?.origin ?? "") + socket
        (name, port) = (url?.host ?? "", url?.port ?? 0)
        transfers = TransferSettings(configuration, connection)
        checksum = DocumentKey.address(
            "\(configuration.dialect ?? "json") \(self.baseURL)\(socket)\(transfers.identity)"
                + (configuration.mapping?.text ?? ""))
        shownURL = (try? BaseURL(self.baseURL))?.withoutSecrets ?? "***"
        secrets = (try? BaseURL(baseURL))?.secrets ?? []
    }

    /// The longest address in a log, in characters.
    private static let longestShownURL = 500

    /// Returns the address of a request as logs name it: without keys, and without values of a client.
    func shownURL(of request: DocumentRequest, _ scrubber: KeyScrubber) -> String {
        let path = request.shownPath().replacing("{key}", with: "***")
        return String(scrubber.scrubbed(shownURL + path).prefix(Self.longestShownURL))
    }
}

extension String {
    /// Returns the path of a target, with `{…}` in place of the segments that `isValue` takes for a client's values.
    package func path(hiding isValue: (Substring) -> Bool) -> String {
        prefix { $0 != "?" }.split(separator: "/", omittingEmptySubsequences: false)
            .map { isValue($0) ? "{…}" : $0 }.joined(separator: "/")
    }
}
