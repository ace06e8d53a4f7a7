import CivilDates
import HTTPCore

/// A shared cache between a client and an upstream, whose every decision is one of `CachedResponse`.
///
/// It stands for the service: GET and HEAD use one store, and since the service neither changes documents at an upstream nor
/// fetches parts of them, other methods pass through and Range is ignored.
final class SuiteCache {
    /// A stored response with its document.
    private struct Entry {
        var response: CachedResponse
        var fields: HeaderFields
        let body: String
    }

    /// Fields of one connection, which are not stored (RFC 9111 §3.1).
    private static let connectionFields = [
        "connection", "keep-alive", "proxy-authenticate", "proxy-authentication-info", "proxy-authorization",
        "proxy-connection", "te", "transfer-encoding", "upgrade",
    ]
    /// Fields that describe the stored content, which a 304 does not change (§3.2).
    private static let contentFields = ["content-encoding", "content-length", "content-range", "content-type"]
    private static let conditions = ["if-none-match", "if-modified-since"]

    private let policy: CachePolicy?
    private let clock: CachedService.Hands
    private let upstream: SuiteUpstream
    private var entries: [String: [Entry]] = [:]

    /// Without a policy every request goes upstream as it is.
    init(_ policy: CachePolicy?, _ clock: CachedService.Hands, _ upstream: SuiteUpstream) {
        (self.policy, self.clock, self.upstream) = (policy, clock, upstream)
    }

    /// Answers a request from the store or with the upstream's help.
    func answer(_ request: SuiteRequest) -> SuiteResponse {
        guard let policy else { return upstream.answer(request) ?? Self.failure(502) }
        if request.method == "HEAD" {
            var answer = answer(SuiteRequest(method: "GET", target: request.target, fields: request.fields))
            answer.body = ""
            return answer
        }
        guard request.method == "GET" else { return forward(request) ?? Self.failure(502) }
        let client = policy.directives(of: request.fields)
        guard let stored = entries[request.target]?.last(where: { $0.response.matches(request.fields) }) else {
            return client.isOnlyIfCached ? Self.failure(504) : fetch(request, client, nil, policy)
        }
        switch stored.response.decision(for: client, at: clock.now) {
        case .fresh: return answer(request, from: stored)
        case .staleWhileRevalidate:
            let answer = answer(request, from: stored)
            // In the service this is a task of its own, for which nobody waits.
            _ = fetch(request, client, stored, policy)
            return answer
        case .mustValidate: return client.isOnlyIfCached ? Self.failure(504) : fetch(request, client, stored, policy)
        }
    }

    private static func failure(_ status: Int) -> SuiteResponse {
        SuiteResponse(status: status, fields: HeaderFields())
    }

    /// Asks the upstream, with the conditions of the stored response, and stores what it answers.
    private func fetch(
        _ request: SuiteRequest, _ client: ClientDirectives, _ stored: Entry?, _ policy: CachePolicy
    ) -> SuiteResponse {
        let sent = clock.now
        let conditions = stored?.response.validators?.conditions ?? []
        let response = forward(request, conditions)
        if let stored, response == nil || (500..<600).contains(response?.status ?? 0),
            stored.response.mayServe(afterErrorAt: clock.now)
        {
            return answer(request, from: stored)
        }
        guard let response else { return Self.failure(502) }
        if response.status == 304, let stored {
            let update = stored.response.updated(
                by: response.fields, request: request.fields, requestTime: sent, responseTime: clock.now, policy: policy
            )
            guard let update else { return fetch(request, client, nil, policy) }
            let newer = Self.pairs(response.fields, without: Self.contentFields)
            let entry = Entry(
                response: update, fields: stored.fields.replacing(with: HeaderFields(newer)), body: stored.body)
            keep(entry, request)
            return answer(request, from: entry)
        }
        let cached = CachedResponse(
            status: Status(response.status), headers: response.fields, request: request.fields, requestTime: sent,
            responseTime: clock.now, policy: policy)
        guard let cached, response.status < 600, !client.forbidsStoring else { return response }
        let entry = Entry(response: cached, fields: response.fields, body: response.body)
        keep(entry, request)
        return answer(request, from: entry)
    }

    /// Sends a request upstream, with these conditions in place of the client's.
    private func forward(_ request: SuiteRequest, _ conditions: [(name: String, value: String)] = []) -> SuiteResponse?
    {
        let fields = Self.pairs(request.fields, without: Self.conditions) + conditions
        let outgoing = SuiteRequest(method: request.method, target: request.target, fields: HeaderFields(fields))
        guard var response = upstream.answer(outgoing) else { return nil }
        let listed = response.fields.values("Connection").joined(separator: ",").lowercased()
        let names = listed.split(separator: ",").map { $0.filter { $0 != " " } }
        response.fields = HeaderFields(Self.pairs(response.fields, without: Self.connectionFields + names))
        return response
    }

    private func keep(_ entry: Entry, _ request: SuiteRequest) {
        entries[request.target, default: []].removeAll { $0.response.matches(request.fields) }
        entries[request.target, default: []].append(entry)
    }

    /// The answer from a stored response: a 304 if the client has this version.
    private func answer(_ request: SuiteRequest, from entry: Entry) -> SuiteResponse {
        let age = entry.response.age(at: clock.now)
        let fields = Self.pairs(entry.fields, without: ["age"]) + (age > 0 ? [("Age", String(age))] : [])
        let validators = entry.response.validators
        let changed = validators?.lastModified.flatMap { HTTPDate.parse($0) }
        if entry.response.status == .ok, request.fields.hasVersion(validators?.entityTag, changed: changed) {
            return SuiteResponse(status: 304, fields: HeaderFields(fields))
        }
        return SuiteResponse(status: entry.response.status.code, fields: HeaderFields(fields), body: entry.body)
    }

    private static func pairs(_ fields: HeaderFields, without names: [String]) -> [(name: String, value: String)] {
        fields.pairs.filter { !names.contains($0.name.lowercased()) }
    }
}
