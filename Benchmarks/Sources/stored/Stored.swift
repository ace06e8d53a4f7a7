import EventLoop
import Glibc
import HTTPCore
import HTTPServer
import Operations

/// Answers each request with one stored response, or with a 304 to a client that has it, counts it, and logs it to
/// standard output.
///
/// The server of Weir without anything behind it. Arguments: the port to listen at, the file with the content, the
/// number of shards, and for TLS the files with a certificate and its key.
@main
final class Stored: RequestHandler {
    private let content: Response
    private let notModified: Response
    private let tag: String
    private let telemetry: [ShardBound<ShardTelemetry>]

    static func main() throws {
        let arguments = CommandLine.arguments
        guard [4, 6].contains(arguments.count), let address = SocketAddress("127.0.0.1:\(arguments[1])"),
            let count = Int(arguments[3]), count > 0
        else { throw UsageError() }
        // As the service does.
        OpenFileLimit.raise()
        FreedMemory.keep()
        let content = try FileContents.read(path: arguments[2], limit: 1 << 20)
        let shards = try (0..<count).map { try Shard(index: $0) }
        let writer = LineWriter.standardOutput(maximumBytes: 1 << 20) { _ in }
        var options = ServerOptions()
        options.maximumConnections = 20_000
        var listener = Listener(address, handler: Stored(content, shards, writer))
        if arguments.count == 6 {
            listener.tls = try TLSContext(
                certificate: FileContents.read(path: arguments[4], limit: 1 << 20),
                key: FileContents.read(path: arguments[5], limit: 1 << 20))
        }
        let server = try Server([listener], shards: shards, options: options)
        for shard in shards { shard.start() }
        server.start()
        // Until it is killed.
        while true { pause() }
    }

    private init(_ body: [UInt8], _ shards: [Shard], _ writer: LineWriter) {
        tag = "W/\"\(body.count)\""
        let common = [("Cache-Control", "max-age=60"), ("ETag", tag)]
        content = Response(headers: [("Content-Type", "application/json")] + common, body: body).serialized
        notModified = Response(status: .notModified, headers: common).serialized
        let labels = RouteLabels()
        _ = labels.label("stored", "/")
        telemetry = shards.map { shard in
            let log = AccessLogBuffer(AccessLogSettings(), writer: writer, clock: .system)
            return ShardBound(ShardTelemetry(labels, log: log), to: shard)
        }
    }

    func reply(to request: Request, from source: RequestSource, on shard: Shard) -> Reply {
        let telemetry = telemetry[shard.index].open
        telemetry.begin()
        let isKnown = request.headers.contains(tag, in: "If-None-Match")
        var note = ExchangeNote()
        (note.route, note.path) = (0, request.target.rawBytes)
        telemetry.identify(&note, request.headers)
        var response = isKnown ? notModified : content
        response.note = note
        return .now(response)
    }

    func refusal(of failure: RequestFailure, to request: RefusedRequest, on shard: Shard) -> Response {
        Response(status: failure.status)
    }

    func finished(_ exchange: ExchangeRecord, on shard: Shard) {
        telemetry[shard.index].open.finish(exchange, on: shard)
    }

    func connectionsChanged(by change: Int, on shard: Shard) {
        telemetry[shard.index].open.connectionsChanged(by: change)
    }
}

/// The arguments are wrong.
struct UsageError: Error, CustomStringConvertible {
    var description: String { "usage: stored PORT FILE SHARDS [CERTIFICATE KEY]" }
}
