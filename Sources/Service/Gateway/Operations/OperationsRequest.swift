import EventLoop
import HTTPClient
import HTTPCore

/// A request to a running service, as commands make them.
enum OperationsRequest {
    /// Returns the response to a GET of `url`, which is an http or https URL, or `unix:PATH` for `target` on a Unix socket.
    ///
    /// Waits for at most three seconds.
    /// - Throws: `TransferError`, `invalidURL` for another URL, or the error of the system.
    static func get(_ url: String, target: String) async throws -> IncomingResponse {
        var request: OutgoingRequest
        if case .unix(let path)? = SocketAddress(url) {
            request = OutgoingRequest(url: Secret("http://localhost" + target))
            request.policy = ConnectionPolicy(unixSocketPath: path)
        } else if url.hasPrefix("http://") || url.hasPrefix("https://") {
            request = OutgoingRequest(url: Secret(url))
        } else {
            throw TransferError.invalidURL
        }
        request.deadline = .seconds(3)
        let shard = try Shard(index: 0)
        shard.start()
        defer { shard.stop() }
        return try await Client(on: shard).fetch(request)
    }
}
