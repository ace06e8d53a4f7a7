import Contracts
import EventLoop
import HTTPClient
import HTTPCore
import JSONText
import LenientCoding

/// A place where documents come from: its address, its key and its bounds.
struct Upstream: Sendable {
    /// Why there is no document.
    enum Failure: Error, Sendable {
        /// There was no answer.
        case transfer(TransferError)
        /// The answer was an error: its status, the one that it stands for if it says so, its message with the key taken
        /// out, and in how many seconds to ask again.
        case status(Int, meaning: Int?, message: String?, retryAfter: Int?)
        /// The answer is not what it should be.
        case unusable(String)
        /// It was not asked, as earlier answers have said that its requests are used up.
        case spent(SpentQuota)
    }

    /// The kinds of questions that upstreams count apart.
    enum Endpoint: String, Sendable {
        case forecast, tweet, timeline, search, lookup
    }

    /// What an upstream is asked, and how its answers are understood.
    struct Exchange<Document: Sendable>: Sendable {
        let endpoint: Endpoint
        /// The path and query, with `{key}` where the key goes if that is the path.
        let target: String
        let keyPlace: Dialect.KeyPlace
        /// Makes a document of an answer.
        let read: @Sendable (IncomingResponse, JSONOptions) throws -> Document
        /// What an error says: its message, and the status that it stands for if it says so.
        let explain: @Sendable (IncomingResponse) -> (message: String, status: Int?)?
    }

    /// Documents from this size on are read beside the event loop, which they would hold for most of a millisecond.
    private static let largeDocument = 64 << 10

    let name: String
    /// The address without a trailing slash.
    let baseURL: String
    let key: Secret?
    let deadline: Duration
    let maximumBytes: Int
    let log: Log
    private let spent = SpentQuotas()

    /// Fetches a document, unless the upstream has said that its requests are used up.
    func fetch<Document: Sendable>(
        _ exchange: Exchange<Document>, with client: Client
    ) async throws(Failure) -> Document {
        if let quota = spent.quota(of: exchange.endpoint) { throw .spent(quota) }
        let response: IncomingResponse
        do {
            response = try await client.fetch(request(for: exchange))
        } catch {
            throw .transfer(error)
        }
        let limit = RateLimit(response)
        note(limit, pause: limit.pause(after: response.status), exchange.endpoint)
        do throws(Failure) {
            return try await document(of: response, exchange)
        } catch {
            note(limit, pause: error.pause, exchange.endpoint)
            throw error
        }
    }

    private func document<Document: Sendable>(
        of response: IncomingResponse, _ exchange: Exchange<Document>
    ) async throws(Failure) -> Document {
        guard response.status == 200 else { throw failure(of: response, exchange) }
        if response.body.count < Self.largeDocument { return try read(response, exchange) }
        let result = await WorkPool.run { Result { () throws(Failure) in try read(response, exchange) } }
        return try result.get()
    }

    /// Notes for how many seconds there are no requests left, if any, and says so once.
    private func note(_ limit: RateLimit, pause seconds: Int?, _ endpoint: Endpoint) {
        guard let seconds, let quota = spent.note(limit: limit.limit, seconds: seconds, of: endpoint) else { return }
        log.write(
            .warning, "upstream quota used up",
            ["upstream": name, "requests": endpoint.rawValue, "detail": quota.sentence(of: name)])
    }

    private func request<Document>(for exchange: Exchange<Document>) -> OutgoingRequest {
        var request = Authorization(exchange.keyPlace, key).request(for: exchange.target, at: baseURL)
        request.deadline = deadline
        request.maximumBodyBytes = maximumBytes
        return request
    }

    private func read<Document>(
        _ response: IncomingResponse, _ exchange: Exchange<Document>
    ) throws(Failure) -> Document {
        do {
            return try exchange.read(response, JSONOptions(maximumBytes: maximumBytes))
        } catch let error as JSONSyntaxError {
            let isHTML = response.headers["Content-Type"]?.lowercased().hasPrefix("text/html") == true
            throw .unusable(isHTML ? "it is HTML" : "it is not JSON: \(error)")
        } catch let error as ContractError {
            throw .unusable("\(error)")
        } catch is TweetDialect.Refusal {
            throw failure(of: response, exchange)
        } catch {
            throw .unusable("it cannot be read")
        }
    }

    private func failure<Document>(of response: IncomingResponse, _ exchange: Exchange<Document>) -> Failure {
        let said = exchange.explain(response)
        return .status(
            response.status, meaning: said?.status, message: said.map { shown($0.message) },
            retryAfter: RateLimit(response).retryAfter)
    }

    /// A message without the key, at most 200 characters.
    ///
    /// Some upstreams repeat the key there. It is taken out before the message is cut, as half a key would not be found.
    private func shown(_ message: String) -> String {
        let clean = key.map { $0.withExposedText { Self.removing($0, from: message) } } ?? message
        return String(clean.unicodeScalars.prefix(200))
    }

    /// `text` without `key`, as it is and as it stands in a URL.
    private static func removing(_ key: String, from text: String) -> String {
        let forms = [PercentCoding.encode(key, allowing: .pathSegment), key].filter { !$0.isEmpty }
        return forms.reduce(text) { $0.replacing($1, with: "***") }
    }
}

extension Upstream.Failure {
    /// In how many seconds to ask again, where the upstream means that it is asked too much, by whatever status.
    fileprivate var pause: Int? {
        if case .status(let status, let meaning, _, let retryAfter) = self, meaning ?? status == 429 {
            return retryAfter
        }
        return nil
    }

    /// Whether the log has been told of it before.
    var isKnown: Bool { if case .spent = self { true } else { false } }
}
