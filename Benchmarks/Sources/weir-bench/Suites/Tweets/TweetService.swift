import EventLoop
import Foundation
import HTTPCore
import HTTPServer

/// The service with tweets, whose upstream answers searches.
struct TweetService {
    let service: ServiceInProcess

    init(_ searches: [TweetSearch]) throws {
        setenv("WEIR_BENCH_KEY", "-", 1)
        service = try ServiceInProcess(upstream: SearchUpstream(searches)) { address in
            """
            {"listen": "127.0.0.1:0", "shards": 1, "cache": {"maximumBytes": 0}, "server": {"accessLog": {"format": "none"}},
             "upstreams": [{"name": "source", "dialect": "twitter", "baseURL": "http://\(address)",
                            "key": {"environment": "WEIR_BENCH_KEY"}}],
             "tweets": {"upstreams": ["source"]}}
            """
        }
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

    func reply(to request: Request, from source: RequestSource, on shard: Shard) -> Reply {
        .now(request.target.query["q"].flatMap { answers[$0] } ?? Response(status: .notFound))
    }

    func refusal(of failure: RequestFailure, to request: RefusedRequest, on shard: Shard) -> Response {
        Response(status: failure.status)
    }
}
