import EventLoop
import HTTPClient
import HTTPCore
import TestSupport
import Testing

/// The event loop on whose thread the bodies of these tests run.
///
/// On the shared threads they could wait behind other tests for longer than an upstream keeps an idle connection.
private let bodies = Result {
    let shard = try Shard(index: 1)
    shard.start()
    return shard
}

/// Runs `body` with a client on a running event loop.
func withClient<Result>(
    resolver: Resolver = .shared, maximumHostConnections: Int = 0,
    _ body: (Client, Shard) async throws -> Result
) async throws -> Result {
    let shard = try Shard(index: 0)
    shard.start()
    let client = Client(on: shard, maximumHostConnections: maximumHostConnections, resolver: resolver)
    defer {
        client.stop()
        shard.stop()
    }
    return try await withTaskExecutorPreference(try bodies.get()) { try await body(client, shard) }
}

/// Runs `body` with a client and an upstream that calls `serve` for each connection.
func withUpstream<Result>(
    path: String? = nil, _ serve: @escaping @Sendable (Upstream.Connection) -> Void,
    _ body: (Client, Upstream) async throws -> Result
) async throws -> Result {
    let upstream = try Upstream(path: path, serve)
    defer { upstream.stop() }
    return try await withClient { client, _ in try await body(client, upstream) }
}

extension OutgoingRequest {
    /// A GET with long time limits, so that a test fails if it waits for one unintentionally, and not if the machine is busy.
    init(_ url: String, deadline: Duration = .seconds(3600), maximumBodyBytes: Int = 16 << 20) {
        self.init(url: Secret(url))
        self.deadline = deadline
        connectTimeout = .seconds(60)
        self.maximumBodyBytes = maximumBodyBytes
    }

    /// A GET of `https` with the authority of `certificates`.
    init(_ url: String, trusting certificates: Certificates) {
        self.init(url)
        var tls = TLSPolicy()
        tls.authorities = certificates.path("ca.pem")
        policy = ConnectionPolicy(tls: tls)
    }
}

extension Client {
    /// Returns the response to a request, or the error.
    func outcome(_ request: OutgoingRequest) async -> Result<IncomingResponse, TransferError> {
        do throws(TransferError) {
            return .success(try await fetch(request))
        } catch {
            return .failure(error)
        }
    }
}

extension Result where Success == IncomingResponse, Failure == TransferError {
    var text: String? { try? String(decoding: get().body, as: UTF8.self) }

    var error: TransferError? {
        if case .failure(let error) = self { return error }
        return nil
    }
}
