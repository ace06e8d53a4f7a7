import EventLoop
import HTTPCore
import HTTPServer
import TestSupport

/// Certificates for servers under test, and what clients must trust.
enum Secure {
    static let certificates = Result { try Certificates() }

    /// Makes the certificates, on a thread that no other test's task needs.
    static func prepare() async throws {
        _ = try await WorkQueue("certificates").run { try certificates.get() }
    }

    /// A context with the certificate `name.pem` and its key.
    static func context(_ name: String = "cert", minimumVersion: TLSVersion = .tls12) throws -> TLSContext {
        try TLSContext(
            certificate: read("\(name).pem"), key: read("\(name).key"), minimumVersion: minimumVersion)
    }

    static func read(_ name: String) throws -> [UInt8] { try Checkout.read(certificates.get().path(name)) }

    /// Settings of a client that trusts the authority.
    static func settings(_ change: (inout TLSClient.Settings) -> Void = { _ in }) throws -> TLSClient.Settings {
        var settings = TLSClient.Settings(authority: try certificates.get().path("ca.pem"))
        change(&settings)
        return settings
    }
}

/// Answers some paths late, with much or never, and passes on what the server reports.
struct Recorder: RequestHandler {
    let records = Arrivals<ExchangeRecord>()
    let open = Counter()
    let begun = Event()

    func reply(to request: Request, from source: RequestSource, on shard: Shard) -> Reply {
        switch request.target.path {
        case "/big": return .now(Response(bytes: 1 << 20))
        case "/stored": return .now(Response.stored(bytes: 5000, age: 7))
        case "/never":
            return .later { [begun] in
                begun.occur()
                await Event().wait()
                return Response()
            }
        default: return Harness.mixed(request)
        }
    }

    func refusal(of failure: RequestFailure, to request: RefusedRequest, on shard: Shard) -> Response {
        Response(status: failure.status, body: Array(failure.detail.utf8))
    }

    func finished(_ exchange: ExchangeRecord, on shard: Shard) { records.add(exchange) }
    func connectionsChanged(by change: Int, on shard: Shard) { open.add(change) }
}

extension Harness {
    /// Runs `body` with a server that speaks TLS.
    static func runSecure<Result>(
        shards count: Int = 1, _ options: ServerOptions = .patient,
        context: @autoclosure () throws -> TLSContext? = nil,
        _ change: (inout Listener) -> Void = { _ in }, _ body: (Recorder, Harness) async throws -> Result
    ) async throws -> Result {
        let recorder = Recorder()
        var listener = Listener(.network(host: "127.0.0.1", port: 0), handler: recorder)
        try await Secure.prepare()
        listener.tls = try context() ?? Secure.context()
        change(&listener)
        return try await run([listener], shards: count, options) { try await body(recorder, $0) }
    }

    func connectSecurely(
        _ change: (inout TLSClient.Settings) -> Void = { _ in }, receiveBuffer: Int32? = nil
    ) throws -> Peer {
        try connect(tls: Secure.settings(change), receiveBuffer: receiveBuffer)
    }

    /// The processor time that the first event loop has used.
    func processorTime() async -> Duration {
        await withCheckedContinuation { continuation in
            shards[0].post { continuation.resume(returning: ProcessorTime.ofThread) }
        }
    }
}
