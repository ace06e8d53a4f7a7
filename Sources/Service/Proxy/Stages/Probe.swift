import EventLoop
import HTTPClient
import HTTPCore
import Operations

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
        let request = DocumentRequest(to: self, .probe, target: probeTarget, policy: nil, errors: .none) { _, _ in
            .formless
        }
        let fetch = Fetch(request, in: context).with(Attempt(isExtra: true))
        let start = context.now
        var failure: FetchFailure?
        do throws(FetchFailure) { _ = try await Next(Stage.ofProbes)(fetch) } catch { failure = error }
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

/// The stages that end a probe.
enum ProbeStages {
    /// Takes any answer without an error, a redirect included.
    static nonisolated(nonsending) func redirect(_ fetch: Fetch, _ next: Next) async throws(FetchFailure) -> Answer {
        do throws(FetchFailure) {
            return try await next(fetch)
        } catch {
            if case .transfer(.redirect) = error { return fetch.emptyAnswer }
            throw error
        }
    }

    /// Takes the status of the response, without reading the body.
    static nonisolated(nonsending) func answer(_ fetch: Fetch, _ next: Next) async throws(FetchFailure) -> Answer {
        guard let status = fetch.attempt.response?.status, status >= 400 else { return fetch.emptyAnswer }
        throw .status(status, meaning: nil, message: nil, retryAfter: nil)
    }
}

extension Fetch {
    fileprivate var emptyAnswer: Answer {
        let content = DocumentContent(IncomingResponse(), isKept: false)
        return Answer(CachedDocument(request.key, content, nil, nil), of: upstream)
    }
}

/// Asks upstreams that no client has asked for a while, until `cancel`.
package final class IdleProbes: Sendable {
    private let tasks: [Task<Void, Never>]

    /// Probes of `upstreams`, at their intervals, on the shard of `context`.
    package init(_ upstreams: [Upstream], on context: ShardContext) {
        tasks = upstreams.map { upstream in
            Task(executorPreference: context.shard) {
                var wait = upstream.probeInterval
                // A cancelled sleep is the end.
                while (try? await Task.sleep(for: wait)) != nil {
                    let now = context.clock.now(), idle = now - upstream.state.lastUse
                    wait = upstream.probeInterval
                    if idle < wait {
                        wait -= idle
                    } else {
                        await upstream.probeIdle(
                            in: FetchContext(
                                client: context.client, shard: context.shard, clock: context.clock,
                                end: now + upstream.deadline))
                    }
                }
            }
        }
    }

    package func cancel() { for task in tasks { task.cancel() } }
}
