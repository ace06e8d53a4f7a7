import EventLoop
import HTTPCore
import HTTPServer

/// Answers each request with one stored response: the server of Weir without anything behind it.
///
/// Arguments: the port to listen at and the file with the content.
@main
struct Stored: RequestHandler {
    private let response: StoredResponse

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
        let handler = Stored(response: StoredResponse(Response(headers: fields, body: content)))
        let shard = try Shard(index: 0)
        let server = try Server(address, shards: [shard], handler: handler)
        shard.start()
        server.start()
        // Until it is killed.
        while true { try await Task.sleep(for: .seconds(3600)) }
    }

    func reply(to request: Request, on shard: Shard) -> Reply { .stored(response) }

    func refusal(of failure: RequestFailure) -> Response { Response(status: failure.status) }
}

/// The arguments are wrong.
struct UsageError: Error, CustomStringConvertible {
    var description: String { "usage: stored PORT FILE" }
}
