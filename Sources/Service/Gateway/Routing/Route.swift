import API
import Proxy
import EventLoop
import HTTPCore
import HTTPServer
import Operations

/// A route, and the function that answers its requests.
///
/// A class, because each request holds it.
final class Route: Sendable {
    struct Call: Sendable {
        let client: ClientCall
        /// Who has sent the request; nil for a probe, and for a request that asks no upstream.
        let source: RequestSource?
        private let path: RoutePath
        private let route: Route

        init(
            _ request: Request, _ path: RoutePath, _ route: Route, _ label: RouteLabel?, _ context: ShardContext,
            trace: TraceContext?, edition: Int, _ tries: UpstreamTries = UpstreamTries(),
            from source: RequestSource? = nil, miss: ClientMiss? = nil
        ) {
            client = ClientCall(
                request, label, context, trace: trace, edition: edition, FetchTrace(tries), miss: miss,
                origins: route.origins)
            (self.path, self.route, self.source) = (path, route, source)
        }

        /// A call that asks no upstream, with a trace that follows keys of documents or replays documents.
        init(
            _ request: Request, _ path: RoutePath, _ route: Route, _ label: RouteLabel?, _ context: ShardContext,
            _ trace: FetchTrace
        ) {
            client = ClientCall(request, label, context, trace: nil, edition: 0, trace)
            (self.path, self.route, source) = (path, route, nil)
        }

        var request: Request { client.request }
        var context: ShardContext { client.context }

        /// The decoded segments of the path.
        var segments: [String] { path.segments }

        /// The parameters in the query, the path and the head.
        var parameters: Parameters {
            var values: [(name: String, value: String)] = []
            if !route.pathNames.isEmpty {
                values = zip(route.pathNames, route.description.template.values(in: path)).map { ($0, $1) }
            }
            for name in route.fieldNames { values += request.headers.values(name).map { (name, $0) } }
            return Parameters(
                request.target.query, values: values, names: route.queryNames, takesOthers: route.takesOthers)
        }
    }

    let description: RouteDescription
    /// Makes the response for a problem, in the form that the route's clients expect.
    let problem: @Sendable (Problem) -> Response
    let answer: @Sendable (Call) -> Reply
    /// Makes the fields of an answer from the cache that differ from request to request; nil if there are none.
    let fieldsOfHits: (@Sendable (ShardContext) -> [(name: String, value: String)])?
    // Of the description, which is too large to be copied for each request.
    private let queryNames: [String], pathNames: [String], fieldNames: [String]
    private let takesOthers: Bool
    /// The rule for requests in records of documents; nil for a route without documents.
    private let origins: OriginRule?

    init(
        _ description: RouteDescription, problem: @escaping @Sendable (Problem) -> Response = { $0.response },
        fieldsOfHits: (@Sendable (ShardContext) -> [(name: String, value: String)])? = nil,
        answer: @escaping @Sendable (Call) -> Reply
    ) {
        self.description = description
        (self.problem, self.fieldsOfHits, self.answer) = (problem, fieldsOfHits, answer)
        func names(_ location: ParameterSpec.Location) -> [String] {
            description.parameters.filter { $0.location == location }.map(\.name)
        }
        (queryNames, fieldNames, pathNames) = (names(.query), names(.header), description.template.parameters)
        takesOthers = description.takesOtherParameters
        origins = description.source == .documents ? OriginRule(description) : nil
    }

    /// A route that reads a call synchronously and responds asynchronously; both functions may throw a problem.
    convenience init<Question: Sendable>(
        _ description: RouteDescription, problem: @escaping @Sendable (Problem) -> Response = { $0.response },
        read: @escaping @Sendable (Call) throws(Problem) -> Question,
        respond: @escaping @Sendable (Question, Call) async throws(Problem) -> Response
    ) {
        self.init(description, problem: problem) { call in
            do throws(Problem) {
                let question = try read(call)
                return .later {
                    do throws(Problem) {
                        return try await respond(question, call)
                    } catch {
                        var response = problem(error)
                        error.cacheNote?.add(to: &response)
                        return response
                    }
                }
            } catch {
                return .now(problem(error))
            }
        }
    }
}

/// An answer that is the same for all clients, with its validators; the content is compressed once.
struct FixedAnswer: Sendable {
    private let response: Response
    private let representation: Representation
    private let coded: [ContentCoding: [UInt8]]

    init(_ content: [UInt8], _ headers: [(name: String, value: String)]) {
        response = Response(headers: headers, body: content)
        representation = Representation(content, lastModified: nil)
        coded = [.gzip: Compression.compress(content, .gzip), .brotli: Compression.compress(content, .brotli)]
            .compactMapValues(\.self)
    }

    /// Returns the reply to a client: a 304, or the content in the coding that the client prefers.
    func reply(to request: Request) -> Reply {
        let selection = representation.selection(for: request.headers)
        var ready = response
        ready.send(selection, of: representation, codedBody: selection.coding.flatMap { coded[$0] })
        let answer = ready
        return .later { answer }
    }
}
