import EventLoop
import HTTPCore
import HTTPServer
import Synchronization
import TestSupport
import Testing

/// Answers requests with a closure.
struct ClosureHandler: RequestHandler {
    let answer: @Sendable (Request, Shard) -> Reply
    var whenFinished: @Sendable (ExchangeRecord) -> Void = { _ in }

    func reply(to request: Request, from source: RequestSource, on shard: Shard) -> Reply { answer(request, shard) }

    func refusal(of failure: RequestFailure, to request: RefusedRequest, on shard: Shard) -> Response {
        Response(status: failure.status, body: Array(failure.detail.utf8))
    }

    func finished(_ exchange: ExchangeRecord, on shard: Shard) { whenFinished(exchange) }
}

extension Response {
    init(_ text: String) { self.init(body: Array(text.utf8)) }
    init(bytes count: Int) { self.init(body: [UInt8](repeating: UInt8(ascii: "x"), count: count)) }

    /// A response of so many bytes that is serialized before it is sent.
    static func stored(bytes count: Int, age: Int) -> Response {
        var response = Response(bytes: count).serialized
        response.age = age
        return response
    }
}

extension ServerOptions {
    /// Long time-outs; a test shortens the one that it tests.
    static var patient: ServerOptions {
        var options = ServerOptions()
        options.requestTimeout = .seconds(3600)
        options.idleTimeout = .seconds(3600)
        options.writeTimeout = .seconds(3600)
        options.answerTimeout = .seconds(3600)
        options.drainGrace = .milliseconds(10)
        return options
    }

    func with(_ change: (inout ServerOptions) -> Void) -> ServerOptions {
        var options = self
        change(&options)
        return options
    }
}

/// A server with its event loops.
struct Harness {
    let server: Server
    let shards: [Shard]

    var address: SocketAddress { server.address }

    func connect(tls: TLSClient.Settings? = nil, receiveBuffer: Int32? = nil) throws -> Peer {
        try Peer(address, tls: tls, receiveBuffer: receiveBuffer)
    }

    /// Runs `body` with a server that answers with `answer`.
    static func run<Result>(
        at address: SocketAddress = .network(host: "127.0.0.1", port: 0), shards count: Int = 1,
        _ options: ServerOptions = .patient, untaken: UntakenOutput = UntakenOutput(),
        answer: @escaping @Sendable (Request) -> Reply = { echo($0) },
        whenFinished: @escaping @Sendable (ExchangeRecord) -> Void = { _ in }, body: (Harness) async throws -> Result
    ) async throws -> Result {
        let handler = ClosureHandler(answer: { request, _ in answer(request) }, whenFinished: whenFinished)
        return try await run([Listener(address, handler: handler)], shards: count, options, untaken, body)
    }

    /// Runs `body` with a server that has these listeners.
    static func run<Result>(
        _ listeners: [Listener], shards count: Int = 1, _ options: ServerOptions = .patient,
        _ untaken: UntakenOutput = UntakenOutput(),
        _ body: (Harness) async throws -> Result
    ) async throws -> Result {
        let shards = try (0..<count).map { try Shard(index: $0) }
        let server = try Server(listeners, shards: shards, options: options, untaken: untaken)
        for shard in shards { shard.start() }
        server.start()
        let harness = Harness(server: server, shards: shards)
        do {
            let result = try await body(harness)
            await harness.end()
            return result
        } catch {
            await harness.end()
            throw error
        }
    }

    private func end() async {
        server.cut()
        _ = await server.drain()
        for shard in shards { shard.stop() }
    }

    /// Answers with the request's method and path.
    static func echo(_ request: Request) -> Reply {
        .now(Response("\(request.method) \(request.target.path) "))
    }

    /// Answers `/later…` after a suspension and other paths at once.
    static func mixed(_ request: Request) -> Reply {
        let response = Response(request.target.path)
        guard request.target.path.hasPrefix("/later") else { return .now(response) }
        return .later {
            await Task.yield()
            return response
        }
    }
}

/// A thread-safe counter.
final class Counter: Sendable {
    private let count = Atomic<Int>(0)

    var value: Int { count.load(ordering: .sequentiallyConsistent) }

    @discardableResult
    func add(_ change: Int) -> Int { count.add(change, ordering: .sequentiallyConsistent).newValue }
}
