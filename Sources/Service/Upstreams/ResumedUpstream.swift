package import Records
import Telemetry

/// The pauses and breakers of an upstream that an operator has ended.
package struct ResumedUpstream: Record {
    /// A pause that has ended before its time.
    package struct Pause: Record {
        var requests = "", cause = "", until = ""

        package init() {}

        package static let schema = Schema<Pause> {
            Field(\.requests, .note("The kind of requests that were not made."))
            Field(\.cause, .note("`quota`, `rateLimit` (429) or `outage` (503)."))
            Field(\.until, .note("The end that the pause would have had."))
        }
    }

    package var upstream = "", pauses: [Pause] = [], breakers: [String] = []

    package init() {}

    package static let schema = Schema<ResumedUpstream> {
        Field(\.upstream, .note("The name of the upstream."))
        Field(\.pauses, .note("The pauses that have ended."))
        Field(\.breakers, .note("The kinds of requests whose circuit breakers were open."))
    }
}

extension UpstreamRegistry {
    /// Ends the pauses of an upstream and closes its breakers, and returns what was cleared; nil for an unknown upstream.
    ///
    /// The count of a configured quota stays.
    package func resume(_ name: String) -> ResumedUpstream? {
        guard let state = allStates.first(where: { $0.name == name })?.state else { return nil }
        let (pauses, closed) = state.resume(at: clock.now())
        var resumed = ResumedUpstream()
        (resumed.upstream, resumed.breakers) = (name, closed.map(\.name))
        resumed.pauses = pauses.map { kind, pause in
            var entry = ResumedUpstream.Pause()
            (entry.requests, entry.cause) = (kind.name, pause.cause.rawValue)
            entry.until = timestamp(clock.seconds + pause.seconds)
            return entry
        }
        return resumed
    }
}
