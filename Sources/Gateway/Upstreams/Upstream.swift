import Contracts
import EventLoop
import HTTPClient
import HTTPCore
import JSONText
import LenientCoding

/// A place where documents come from: its address, its dialect, its key and its bounds.
struct Upstream: Sendable {
    /// Why there is no document.
    enum Failure: Error, Sendable {
        /// There was no answer.
        case transfer(TransferError)
        /// The answer was an error: its status, its message with the key taken out, and its Retry-After.
        case status(Int, message: String?, retryAfter: String?)
        /// The answer is not what it should be.
        case unusable(String)
    }

    /// Documents from this size on are normalized beside the event loop, which they would hold for a millisecond.
    private static let largeDocument = 256 << 10

    let name: String
    let dialect: Dialect
    /// The address without a trailing slash.
    let baseURL: String
    let key: Secret?
    /// The units that it is asked for.
    let units: UnitSystem
    let deadline: Duration
    let maximumBytes: Int

    /// Fetches what `query` asks for and makes the contract's document of it, in the form that `shaping` asks for.
    func fetch(
        _ query: ForecastQuery, _ shaping: Shaping, with client: Client
    ) async throws(Failure) -> Normalized {
        var query = query
        query.units = units
        let asked = query
        let response: IncomingResponse
        do {
            response = try await client.fetch(request(for: asked))
        } catch {
            throw .transfer(error)
        }
        guard response.status == 200 else {
            let (message, retryAfter) = (message(in: response), Self.retryAfter(in: response))
            throw .status(response.status, message: message, retryAfter: retryAfter)
        }
        if response.body.count < Self.largeDocument { return try normalize(response, asked, shaping) }
        let result = await WorkPool.run {
            Result { () throws(Failure) in try normalize(response, asked, shaping) }
        }
        return try result.get()
    }

    private func request(for query: ForecastQuery) -> OutgoingRequest {
        let target = dialect.target(for: query)
        // Where there is a place for a key and none to put there, as with samples, something must stand.
        let pathKey = dialect.keyPlace == .path ? key ?? Secret("-") : Secret("-")
        let url = pathKey.map { key in
            baseURL + target.replacing("{key}", with: PercentCoding.encode(key, allowing: .pathSegment))
        }
        var request = OutgoingRequest(url: url)
        if case .header(let name) = dialect.keyPlace, let key { request.headers = [(name, key)] }
        request.deadline = deadline
        request.maximumBodyBytes = maximumBytes
        return request
    }

    private func normalize(
        _ response: IncomingResponse, _ query: ForecastQuery, _ shaping: Shaping
    ) throws(Failure) -> Normalized {
        do {
            return try dialect.normalize(
                response.body, askedFor: query, shaping: shaping, options: JSONOptions(maximumBytes: maximumBytes))
        } catch let error as JSONSyntaxError {
            let isHTML = response.contentType?.lowercased().hasPrefix("text/html") == true
            throw .unusable(isHTML ? "it is HTML" : "it is not JSON: \(error)")
        } catch let error as ContractError {
            throw .unusable("\(error)")
        } catch {
            throw .unusable("it cannot be read")
        }
    }

    /// The message of an error's body, at most 200 characters.
    ///
    /// Some upstreams repeat the key there. It is taken out before the message is cut, as half a key would not be found.
    private func message(in response: IncomingResponse) -> String? {
        guard let message = dialect.errorMessage(in: response.body) else { return nil }
        let clean = key.map { $0.withExposedText { Self.removing($0, from: message) } } ?? message
        return String(clean.unicodeScalars.prefix(200))
    }

    /// `text` without `key`, as it is and as it stands in a URL.
    private static func removing(_ key: String, from text: String) -> String {
        let forms = [PercentCoding.encode(key, allowing: .pathSegment), key].filter { !$0.isEmpty }
        return forms.reduce(text) { $0.replacing($1, with: "***") }
    }

    /// Seconds or a date (RFC 9110 §10.2.3); whatever else an upstream sends is not passed on.
    private static func retryAfter(in response: IncomingResponse) -> String? {
        response.retryAfter.flatMap { UInt32($0) != nil || HTTPDate.parse($0) != nil ? $0 : nil }
    }
}
