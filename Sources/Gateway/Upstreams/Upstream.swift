import Contracts
import EventLoop
import HTTPClient
import HTTPCore
import JSONText
import LenientCoding

/// A source of documents: its address, its key and its limits.
struct Upstream: Sendable {
    /// Why there is no document.
    enum Failure: Error, Sendable {
        case transfer(TransferError)
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
    }

    /// The kinds of requests that upstreams count separately.
    enum Endpoint: String, Sendable {
        case forecast, tweet, timeline, search, lookup
    }

    /// A request for one document, and how its response is read.
    struct DocumentRequest<Document: Sendable>: Sendable {
        let endpoint: Endpoint
        /// The path and query; `{key}` marks the place of a key in the path.
        let target: String
        let keyLocation: KeyLocation
        let read: @Sendable (IncomingResponse, JSONOptions) throws -> Document
        /// Returns the message of an error, and the status that it means if the dialect knows.
        let explain: @Sendable (IncomingResponse) -> (message: String, status: Int?)?
    }

    /// Documents from this size on are read on other threads; they would block the event loop for about a millisecond.
    private static let largeDocument = 64 << 10
    /// The longest error message that clients get, in code points.
    private static let maximumMessage = 200

    let name: String
    let dialect: String
    /// The address without a trailing slash.
    let baseURL: String
    let key: Secret?
    /// The time for one try, unless less is left for the request.
    let deadline: Duration
    /// The part of that time that a try may wait for a place.
    let maximumWait: Duration
    let maximumBytes: Int
    let state: UpstreamState
    let pool: DocumentPool
    let log: Log

    init(
        _ configuration: UpstreamConfiguration, baseURL: String, key: Secret?, log: Log,
        registry: UpstreamRegistry = UpstreamRegistry()
    ) {
        (name, dialect) = (configuration.name, configuration.dialect)
        self.baseURL = baseURL.hasSuffix("/") ? String(baseURL.dropLast()) : baseURL
        self.key = key
        deadline = .milliseconds(configuration.deadlineMilliseconds)
        maximumWait = .milliseconds(configuration.maximumWaitMilliseconds)
        maximumBytes = configuration.maximumBytes
        state = registry.state(for: configuration)
        pool = registry.pool
        self.log = log
    }

    /// Fetches a document, unless the quota of its endpoint is spent.
    func fetch<Document: Sendable>(
        _ request: DocumentRequest<Document>, in context: FetchContext
    ) async throws(Failure) -> Document {
        if let quota = state.quotas.quota(of: request.endpoint) { throw .spent(quota) }
        let end = min(context.end, .now + deadline)
        try await enter(until: end, context)
        defer { state.places.leave() }
        let response = try await transfer(request, until: end, context)
        let limit = RateLimit(response.headers)
        note(limit, pause: limit.pause(after: response.status), request.endpoint)
        do throws(Failure) {
            return try await read(response, request, context)
        } catch {
            note(limit, pause: error.pause, request.endpoint)
            throw error
        }
    }

    /// Waits for one of the upstream's places.
    private func enter(until end: MonotonicTime, _ context: FetchContext) async throws(Failure) {
        switch await state.places.enter(until: min(end, .now + maximumWait), on: context.shard) {
        case .admitted: return
        case .refused: throw .transfer(.queueFull)
        case .tooLate: throw .transfer(end <= .now ? .tooSlow : .queueFull)
        case .cancelled: throw .transfer(.cancelled)
        }
    }

    private func transfer<Document>(
        _ request: DocumentRequest<Document>, until end: MonotonicTime, _ context: FetchContext
    ) async throws(Failure) -> IncomingResponse {
        var outgoing = Authorization.request(for: request.target, at: baseURL, key: key, in: request.keyLocation)
        let start = MonotonicTime.now
        outgoing.deadline = end - start
        outgoing.maximumBodyBytes = maximumBytes
        do {
            let response = try await context.client.fetch(outgoing)
            state.noteTransfer(.now - start)
            return response
        } catch {
            if error != .cancelled { state.noteTransfer(.now - start) }
            throw .transfer(error)
        }
    }

    /// Blocks the endpoint for `seconds`, if any, and logs that once.
    private func note(_ limit: RateLimit, pause seconds: Int?, _ endpoint: Endpoint) {
        guard let seconds, let quota = state.quotas.note(limit: limit.limit, seconds: seconds, of: endpoint) else {
            return
        }
        log.write(
            .warning, "upstream quota used up",
            ["upstream": name, "requests": endpoint.rawValue, "detail": quota.sentence(of: name)])
    }

    private func read<Document>(
        _ response: IncomingResponse, _ request: DocumentRequest<Document>, _ context: FetchContext
    ) async throws(Failure) -> Document {
        if response.body.count < Self.largeDocument {
            return try read(response, request, ReadingLimit(end: context.end))
        }
        do {
            return try await pool.run(until: context.end, on: context.shard) { limit in
                Result { () throws(Failure) in try read(response, request, limit) }
            }.get()
        } catch let error as DocumentPool.Failure {
            throw error == .cancelled ? .transfer(.cancelled) : .unread
        } catch let error as Failure {
            throw error
        } catch {
            throw .unread
        }
    }

    private func read<Document>(
        _ response: IncomingResponse, _ request: DocumentRequest<Document>, _ limit: ReadingLimit
    ) throws(Failure) -> Document {
        if limit.hasPassed { throw .unread }
        guard response.status == 200 else { throw failure(of: response, request) }
        do {
            return try request.read(response, JSONOptions(maximumBytes: maximumBytes))
        } catch let error as JSONSyntaxError {
            let isHTML = response.headers["Content-Type"]?.lowercased().hasPrefix("text/html") == true
            throw .unusable(isHTML ? "it is HTML" : "it is not JSON: \(error)")
        } catch let error as ContractError {
            throw .unusable("\(error)")
        } catch is TweetDialect.Refusal {
            throw failure(of: response, request)
        } catch {
            throw .unusable("it cannot be read")
        }
    }

    private func failure<Document>(of response: IncomingResponse, _ request: DocumentRequest<Document>) -> Failure {
        let error = request.explain(response)
        // The key is removed before the message is cut, because a part of it would not be recognized.
        let message = error.map { key?.scrubbed(from: $0.message) ?? $0.message }
        return .status(
            response.status, meaning: error?.status,
            message: message.map { String($0.unicodeScalars.prefix(Self.maximumMessage)) },
            retryAfter: RateLimit(response.headers).retryAfter)
    }
}

extension Upstream.Failure {
    /// Whether nobody waits for the document any longer.
    var isCancellation: Bool {
        if case .transfer(.cancelled) = self { return true }
        return false
    }

    /// Whether the log has one line when it starts to occur, instead of one for each request.
    var isLoggedElsewhere: Bool {
        switch self {
        case .spent, .suspended: true
        case .transfer, .status, .unusable, .overloaded, .unread: false
        }
    }

    /// The seconds to wait if the error means too many requests, whatever its status.
    fileprivate var pause: Int? {
        if case .status(let status, let meaning, _, let retryAfter) = self, meaning ?? status == 429 {
            return retryAfter
        }
        return nil
    }
}
