import EventLoop
import HTTPClient
import HTTPCore
import Telemetry

/// How a probe of an upstream has ended.
package struct ProbeResult: Sendable {
    /// Nil if the upstream answered without an error.
    package let failure: FetchFailure?
    /// The status of the answer; nil without one.
    package let status: Int?
    package let milliseconds: Int

    /// Whether the upstream cannot be reached, or refuses the key.
    package var isUnusable: Bool {
        switch failure {
        case .status(let status, _, _, _): status == 401 || status == 403
        case .transfer, .token: true
        default: false
        }
    }
}

extension Upstream {
    /// Asks the upstream once, through the stages of a client's request, so that quota, breaker and metrics count the probe.
    package nonisolated(nonsending) func probe(in context: FetchContext) async -> ProbeResult {
        let order = Fetch.Order(
            self, .probe, target: probeTarget, policy: nil, directives: .none,
            errors: ErrorReader(explain: { _ in (nil, nil) })
        ) { response, _ in DocumentContent(response, isKept: false) }
        var fetch = Fetch(order, in: context)
        fetch.attempt = Attempt(isExtra: true)
        let start = context.now
        var failure: FetchFailure?
        do throws(FetchFailure) { _ = try await Next(FetchStages.ofProbes)(fetch) } catch { failure = error }
        return ProbeResult(
            failure: failure, status: fetch.attempt.record.status,
            milliseconds: (context.now - start).wholeMilliseconds)
    }

    /// Asks the upstream in place of clients, and writes a line when the result is another one than before.
    nonisolated(nonsending) func probeIdle(in context: FetchContext) async {
        let result = await probe(in: context)
        if let failure = result.failure, !failure.wasForwarded { return }
        let failure = result.failure.flatMap { $0.isOfUpstream ? $0 : nil }
        guard state.noteProbe(failure?.label ?? "success") else { return }
        log.probed(failure)
    }
}

/// Ends a probe: any answer without an error will do, a redirect included.
struct ProbeStage: FetchStage {
    nonisolated(nonsending) func run(_ fetch: Fetch, _ next: Next) async throws(FetchFailure) -> FoundDocument {
        do throws(FetchFailure) {
            return try await next(fetch)
        } catch {
            if case .transfer(.redirect) = error { return fetch.emptyDocument }
            throw error
        }
    }
}

/// Takes the status of the response to a probe, without reading the body.
struct ProbeAnswerStage: FetchStage {
    nonisolated(nonsending) func run(_ fetch: Fetch, _ next: Next) async throws(FetchFailure) -> FoundDocument {
        guard let status = fetch.response?.status, status >= 400 else { return fetch.emptyDocument }
        throw .status(status, meaning: nil, message: nil, retryAfter: nil)
    }
}

extension Fetch {
    fileprivate var emptyDocument: FoundDocument {
        let content = DocumentContent(IncomingResponse(), isKept: false)
        return FoundDocument(document: CachedDocument(order.key, content, nil, nil))
    }
}
