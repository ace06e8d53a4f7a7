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

    /// Documents from this size on are read on the work pool; they would block the event loop for about a millisecond.
    private static let largeDocument = 64 << 10
    /// The longest error message that clients get, in code points.
    private static let maximumMessage = 200

    let name: String
    let dialect: String
    /// The address without a trailing slash.
    let baseURL: String
    let key: Secret?
    let deadline: Duration
    let maximumBytes: Int
    let maximumDepth: Int
    let log: Log
    private let scrubber: KeyScrubber
    private let spent = SpentQuotas()

    init(_ configuration: UpstreamConfiguration, baseURL: String, key: Secret?, log: Log) {
        (name, dialect) = (configuration.name, configuration.dialect)
        self.baseURL = baseURL.hasSuffix("/") ? String(baseURL.dropLast()) : baseURL
        self.key = key
        deadline = .milliseconds(configuration.deadlineMilliseconds)
        maximumBytes = configuration.maximumBytes
        maximumDepth = configuration.maximumDepth
        self.log = log
        // A path can hold a key, too.
        scrubber = KeyScrubber([key].compactMap(\.self) + ((try? BaseURL(baseURL))?.secrets ?? []))
    }

    /// Fetches a document, unless the quota of its endpoint is spent.
    func fetch<Document: Sendable>(
        _ request: DocumentRequest<Document>, with client: Client
    ) async throws(Failure) -> Document {
        if let quota = spent.quota(of: request.endpoint) { throw .spent(quota) }
        let end = MonotonicTime.now + deadline
        var outgoing = Authorization.request(for: request.target, at: baseURL, key: key, in: request.keyLocation)
        outgoing.deadline = deadline
        outgoing.maximumBodyBytes = maximumBytes
        let response: IncomingResponse
        do {
            response = try await client.fetch(outgoing)
        } catch {
            throw .transfer(error)
        }
        let limit = RateLimit(response.headers)
        note(limit, pause: limit.pause(after: response.status), request.endpoint)
        do throws(Failure) {
            if response.body.count < Self.largeDocument { return try read(response, request, until: end) }
            return try await WorkPool.run {
                Result { () throws(Failure) in try read(response, request, until: end) }
            }.get()
        } catch {
            note(limit, pause: error.pause, request.endpoint)
            throw error
        }
    }

    /// Blocks the endpoint for `seconds`, if any, and logs that once.
    private func note(_ limit: RateLimit, pause seconds: Int?, _ endpoint: Endpoint) {
        guard let seconds, let quota = spent.note(limit: limit.limit, seconds: seconds, of: endpoint) else { return }
        log.write(
            .warning, "upstream quota used up",
            ["upstream": name, "requests": endpoint.rawValue, "detail": quota.sentence(of: name)])
    }

    private func read<Document>(
        _ response: IncomingResponse, _ request: DocumentRequest<Document>, until end: MonotonicTime
    ) throws(Failure) -> Document {
        let isExpired: @Sendable () -> Bool = { MonotonicTime.now >= end }
        // Large documents wait for the work pool.
        if isExpired() { throw .transfer(.tooSlow) }
        let response = scrubber.scrubbed(response)
        guard response.status == 200 else { throw failure(of: response, request) }
        do {
            return try request.read(
                response, JSONOptions(maximumBytes: maximumBytes, maximumDepth: maximumDepth, isExpired: isExpired))
        } catch let error as JSONSyntaxError {
            if error.reason == .expired { throw .transfer(.tooSlow) }
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
        // A key too short for documents is removed here, before the message is cut: a part would not be recognized.
        let message = error.map { scrubber.scrubbed($0.message) }
        return .status(
            response.status, meaning: error?.status,
            message: message.map { String($0.unicodeScalars.prefix(Self.maximumMessage)) },
            retryAfter: RateLimit(response.headers).retryAfter)
    }
}

extension Upstream.Failure {
    /// The seconds to wait if the error means too many requests, whatever its status.
    fileprivate var pause: Int? {
        if case .status(let status, let meaning, _, let retryAfter) = self, meaning ?? status == 429 {
            return retryAfter
        }
        return nil
    }
}
