import API
import Proxy
import EventLoop
import HTTPCore
import HTTPServer
import Synchronization
import Operations

/// Finds the route of a request; all routes take OPTIONS beside the methods of their descriptions.
///
/// A class, because each request holds it.
final class Router: Sendable {
    /// A route with its label; a class, because each request holds it.
    private final class Entry: Sendable {
        let route: Route
        let label: RouteLabel?
        /// Whether records of exchanges get the paths of its requests.
        let notesPath: Bool
        let isForOperators: Bool
        /// The limits of its clients; nil without any.
        let limits: RouteLimits?

        init(_ route: Route, _ label: RouteLabel?, notesPath: Bool, _ limits: RouteLimits?) {
            (self.route, self.label, self.notesPath) = (route, label, notesPath)
            isForOperators = route.description.isForOperators
            self.limits = isForOperators ? nil : limits
        }
    }

    private let tree: RouteTree
    private let entries: [Entry]
    /// The cache that may have answers; nil without one.
    private let cache: DocumentCache?
    private let examples: String
    private let crossOrigin: CrossOrigin?
    private let access: OperationsAccess
    /// The limits of requests without a route; nil without any.
    private let limits: RouteLimits?
    /// The number of the router in this process.
    private let edition: Int

    private static let editions = Atomic(0)

    /// A router for `routes`, which are counted under `labels`; a 404 suggests the examples of some of them.
    ///
    /// With `notesPaths`, the records of exchanges get the paths of requests. A proxy serves the routes below `pathPrefix`.
    init(
        _ routes: [Route], labels: RouteLabels, cache: DocumentCache? = nil, crossOrigin: CrossOrigin? = nil,
        access: OperationsAccess = OperationsAccess(), notesPaths: Bool = false, pathPrefix: String = "",
        limits: (_ template: String?) -> RouteLimits? = { _ in nil }
    ) {
        var tree = RouteTree(), entries: [Entry] = []
        for route in routes {
            let description = route.description
            let label = labels.label(
                description.name, description.template.text, isProbe: description.isProbe)
            tree.insert(description.template, ownsPrefix: description.ownsPrefix, entries.count)
            entries.append(
                Entry(
                    route, label, notesPath: notesPaths && !description.hidesPath, limits(description.template.text)))
        }
        (self.tree, self.entries, self.cache, self.crossOrigin) = (tree, entries, cache, crossOrigin)
        (self.access, self.limits) = (access, limits(nil))
        examples = routes.filter(\.description.isExample).map { pathPrefix + $0.description.example }.joined(
            separator: ", ")
        edition = Self.editions.add(1, ordering: .relaxed).newValue
    }

    /// Returns the reply; `telemetry` makes the ids of the request.
    func reply(
        to request: Request, from source: RequestSource, on context: ShardContext, _ telemetry: ShardTelemetry
    ) -> Reply {
        let path = RoutePath(request.target)
        var note = ExchangeNote()
        guard let entry = tree.find(path).map({ entries[$0] }) else {
            telemetry.identify(&note, request.headers)
            let refusal = limits?.refusal(of: request, from: source, at: context.shard.now)
            return finish(refusal?.response ?? unmatched(request, path), request, note)
        }
        let route = entry.route
        note.route = entry.label?.number
        if entry.isForOperators, let refusal = access.refusal(of: request) {
            return finish(route.problem(refusal), request, note)
        }
        if route.description.isProbe { return probe(request, path, entry, context, note) }
        if entry.notesPath { note.path = request.target.rawPathBytes }
        telemetry.identify(&note, request.headers)
        if let refusal = entry.limits?.refusal(of: request, from: source, at: context.shard.now) {
            return finish(route.problem(refusal), request, note)
        }
        if path.hasDotSegments { return finish(route.problem(.dotSegments), request, note) }
        guard route.description.takes(request.method) else {
            return finish(refusal(of: request, by: route), request, note)
        }
        if let end = entry.label?.shedEnd.load(ordering: .relaxed), end > 0 {
            let left = MonotonicTime(nanoseconds: end) - context.clock.now()
            let seconds = max(1, Int((left / .seconds(1)).rounded(.up)))
            let problem = Problem(.overloaded, "An operator sheds this route for a while.", retryAfter: seconds)
            return finish(route.problem(problem), request, note)
        }
        if let cache, let hit = context.hit(request, in: cache, edition) {
            hit.answer.describe(in: &note)
            return .now(response(hit, request, route, context, note))
        }
        let tries = note.tries ?? UpstreamTries(isTraced: telemetry.tracer != nil)
        note.tries = tries
        let call = Route.Call(
            request, path, route, entry.label, context, trace: note.trace, edition: edition, tries, from: source,
            miss: entry.limits?.miss(of: request, from: source))
        return answer(call, route, note)
    }

    /// Answers at once, with nothing that a probe does not need.
    private func probe(
        _ request: Request, _ path: RoutePath, _ entry: Entry, _ context: ShardContext, _ note: ExchangeNote
    ) -> Reply {
        let route = entry.route
        @Sendable func finished(_ response: Response) -> Response {
            var response = response
            response.note = note
            crossOrigin?.admit(&response, request.headers)
            return response
        }
        guard route.description.takes(request.method) else {
            return .now(finished(refusal(of: request, by: route)))
        }
        switch route.answer(Route.Call(request, path, route, entry.label, context, trace: nil, edition: edition)) {
        case .now(let response): return .now(finished(response))
        case .later(let work, _):
            return .later({ finished(await work().negotiated(for: request.headers)) }, note: note)
        case .streamed(let response, let next): return .streamed(finished(response), next: next)
        }
    }

    private func answer(_ call: Route.Call, _ route: Route, _ note: ExchangeNote) -> Reply {
        let (request, clock) = (call.request, call.context.clock)
        switch route.answer(call) {
        case .now(let response): return finish(response, request, note)
        case .later(let work, _):
            let start = clock.now()
            let respond: @Sendable () async -> Response = { [self] in
                var response = identified(await work(), note)
                call.client.miss?.end()
                let milliseconds = Double(Int((clock.now() - start) / .microseconds(1))) / 1000
                response.headers.append(("Server-Timing", "total;dur=\(milliseconds)"))
                crossOrigin?.admit(&response, request.headers)
                // A document has its tag already, and its body is compressed once for all clients.
                if response.headers.contains(where: { $0.name == "ETag" }) { return response }
                return await response.negotiated(for: request.headers)
            }
            return .later(respond, note: note)
        case .streamed(let response, let next):
            var response = identified(response, note)
            crossOrigin?.admit(&response, request.headers)
            return .streamed(response, next: next)
        }
    }

    /// Returns an answer of the cache with the fields that differ from request to request.
    private func response(
        _ hit: Hit, _ request: Request, _ route: Route, _ context: ShardContext, _ note: ExchangeNote
    ) -> Response {
        var response = hit.isKnown ? hit.answer.notModified : hit.answer.response
        (response.note, response.age) = (note, hit.age)
        if let fields = route.fieldsOfHits?(context) { response.headers = fields }
        if note.requestID != nil { response.addIdentifier(note) } else { response.identifier = note.trace?.traceID }
        crossOrigin?.admit(&response, request.headers)
        return response
    }

    /// Completes a response that is ready, unless it is to be compressed.
    private func finish(_ response: Response, _ request: Request, _ note: ExchangeNote) -> Reply {
        var response = identified(response, note)
        crossOrigin?.admit(&response, request.headers)
        let representation = Representation(of: response)
        let selection = representation.selection(for: request.headers)
        if selection.coding != nil {
            let plain = response
            return .later({ await plain.negotiated(for: request.headers) }, note: note)
        }
        response.send(selection, of: representation)
        return .now(response)
    }

    /// Returns a response with what the router knows of the exchange.
    private func identified(_ response: Response, _ note: ExchangeNote) -> Response {
        var response = response
        (response.note.route, response.note.path) = (note.route, note.path)
        (response.note.trace, response.note.requestID, response.note.tries) = (note.trace, note.requestID, note.tries)
        response.addIdentifier(note)
        return response
    }

    /// Returns the response to a request that the server refuses, with what is known of it.
    func refusal(
        of failure: RequestFailure, to request: RefusedRequest, _ telemetry: ShardTelemetry
    ) -> Response {
        var note = ExchangeNote()
        if let target = request.target {
            let entry = tree.find(RoutePath(target)).map { entries[$0] }
            note.route = entry?.label?.number
            if entry?.notesPath == true { note.path = target.rawPathBytes }
        }
        telemetry.identify(&note, request.headers)
        var response = identified(Problem.refused(failure).response, note)
        crossOrigin?.admit(&response, request.headers)
        return response
    }

    /// The descriptions of the routes for clients.
    var ofClients: [RouteDescription] { entries.filter { !$0.isForOperators }.map(\.route.description) }

    /// Returns the keys of the documents that a client's request for `target` can have.
    func keys(of target: String, on context: ShardContext) async throws(Problem) -> Set<DocumentKey> {
        let keys = FollowedKeys(), trace = FetchTrace(following: keys), parsed: RequestTarget
        do { parsed = try RequestTarget(target) } catch { throw .refused(error) }
        if case .later(let work, _)? = reply(to: parsed, trace, on: context) {
            _ = await work()
            return keys.all
        }
        throw Problem(.notFound, "No route with documents answers \(Quotation.quote(target)). Try \(examples).")
    }

    /// Returns the response to a request that documents of snapshots answer; nil if no route with documents takes the request.
    func response(
        to target: String, replaying replayed: ReplayedRequest, on context: ShardContext
    ) async -> Response? {
        guard let target = try? RequestTarget(target) else { return nil }
        switch reply(to: target, FetchTrace(replaying: replayed), on: context) {
        case .now(let response)?: return response
        case .later(let work, _)?: return await work()
        case .streamed?, nil: return nil
        }
    }

    /// Returns the reply of a route with documents to a request that asks no upstream.
    private func reply(to target: RequestTarget, _ trace: FetchTrace, on context: ShardContext) -> Reply? {
        let request = Request(target: target), path = RoutePath(target)
        guard let entry = tree.find(path).map({ entries[$0] }), entry.route.description.source == .documents else {
            return nil
        }
        return entry.route.answer(Route.Call(request, path, entry.route, entry.label, context, trace))
    }

    /// Whether the request is for a route that serves monitoring.
    func isProbe(_ request: Request) -> Bool {
        tree.find(RoutePath(request.target)).map { entries[$0].route.description.isProbe } ?? false
    }

    /// Returns the response for a path without a route, or for `OPTIONS *`.
    private func unmatched(_ request: Request, _ path: RoutePath) -> Response {
        if request.method == .options, path.bytes.elementsEqual("*".utf8) { return options(request) }
        return path.hasDotSegments ? Problem.dotSegments.response : Problem.notFound(tryInstead: examples).response
    }

    /// Returns the answer to a method that the route does not take: to OPTIONS its methods.
    private func refusal(of request: Request, by route: Route) -> Response {
        let description = route.description
        if request.method == .options { return options(request, description.allow) }
        return route.problem(.methodNotAllowed(request.method, by: description))
    }

    private func options(_ request: Request, _ allow: String = Problem.methods) -> Response {
        var response = Response(status: .noContent, headers: [("Allow", allow)])
        crossOrigin?.preflight(&response, request.headers)
        return response
    }
}

extension Response {
    /// Adds the id of the request.
    fileprivate mutating func addIdentifier(_ note: ExchangeNote) {
        if let identifier = note.requestID ?? note.trace?.traceIDText { headers.append(("X-Request-Id", identifier)) }
    }
}
