import HTTPClient
import EventLoop
import HTTPCore
import Telemetry

/// Notes each try, for the log, the metrics and the record of the exchange.
struct TryStage: FetchStage {
    nonisolated(nonsending) func run(_ fetch: Fetch, _ next: Next) async throws(FetchFailure) -> FoundDocument {
        // The client has left: no log line would have the try.
        if Task.isCancelled { throw .transfer(.cancelled) }
        let (tries, kind, attempt) = (fetch.context.tries, fetch.kind.name, fetch.attempt)
        let (name, now, start) = (fetch.upstream.name, fetch.context.clock.now, fetch.context.now)
        let describe: @Sendable (String, String?) -> UpstreamTry = { result, url in
            let record = attempt.record
            return UpstreamTry(
                upstream: name, requests: kind, result: result, milliseconds: (now() - start).wholeMilliseconds,
                bytes: record.bytes, sent: record.sent, isReused: record.isReused, url: url)
        }
        let id = tries.begin { describe("under way", nil) }
        var fetch = fetch
        fetch.end = min(fetch.context.end, start + fetch.upstream.deadline)
        do throws(FetchFailure) {
            let found = try await next(fetch)
            let failure = found.document.failure
            let status = "\(attempt.record.status ?? 200)"
            tries.end(id, describe(failure?.result ?? status, nil))
            fetch.kindState.noteTry(failure?.label ?? status)
            return found
        } catch {
            let scrubber = attempt.record.access?.scrubber ?? fetch.upstream.credentials.current.scrubber
            let url = error.wasForwarded ? fetch.upstream.shownURL(of: fetch.order.target, scrubber) : nil
            tries.end(id, describe(error.result, url))
            fetch.kindState.noteTry(error.label)
            throw error
        }
    }
}
