import EventLoop
import HTTPClient
import HTTPCore

/// Asks a running service how it is.
public enum HealthProbe {
    /// What came of it.
    public enum Outcome: Sendable {
        /// It answered with 200.
        case healthy
        /// It did not, and why.
        case unhealthy(String)
        /// There is nothing to ask.
        case invalidURL
    }

    /// Asks `url`, an http or https URL or `unix:PATH`, for at most three seconds.
    public static func ask(_ url: String) async -> Outcome {
        var request: OutgoingRequest
        if case .unix(let path)? = SocketAddress(url) {
            request = OutgoingRequest(url: Secret("http://localhost/readyz"))
            request.unixSocketPath = path
        } else if url.hasPrefix("http://") || url.hasPrefix("https://") {
            request = OutgoingRequest(url: Secret(url))
        } else {
            return .invalidURL
        }
        request.deadline = .seconds(3)
        do {
            let shard = try Shard(index: 0)
            shard.start()
            defer { shard.stop() }
            let response = try await Client(on: shard).fetch(request)
            return response.status == 200 ? .healthy : .unhealthy("it answered with status \(response.status)")
        } catch let error as TransferError {
            return error == .invalidURL ? .invalidURL : .unhealthy("\(error)")
        } catch {
            return .unhealthy("\(error)")
        }
    }
}
