import EventLoop
package import HTTPCore
package import Routing
import Telemetry

/// The stages between a request for one document and one upstream, in their order.
///
/// Each stage gets the fetch and the rest of the list. A stage ends the path, refuses the fetch, adds what the next stages
/// need, or runs the rest more than once.
enum FetchStages {
    static let all: [any FetchStage] = [
        CacheStage(),  // A fresh document ends the path.
        SheddingStage(),  // Refuses the rest if memory is low.
        FlightStage(),  // All who need the same document at the same time share the rest.
        SharedStage(),  // A document of another replica ends the path; one replica fetches for all.
        StoringStage(),  // Keeps what the rest brings.
        RetryStage(),  // Repeats the rest after a failure that may pass.
        RenewalStage(),  // Repeats the rest with a new key after a 401.
        HedgingStage(),  // Runs the rest a second time beside a slow try.
        TryStage(),  // Notes how each try ends.
        QuotaStage(),  // Refuses what the upstream does not allow, or waits.
        QueueStage(),  // Waits for a slot among the requests under way.
        BreakerStage(),  // Refuses requests to an upstream that fails.
        AccessStage(),  // Finds the key or the token.
        MemoryStage(),  // Waits for memory for the body.
        TransferStage(),  // Sends the request and receives the response.
        ReadStage(),  // Reads the document in the response.
    ]

    /// The stages of a probe, for which no client waits.
    static let ofProbes: [any FetchStage] = [
        TryStage(), QuotaStage(), QueueStage(), BreakerStage(), ProbeStage(), AccessStage(), MemoryStage(),
        TransferStage(), ProbeAnswerStage(),
    ]
}

/// The path of a client's question about one kind of document, from the upstreams to the answer.
///
///     failover { the stages of each upstream } -> shape -> respond
///
/// A stale document serves after the last upstream has failed.
package struct DocumentPath<Source: DocumentUpstream>: Sendable {
    package let failover: Failover<Source>
    /// The cache that counts what answers add to its documents; nil without one.
    package let cache: DocumentCache?

    package init(failover: Failover<Source>, cache: DocumentCache?) {
        (self.failover, self.cache) = (failover, cache)
    }

    /// Returns the response with the document that the client asks for.
    /// - Throws: The most informative of the upstreams' problems if all of them fail, 504 if the time is over.
    package nonisolated(nonsending) func answer(
        _ question: Source.Question, _ form: AnswerForm, to call: ClientCall
    ) async throws(Problem) -> Response {
        let found = try await failover.answer(question, form, to: call)
        let shaped = try await ShapeStage(form: form, cache: cache).shape(found)
        if found.isFirstChoice, form.dependsOnTargetAlone, form.callback == nil { call.remember(found, form) }
        let origin = AnswerOrigin(found, shaped.variant, now: call.context.clock.seconds)
        return await RespondStage(call: call, cache: cache, callback: form.callback).response(shaped, of: origin)
    }
}
