import EventLoop
import HTTPClient
import HTTPCore
import Testing

/// The thread on which the bodies of these tests run.
///
/// While other tests hold the shared threads, they would wait for longer than an upstream's connection is kept. It is one
/// for all, as there are not so many threads.
private let bodies = Result {
    let shard = try Shard(index: 1)
    shard.start()
    return shard
}

/// Runs `body` with a client on a running event loop.
func withClient<Result>(_ body: (Client, Shard) async throws -> Result) async throws -> Result {
    let shard = try Shard(index: 0)
    shard.start()
    let client = Client(on: shard)
    defer {
        client.stop()
        shard.stop()
    }
    return try await withTaskExecutorPreference(try bodies.get()) { try await body(client, shard) }
}

/// Runs `body` with a client and an upstream on whose connections `talk` talks.
func withUpstream<Result>(
    path: String? = nil, _ talk: @escaping @Sendable (Upstream.Line) -> Void,
    _ body: (Client, Upstream) async throws -> Result
) async throws -> Result {
    let upstream = try Upstream(path: path, talk)
    defer { upstream.stop() }
    return try await withClient { client, _ in try await body(client, upstream) }
}

extension OutgoingRequest {
    /// A GET that waits long, so that a test fails which should not have waited.
    init(_ url: String, deadline: Duration = .seconds(3600), maximumBodyBytes: Int = 16 << 20) {
        self.init(url: Secret(url))
        self.deadline = deadline
        self.maximumBodyBytes = maximumBodyBytes
    }
}

extension Client {
    /// The answer to a GET of `url`, or why there is none.
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

/// Something that happens a number of times, and can be waited for until the test's time is up.
final class Event: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func happen() { continuation.yield() }

    /// Waits until it has happened `count` times more.
    func wait(_ count: Int = 1) async {
        var left = count
        for await _ in stream {
            left -= 1
            if left == 0 { return }
        }
    }
}
