package import API
package import EventLoop
package import HTTPCore

/// The whole path of a client's request for one kind of document:
///
///     failover { cache, pay, shed, coalesce, replicas, keep, retry, renew, hedge, try,
///                quota, queue, breaker, access, memory, transfer, read, shape } -> respond
///
/// Failover runs the stages for one upstream after another. The parts of an answer have the same path without `respond`.
extension Stage {
    static let ofClients: [Stage] = [
        .cache, .pay, .shed, .coalesce, .replicas, .keep, .retry, .renew, .hedge, .try,
        .quota, .queue, .breaker, .access, .memory, .transfer, .read, .shape,
    ]

    /// The stages of a probe, for which no client waits.
    static let ofProbes: [Stage] = [
        .try, .quota, .queue, .breaker, .probe, .access, .memory, .transfer, .probeAnswer,
    ]

    /// A fresh document ends the path.
    static let cache = Stage(run: CacheStage.run)
    /// Refuses the rest if the client has asked too much.
    static let pay = Stage(run: LimitStages.pay)
    /// Refuses the rest if memory is low.
    static let shed = Stage(run: LimitStages.shed)
    /// All who need the same document at the same time share the rest.
    static let coalesce = Stage(run: CoalescingStage.run)
    /// A document of another replica ends the path; one replica fetches for all.
    static let replicas = Stage(run: SharedStage.run)
    /// Keeps what the rest brings.
    static let keep = Stage(run: StoringStage.run)
    /// Repeats the rest after a failure that may pass.
    static let retry = Stage(run: RetryStage.run)
    /// Repeats the rest with a new key after a 401.
    static let renew = Stage(run: RetryStage.renew)
    /// Runs the rest a second time beside a slow try.
    static let hedge = Stage(run: HedgingStage.run)
    /// Limits the time of a try, and notes how the try ends.
    static let `try` = Stage(run: TryStage.run)
    /// Refuses what the upstream does not allow, or waits.
    static let quota = Stage(run: QuotaStage.run)
    /// Waits for a slot among the requests under way.
    static let queue = Stage(run: LimitStages.queue)
    /// Refuses requests to an upstream that fails.
    static let breaker = Stage(run: LimitStages.breaker)
    /// Finds the key or the token.
    static let access = Stage(run: LimitStages.access)
    /// Waits for memory for the body.
    static let memory = Stage(run: LimitStages.memory)
    /// Sends the request and receives the response.
    static let transfer = Stage(run: TransferStage.run)
    /// Reads the document in the response.
    static let read = Stage(run: ReadStage.run)
    /// Makes the client's form of the document.
    static let shape = Stage(run: ShapeStage.run)
    /// Takes a redirect for an answer to a probe.
    static let probe = Stage(run: ProbeStages.redirect)
    /// Takes the status of the answer to a probe.
    static let probeAnswer = Stage(run: ProbeStages.answer)
}

/// A step between a request for one document and its upstream.
///
/// A stage gets the fetch and the rest of the path. It ends the path, refuses the fetch, adds what the next stages need, or
/// runs the rest more than once.
struct Stage: Sendable {
    // A property of a structure: an array of functions calls each of them through a thunk.
    let run: nonisolated(nonsending) @Sendable (Fetch, Next) async throws(FetchFailure) -> Answer
}

/// The stages that follow a stage.
struct Next: Sendable {
    private let stages: [Stage]
    private let index: Int

    init(_ stages: [Stage], from index: Int = 0) { (self.stages, self.index) = (stages, index) }

    /// Runs the following stages.
    nonisolated(nonsending) func callAsFunction(_ fetch: Fetch) async throws(FetchFailure) -> Answer {
        guard index < stages.count else { throw .unusable("no stage has read the answer") }
        return try await stages[index].run(fetch, Next(stages, from: index + 1))
    }

    /// Runs the following stages; a failure is a part of the result.
    nonisolated(nonsending) func result(_ fetch: Fetch) async -> CoalescedFetch.Outcome {
        do throws(FetchFailure) { return .success(try await self(fetch).document) } catch { return .failure(error) }
    }
}

extension DocumentRequest {
    /// Returns the document in the form of an answer, from the cache or from the upstream.
    ///
    /// If the upstream fails, the trace gets the stale document that may serve.
    package nonisolated(nonsending) func answer(
        _ form: AnswerForm, in context: FetchContext
    ) async throws(FetchFailure) -> Answer {
        let fetch = Fetch(self, form, in: context)
        do throws(FetchFailure) {
            return try await Next(Stage.ofClients)(fetch).formed(for: fetch)
        } catch {
            if let stale = fetch.stale(after: error) { context.trace.note(stale, fetch) }
            throw error
        }
    }
}

/// The path of the requests to a route.
package struct FetchPath: Sendable {
    private let failover: Failover
    /// The cache that counts what answers add to its documents; nil without one.
    private let cache: DocumentCache?

    package init(failover: Failover, cache: DocumentCache?) { (self.failover, self.cache) = (failover, cache) }

    /// Returns the response with the document of the first of `upstreams` that has one.
    /// - Throws: The most informative of the upstreams' problems if all of them fail, 504 if the time is over.
    // Not sending, as its callees: the task stays on its shard, and looking for the executor takes time.
    package nonisolated(nonsending) func answer(
        _ upstreams: [Candidate], _ form: AnswerForm, to call: ClientCall
    ) async throws(Problem) -> Response {
        let answer = try await failover.answer(upstreams, to: call)
        call.remember(answer, form)
        return await RespondStage(call: call, cache: cache).response(answer, form)
    }

    /// Returns the document of the first of `upstreams` that has one, as a part of an answer that must be there at `end`; with
    /// its form alone.
    /// - Throws: As `answer`.
    package nonisolated(nonsending) func part(
        _ upstreams: [Candidate], to call: ClientCall, until end: MonotonicTime
    ) async throws(Problem) -> Answer {
        try await failover.answer(upstreams, to: call.forPart, until: end).withoutContent
    }

    /// Returns the response that is made of several documents, and not kept; without a part that clients expect it is not
    /// complete.
    package static nonisolated(nonsending) func answer(
        _ shaped: ShapedDocument, of parts: [Answer], isComplete: Bool, source: DocumentSource, _ form: AnswerForm,
        to call: ClientCall
    ) async -> Response {
        await RespondStage(call: call, cache: nil)
            .response(shaped, of: parts, isComplete: isComplete, source: source, form)
    }
}
