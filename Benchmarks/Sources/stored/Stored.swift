import EventLoop
import HTTPCore
import HTTPServer
import Telemetry

/// Answers each request with one stored response, counts it, and logs it to standard output.
///
/// The server of Weir without anything behind it. Arguments: the port to listen at and the file with the content.
@main
struct Stored: RequestHandler {
    private let response: StoredResponse
    private let telemetry: ShardBound<ShardTelemetry>

    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let address = SocketAddress("127.0.0.1:\(arguments[1])") else {
            throw UsageError()
        }
        // As the service does.
        OpenFileLimit.raise()
        FreedMemory.keep()
        let content = try FileContents.read(path: arguments[2], limit: 1 << 20)
        let fields = [("Content-Type", "application/json"), ("Cache-Control", "max-age=60")]
        var response = StoredResponse(Response(headers: fields, body: content))
        response.note.route = RouteLabel(index: 0, template: "/")
        let shard = try Shard(index: 0)
        let writer = LineWriter.standardOutput(maximumBytes: 1 << 20) { _ in }
        let log = AccessLogBuffer(AccessLogSettings(), writer: writer, clock: .system)
        let telemetry = ShardTelemetry(routes: ["/"], log: log)
        let handler = Stored(response: response, telemetry: ShardBound(telemetry, to: shard))
        let server = try Server(address, shards: [shard], handler: handler)
        shard.start()
        server.start()
        // Until it is killed.
        while true { try await Task.sleep(for: .seconds(3600)) }
    }

    func reply(to request: Request, on shard: Shard) -> Reply {
        let telemetry = telemetry.open
        telemetry.begin()
        var response = response
        response.note.path = request.target.rawBytes
        telemetry.identify(&response.note, request.headers)
        return .stored(response)
    }

    func refusal(of failure: RequestFailure, to request: Request?, on shard: Shard) -> Response {
        Response(status: failure.status)
    }

    func finished(_ exchange: Exchange, on shard: Shard) {
        telemetry.open.finish(exchange, isProbe: false, on: shard)
    }

    func connectionsChanged(by change: Int, on shard: Shard) { telemetry.open.connectionsChanged(by: change) }
}

/// The arguments are wrong.
struct UsageError: Error, CustomStringConvertible {
    var description: String { "usage: stored PORT FILE" }
}
