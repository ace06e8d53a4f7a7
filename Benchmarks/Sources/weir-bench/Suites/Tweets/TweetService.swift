import Settings
import EventLoop
import Foundation
import Gateway
import HTTPCore
import HTTPServer
import Operations

/// The service in this process, with an upstream on another thread.
final class TweetService {
    private let service: Service
    private let shard: Shard
    private let upstream: Server

    init(_ searches: [TweetSearch]) throws {
        shard = try Shard(index: 0)
        let address = SocketAddress.network(host: "127.0.0.1", port: 0)
        upstream = try Server(address, shards: [shard], handler: SearchUpstream(searches))
        setenv("WEIR_BENCH_KEY", "-", 1)
        let configuration = """
            {"listen": "127.0.0.1:0", "shards": 1, "cache": {"maximumBytes": 0}, "server": {"accessLog": {"format": "none"}},
             "upstreams": [{"name": "source", "dialect": "twitter", "baseURL": "http://\(upstream.address)",
                            "key": {"environment": "WEIR_BENCH_KEY"}},
                           {"name": "weather", "dialect": "openMeteo", "baseURL": "http://\(upstream.address)"}],
             "weather": {"upstreams": ["weather"]}, "tweets": {"upstreams": ["source"]}}
            """
        let file = ConfigurationFile(path: "weir.json", bytes: Array(configuration.utf8))
        service = try Service(file.configuration(), from: file, log: .standard)
        shard.start()
        upstream.start()
        service.start()
    }

    deinit {
        service.cut()
        upstream.cut()
        for shard in service.shards + [shard] { shard.stop() }
    }

    /// The event loop of the service.
    var loop: Shard { service.shards[0] }

    /// The port of the service.
    var port: Int {
        guard case .network(_, let port) = service.address else { return 0 }
        return Int(port)
    }

    /// Returns the path and query of a search.
    func target(of search: TweetSearch) -> String {
        "/search?q=\(search.name)" + (search.isExplained ? "&explain=true" : "")
    }
}

/// The upstream, which answers each search with its document.
private struct SearchUpstream: RequestHandler {
    private let answers: [String: Response]

    init(_ searches: [TweetSearch]) {
        answers = Dictionary(
            searches.map { search in
                let fields = [("Content-Type", "application/json")]
                let coding = search.isGzip ? [("Content-Encoding", "gzip")] : []
                return (search.name, Response(headers: fields + coding, body: search.answer))
            }, uniquingKeysWith: { $1 })
    }

    func reply(to request: Request, on shard: Shard) -> Reply {
        .now(request.target.query["q"].flatMap { answers[$0] } ?? Response(status: .notFound))
    }

    func refusal(of failure: RequestFailure, to request: RefusedRequest, on shard: Shard) -> Response {
        Response(status: failure.status)
    }
}
