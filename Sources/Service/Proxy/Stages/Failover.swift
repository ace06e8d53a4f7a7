import API
import EventLoop
import HTTPClient
import HTTPCore
import JSONText
package import Operations

/// An upstream that may answer a question.
package struct Candidate: Sendable {
    let upstream: Upstream
    /// The time that the question needs if that is more than the usual deadline allows; nil for the usual deadline.
    let deadline: Duration?
    /// Whether clients get the statuses of the upstream's errors, as far as these have a meaning.
    let passesStatuses: Bool
    /// Returns the document that answers the question, from the cache or from the upstream.
    let answer: nonisolated(nonsending) @Sendable (FetchContext) async throws(FetchFailure) -> Answer

    package init(
        _ upstream: Upstream, deadline: Duration? = nil, passesStatuses: Bool = false,
        answer: nonisolated(nonsending) @escaping @Sendable (FetchContext) async throws(FetchFailure) -> Answer
    ) {
        (self.upstream, self.deadline, self.answer) = (upstream, deadline, answer)
        self.passesStatuses = passesStatuses
    }
}

/// Asks upstreams in order until one answers or the time is over; after the last failure, a stale document serves.
package struct Failover: Sendable {
    /// The time for one question, however many upstreams are asked.
    private let deadline: Duration
    /// The longest time in the queue of an upstream, beside the upstream's own; nil for no other.
    private let maximumQueue: Duration?
    private let log: Log

    package init(deadline: Duration, maximumQueue: Duration? = nil, log: Log) {
        (self.deadline, self.maximumQueue, self.log) = (deadline, maximumQueue, log)
    }

    /// Returns the document of the first upstream that has one; a stale one after the last upstream has failed.
    ///
    /// `end` is the end of the time for questions that share one.
    /// - Throws: The most informative of the upstreams' problems if all of them fail, 504 if the time is over.
    nonisolated(nonsending) func answer(
        _ upstreams: [Candidate], to call: ClientCall, until end: MonotonicTime? = nil
    ) async throws(Problem) -> Answer {
        let (clock, trace) = (call.context.clock, call.trace)
        let longest = upstreams.reduce(deadline) { max($0, $1.deadline ?? .zero) }
        let deadline = FetchDeadline(end: end ?? clock.now() + longest)
        defer { write(trace.tries, call) }
        var problems: [Problem] = [], followed: Answer?
        for (index, candidate) in upstreams.enumerated() {
            let left = upstreams.count - index
            let context = FetchContext(
                call, end: deadline.shareEnd(forFirstOf: left, at: clock.now()), isLast: left == 1,
                maximumQueue: maximumQueue)
            trace.cacheNote = nil
            do throws(FetchFailure) {
                var answer = try await candidate.answer(context)
                (answer.failed, answer.isFirstChoice) = (problems.compactMap(\.upstream?.name), problems.isEmpty)
                if trace.keys == nil { return answer }
                // The other upstreams can have documents, too.
                followed = followed ?? answer
            } catch {
                // No other upstream may be asked, either.
                if case .limited(let problem) = error { throw problem }
                let note = trace.cacheNote
                var problem = UpstreamProblem.problem(
                    of: error, from: candidate.upstream.name, passesStatuses: candidate.passesStatuses)
                problem.cacheNote = note
                // The client has gone, or the service stops: that says nothing about the upstream.
                if Task.isCancelled || error.isCancellation { throw problem }
                problems.append(problem)
                // A failure that is remembered was logged when it occurred.
                if !error.isLoggedElsewhere, note?.isHit != true { log(problem, error, of: candidate.upstream, call) }
                if deadline.hasPassed(at: clock.now()) {
                    problems = [UpstreamProblem.deadlinePassed(after: problem)]
                    break
                }
            }
        }
        if let followed { return followed }
        // The first upstream's is the first, even if the time was over before the others were asked.
        guard let (stale, fetch) = trace.stale else { throw UpstreamProblem.mostInformative(of: problems) }
        do throws(FetchFailure) {
            var answer = try await stale.formed(for: fetch.with(fetch.context.withTimeToRead))
            answer.failed = problems.compactMap(\.upstream?.name)
            return answer
        } catch {
            throw UpstreamProblem.problem(of: error, from: stale.upstream.name)
        }
    }

    private func log(_ problem: Problem, _ failure: FetchFailure, of upstream: Upstream, _ call: ClientCall) {
        guard let count = upstream.state.failures(with: failure, now: call.context.clock.now()) else { return }
        log.write(
            .warning, "upstream failed",
            [
                "route": call.route?.template ?? "", "upstream": upstream.name, "status": problem.status.code,
                "detail": problem.detail, "count": count > 1 ? count : nil,
            ])
    }

    private func write(_ tries: UpstreamTries, _ call: ClientCall) {
        let tries = tries.all.lazy.filter { !$0.isOfOtherRequest }
        // The access log has the tries, too, and a refusal without a request occurs as often as clients ask.
        let hasFailed =
            tries.contains { Int($0.result).map { 200..<300 ~= $0 } != true } && tries.contains { $0.sent > 0 }
        guard hasFailed else { return }
        log.write(.info, "fetched", ["route": call.route?.template ?? ""]) { line in
            line.write(raw: #","tries":"#)
            line.write(Array(tries))
            // Named as in the access log, whose line of the request has the same ids.
            if let position = call.position {
                line.write(raw: #","trace_id":"#)
                line.write(position.traceIDText)
                line.write(raw: #","span_id":"#)
                line.write(position.spanIDText)
            }
        }
    }
}
