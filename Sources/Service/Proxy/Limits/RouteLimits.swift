package import API
package import EventLoop
package import HTTPCore
import Settings
import Synchronization

/// The limits of clients whose requests to one route count.
package final class RouteLimits: Sendable {
    private let limits: [ClientLimit], hasMisses: Bool
    private let credentials: [CredentialPlace]
    /// The template of the route, for the log.
    private let route: String

    /// Those of `all` whose requests to the route with this template, or without a route, count; nil if there are none.
    package init?(_ all: [ClientLimit], of template: String?, _ credentials: [CredentialPlace] = []) {
        limits = all.filter { $0.settings.counts(template) }
        if limits.isEmpty { return nil }
        (self.credentials, route) = (credentials, template ?? "")
        hasMisses = limits.contains(where: \.hasMisses)
    }

    /// Counts a request for each limit, in their order; returns the problem of the first that refuses it.
    package func refusal(of request: Request, from source: RequestSource, at now: MonotonicTime) -> Problem? {
        let request = LimitedRequest(request: request, source: source, credentials: credentials, route: route)
        for (index, limit) in limits.enumerated() {
            guard let problem = limit.take(limit.client(of: request), request, at: now) else { continue }
            for limit in limits[..<index] { limit.giveBack(1, limit.client(of: request)) }
            return problem
        }
        return nil
    }

    /// Returns what the request pays if the cache does not answer it; nil if it pays nothing.
    package func miss(of request: Request, from source: RequestSource) -> ClientMiss? {
        guard hasMisses else { return nil }
        let request = LimitedRequest(request: request, source: source, credentials: credentials, route: route)
        return ClientMiss(limits.map { ($0, $0.client(of: request)) }, request)
    }
}

/// The price of a request that asks an upstream: the client pays once, for however many documents.
package final class ClientMiss: Sendable {
    private enum State {
        case none, begun, ended
        case refused(Problem)
    }

    private let clients: [(limit: ClientLimit, client: UInt64)]
    private let request: LimitedRequest
    private let state = Mutex(State.none)

    fileprivate init(_ clients: [(limit: ClientLimit, client: UInt64)], _ request: LimitedRequest) {
        (self.clients, self.request) = (clients, request)
    }

    /// Pays, unless that has happened; returns the problem if a limit refuses the request.
    func begin(at now: MonotonicTime) -> Problem? {
        state.withLock { state in
            if case .refused(let problem) = state { return problem }
            guard case .none = state else { return nil }
            for (index, (limit, client)) in clients.enumerated() {
                guard let problem = limit.takeMiss(client, request, at: now) else { continue }
                for (place, (limit, client)) in clients.enumerated() {
                    // Each limit has counted the request itself.
                    limit.giveBack(1 + (place < index ? limit.settings.missCost : 0), client)
                    if place < index { limit.end(client) }
                }
                state = .refused(problem)
                return problem
            }
            state = .begun
            return nil
        }
    }

    /// Ends what `begin` has begun, when the answer is there or the client has gone.
    package func end() {
        let hasBegun = state.withLock { state in
            defer { state = .ended }
            if case .begun = state { return true }
            return false
        }
        if hasBegun { for (limit, client) in clients { limit.end(client) } }
    }
}
