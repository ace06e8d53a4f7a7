import EventLoop
import HTTPClient
import HTTPCore
import HTTPServer

/// Answers each request with what the upstream answers to it: the server and the client of Weir with nothing in between.
///
/// Arguments: the port to listen at and the base URL of the upstream.
@main
struct Passthrough: RequestHandler {
    let client: Client
    let baseURL: String

    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let address = SocketAddress("127.0.0.1:\(arguments[1])") else {
            throw UsageError()
        }
        // As the service does.
        FreedMemory.keep()
        let shard = try Shard(index: 0)
        let handler = Passthrough(client: Client(on: shard), baseURL: arguments[2])
        let server = try Server(address, shards: [shard], handler: handler)
        shard.start()
        server.start()
        // Until it is killed.
        while true { try await Task.sleep(for: .seconds(3600)) }
    }

    func reply(to request: Request, from source: RequestSource, on shard: Shard) -> Reply {
        let url = Secret(baseURL + request.target.path)
        return .later {
            do {
                let response = try await client.fetch(OutgoingRequest(url: url))
                return Response(
                    status: Status(response.status), headers: [("Content-Type", "application/json")],
                    body: response.body)
            } catch {
                return Response(status: .badGateway, body: Array("\(error)".utf8))
            }
        }
    }

    func refusal(of failure: RequestFailure, to request: RefusedRequest, on shard: Shard) -> Response {
        Response(status: .badRequest)
    }
}

/// The arguments are wrong.
struct UsageError: Error, CustomStringConvertible {
    var description: String { "usage: passthrough PORT BASE-URL" }
}
