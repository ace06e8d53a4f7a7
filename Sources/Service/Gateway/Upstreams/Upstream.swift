import Contracts
import Dispatch
import EventLoop
import HTTPClient
import HTTPCore
import JSONText
import LenientCoding
import Telemetry

/// A source of documents: its address, its key and its limits.
final class Upstream: Sendable {
    /// Why there is no document.
    ///
    /// Indirect: every asynchronous function between an upstream and a route keeps room for one.
    indirect enum Failure: Error, Sendable {
        case transfer(TransferError)
        /// No request was made, because the token endpoint gave no token for it.
        case token(TokenFault)
        /// The response was an error: its status, the status that its body means if the dialect knows, its message
        /// without the key, and the seconds to wait before the next request.
        case status(Int, meaning: Int?, message: String?, retryAfter: Int?)
        case unusable(String)
        /// No request was made, because the quota is spent.
        case spent(SpentQuota)
        /// No request was made, because too many have failed; the next one may be made after these seconds.
        case suspended(seconds: Int)
        /// No request was made, because the service has too much to do.
        case overloaded(String)
        /// The document has arrived, but the time was over before it was read.
        case unread
        /// No request was made, because the client wants a document only if it is in the cache.
        case notInCache
    }

    /// The kinds of requests that upstreams count separately.
    enum Endpoint: String, Sendable, CaseIterable {
        case forecast, tweet, timeline, search, lookup, history

        /// The endpoint's place among all of them: a look-up in a dictionary would hash the text.
        var index: Int {
            switch self {
            case .forecast: 0
            case .tweet: 1
            case .timeline: 2
            case .search: 3
            case .lookup: 4
            case .history: 5
            }
        }
    }

    /// A request for one document, and how its response is read.
    struct DocumentRequest<Document: Sendable>: Sendable {
        let endpoint: Endpoint
        /// The path and query; `{key}` marks the place of a key in the path.
        let target: String
        let read: @Sendable (IncomingResponse, JSONOptions) throws -> Document
        /// Returns the message of an error, if it has one, and the status that it means if the dialect knows.
        let explain: @Sendable (IncomingResponse) -> (message: String?, status: Int?)
        /// Returns the seconds to wait that the message of an error demands, if no header field names them.
        var pause: @Sendable (_ message: String) -> Int? = { _ in nil }
        /// Returns how far the subject of a document is from what was asked for, in any unit; 0 if it is the same.
        var distance: @Sendable (Document) -> Double = { _ in 0 }
        /// The version of the document that is known already; `read` gets a 304 if it is still that one.
        var validators: Validators?
    }

    /// The longest error message that clients get, in code points.
    private static let maximumMessage = 200

    let name: String
    let dialect: String
    /// The address without a trailing slash.
    let baseURL: String
    /// A checksum of the address and the dialect, for the keys of the cache.
    let address: UInt64
    let credentials: CredentialStore
    /// The sample that answers at the address, which runs as long as the upstream is used.
    let sample: SampleUpstream?
    /// The time for one try, unless less is left for the request.
    let deadline: Duration
    /// The time for a request to the token endpoint, whichever request of a client begins it.
    let tokenDeadline: Duration
    /// The part of that time that a try may wait for a place.
    let maximumWait: Duration
    let maximumBytes: Int
    let maximumDepth: Int
    let transfers: TransferSettings
    /// Those of the requests to the token endpoint.
    let tokenTransfers: TransferSettings
    let state: UpstreamState
    /// Reads the key files again: on a thread of its own, because a file on the network may hang.
    let keyFiles: DocumentPool
    let bodies: BodyBudget
    /// Whether a second request is made beside one that takes long.
    let hedges: Bool
    let forwardsTraceparent: Bool
    /// The cache of its documents; nil without one.
    let caching: Caching?
    let log: Log

    init(
        _ configuration: UpstreamConfiguration, baseURL: String, sample: SampleUpstream? = nil,
        credentials: Credentials, reread: @escaping @Sendable () -> Credentials? = { nil }, log: Log,
        registry: UpstreamRegistry = UpstreamRegistry(),
        connection: ConnectionPolicy = .standard, tokenConnection: ConnectionPolicy = .standard,
        tokenDeadline: Duration = .seconds(5), caching: Caching? = nil
    ) {
        (self.sample, self.caching) = (sample, caching)
        (name, dialect) = (configuration.name, configuration.dialect)
        self.baseURL = baseURL.hasSuffix("/") ? String(baseURL.dropLast()) : baseURL
        address = DocumentKey.address("\(dialect) \(self.baseURL)\(configuration.unixSocket.map { " \($0)" } ?? "")")
        state = registry.state(for: configuration)
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
        bodies = registry.bodies
        keyFiles = DocumentPool(threads: 1, clock: registry.clock, queue: DispatchQueue(label: "weir.keys"))
        hedges = configuration.hedges
        forwardsTraceparent = configuration.forwardsTraceparent
        self.log = log
    }

    /// Returns the document in a response, or the failure that the response means, without keys.
    func read<Document>(
        _ response: IncomingResponse, _ request: DocumentRequest<Document>, _ scrubber: KeyScrubber,
        _ limit: ReadingLimit
    ) throws(Failure) -> Document {
        if limit.hasPassed { throw .unread }
        guard let response = scrubber.scrubbed(response, isExpired: { limit.hasPassed }) else { throw .unread }
        guard response.status == 200 || response.status == 304 && request.validators != nil else {
            throw failure(of: response, request.explain(response), pause: request.pause, scrubber, limit)
        }
        return try read(response, request, limit, scrubber)
    }

    /// Returns the document in a response without keys.
    func read<Document>(
        _ response: IncomingResponse, _ request: DocumentRequest<Document>, _ limit: ReadingLimit,
        _ scrubber: KeyScrubber? = nil
    ) throws(Failure) -> Document {
        do {
            return try request.read(
                response,
                JSONOptions(
                    maximumBytes: maximumBytes, maximumDepth: maximumDepth, isExpired: { limit.hasPassed }))
        } catch _ where limit.hasPassed {
            // The reader may have stopped for that reason.
            throw .unread
        } catch let error as JSONSyntaxError {
            let isHTML = response.headers["Content-Type"]?.lowercased().hasPrefix("text/html") == true
            throw .unusable(isHTML ? "it is HTML" : "it is not JSON: \(error)")
        } catch let error as ContractError {
            let (message, status) = request.explain(response)
            guard let message else { throw .unusable("\(error)") }
            // An error with status 200 means what its message says.
            let isLimit = status == nil && request.pause(message) != nil
            throw failure(
                of: response, (message, isLimit ? 429 : status), pause: request.pause,
                scrubber ?? credentials.current.scrubber, limit)
        } catch let refusal as TweetDialect.Refusal {
            throw failure(
                of: response, (refusal.message, refusal.status), pause: request.pause,
                scrubber ?? credentials.current.scrubber, limit)
        } catch {
            throw .unusable("it cannot be read")
        }
    }

    private func failure(
        of response: IncomingResponse, _ error: (message: String?, status: Int?),
        pause: (_ message: String) -> Int?, _ scrubber: KeyScrubber, _ limit: ReadingLimit
    ) -> Failure {
        // A key too short for documents is removed here, before the message is cut: a part would not be recognized.
        let message = error.message.flatMap { scrubber.scrubbed($0, isExpired: { limit.hasPassed }) }
        let rates = RateLimit(response.headers, now: limit.clock.seconds)
        // The reset of a quota that is not used up does not end an outage.
        let retryAfter = response.status == 503 ? rates.pause(after: 503) : rates.retryAfter
        return .status(
            response.status, meaning: error.status,
            message: message.map { String($0.unicodeScalars.prefix(Self.maximumMessage)) },
            retryAfter: retryAfter ?? message.flatMap(pause))
    }
}
