import EventLoop
import Glibc
import HTTPCore
import HTTPServer

/// A server on a Unix socket answers each of the requests on a connection once, in order, and then closes.
///
/// The first byte of the input says where the connection pauses, and which answers come late.
@_cdecl("LLVMFuzzerTestOneInput")
public func servePipeline(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = input(start, count)
    guard let first = bytes.first else { return 0 }
    let requests = Array(bytes.dropFirst())
    let expected = expectedStatuses(of: requests)
    let client = Client(to: server.path)
    let cut = min(Int(first), requests.count)
    client.send(requests[..<cut])
    client.send(requests[cut...])
    client.finishSending()
    let statuses = client.statuses()
    invariant(statuses == expected, "\(statuses) instead of \(expected) for \(shown(requests))")
    return 0
}

private let limits: RequestLimits = {
    var limits = RequestLimits()
    (limits.maximumTargetBytes, limits.maximumHeadBytes) = (64, 512)
    return limits
}()

/// Returns the statuses of the answers: 200 for each request up to the one that ends the connection.
private func expectedStatuses(of bytes: [UInt8]) -> [Int] {
    var parser = RequestParser(limits: limits)
    var (rest, result) = (bytes, [Int]())
    while true {
        switch parse(rest, with: &parser) {
        case .needsMore: return result
        case .request(let request, let consumed):
            result.append(200)
            if !request.keepsAlive || request.hasBody { return result }
            rest.removeFirst(consumed)
        case .failure(let failure): return result + [failure.status.code]
        }
    }
}

private func parse(_ bytes: [UInt8], with parser: inout RequestParser) -> RequestParser.Outcome {
    parser.parse(bytes.span)
}

/// Answers at once, or late if the path is odd, with bodies of different sizes.
private struct Handler: RequestHandler {
    func reply(to request: Request, from source: RequestSource, on shard: Shard) -> Reply {
        let size = request.target.path.utf8.reduce(0) { ($0 * 31 + Int($1)) & 0xFFFF }
        let response = Response(body: [UInt8](repeating: UInt8(ascii: "x"), count: size))
        guard size % 2 == 1 else { return .now(response) }
        return .later {
            await Task.yield()
            return response
        }
    }

    func refusal(of failure: RequestFailure, to request: RefusedRequest, on shard: Shard) -> Response {
        Response(status: failure.status)
    }
}

/// Runs until the process ends.
private struct RunningServer {
    let path = "/tmp/weir-fuzz-\(getpid()).sock"
    let server: Server
    let shard: Shard

    init() throws {
        shard = try Shard(index: 0)
        var options = ServerOptions()
        options.requestLimits = limits
        options.allowsHalfClose = true
        server = try Server([Listener(.unix(path: path), handler: Handler())], shards: [shard], options: options)
        shard.start()
        server.start()
    }
}

private let server: RunningServer = {
    do { return try RunningServer() } catch { fatalError("\(error)") }
}()
