import EventLoop
import Foundation
import HTTPCore
import HTTPServer

/// Measures the longest turn of the service's event loop while configured routes have work that is dearer than their documents
/// are long.
struct TurnContest {
    /// An answer of a route, and the document of less than 64 KiB that it is made of.
    private struct Case {
        let name: String
        let answer: String
        let document: String
    }

    private static let numbers = #"{"xs":[\#(repeated("1", 30_000))]}"#
    private static let texts = #"{"t":"\#(String(repeating: "é", count: 15_000))","xs":[\#(repeated("1", 15_000))]}"#
    private static let words = #"{"ts":[\#(repeated(#""xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx!""#, 1800))]}"#
    private static let members =
        #"{"o":{\#((0..<3000).map { #""k\#($0)":"\#($0)""# }.joined(separator: ","))},"xs":[\#(repeated("1", 10_000))]}"#

    private static let cases = [
        Case(name: "sums", answer: #""map(&sum($.xs), xs)""#, document: numbers),
        Case(name: "sorts", answer: #""map(&sort($.xs), xs)""#, document: numbers),
        Case(name: "flattening", answer: #""xs[].[$.xs[]]""#, document: numbers),
        Case(name: "padding", answer: #""map(&pad_right('x', `100000`), xs)""#, document: numbers),
        Case(name: "onePadding", answer: #""pad_left('x', `30000000`)""#, document: "{}"),
        Case(name: "texts", answer: #""map(&replace($.t, 'é', 'x'), xs)""#, document: texts),
        Case(name: "comparisons", answer: #""map(&($.t < to_string($.t)), xs)""#, document: texts),
        Case(name: "groups", answer: #""map(&length(group_by(values($.o), &to_string(@))), xs)""#, document: members),
        Case(
            name: "items", answer: #"{"from": "xs", "items": {"from": "$.xs", "items": {"properties": {"a": "a.b"}}}}"#,
            document: numbers),
        Case(
            name: "pattern",
            answer: #"{"from": "xs", "items": {"from": "$.t", "type": "string", "pattern": "(é+é+)+$."}}"#,
            document: texts),
        Case(
            name: "patterns", answer: #"{"from": "ts", "items": {"type": "string", "pattern": "^(x+x+)+$"}}"#,
            document: words),
        Case(
            name: "choices",
            answer: #"{"from": "ts", "items": {"enum": [\#(repeated(#"{"a":[1,2,3]}"#, 2000))]}}"#, document: words),
    ]

    private static func repeated(_ text: String, _ count: Int) -> String {
        Array(repeating: text, count: count).joined(separator: ",")
    }

    private let service: ServiceInProcess

    init() throws {
        let documents = Dictionary(uniqueKeysWithValues: Self.cases.map { ("/\($0.name)", $0.document) })
        let routes = Self.cases.map { one in
            #"{"path": "/\#(one.name)", "fetch": {"upstream": "up", "path": "/\#(one.name)"}, "answer": \#(one.answer), "#
                + #""cache": {"defaultSeconds": 0, "staleIfErrorSeconds": 0}}"#
        }
        service = try ServiceInProcess(upstream: DocumentUpstream(documents: documents)) { address in
            """
            {"listen": "127.0.0.1:0", "shards": 1, "server": {"accessLog": {"format": "none"}},
             "fetching": {"deadlineMilliseconds": 300},
             "upstreams": [{"name": "up", "baseURL": "http://\(address)", "retryPercent": 0}],
             "routes": [\(routes.joined(separator: ", "))]}
            """
        }
    }

    /// Requests every route for its share of `seconds`, at least thrice, and returns the longest turn in milliseconds of
    /// processor time.
    func run(seconds: Double) throws -> Double {
        let probe = LoopProbe(service.loop)
        var longest = 0.0
        for one in Self.cases {
            guard let connection = service.connection() else { throw NoAnswer() }
            let end = Date(timeIntervalSinceNow: seconds / Double(Self.cases.count))
            var count = 0
            let held = try probe.longest {
                while count < 3 || Date() < end {
                    guard connection.get(target: "/\(one.name)") != nil else { throw NoAnswer() }
                    count += 1
                }
            }
            Terminal.say(
                "routes.turn: \(one.name), \(count) answers: \(Figure.text(held.processor)) ms of processor time")
            longest = max(longest, held.processor)
        }
        return longest
    }

    /// The service did not answer.
    struct NoAnswer: Error, CustomStringConvertible {
        var description: String { "the service did not answer" }
    }
}

/// The upstream, which answers each path with its document.
private struct DocumentUpstream: RequestHandler {
    let documents: [String: String]

    func reply(to request: Request, from source: RequestSource, on shard: Shard) -> Reply {
        let document = documents[request.target.path].map { Array($0.utf8) }
        return .now(Response(headers: [("Content-Type", "application/json")], body: document ?? []))
    }

    func refusal(of failure: RequestFailure, to request: RefusedRequest, on shard: Shard) -> Response {
        Response(status: failure.status)
    }
}
