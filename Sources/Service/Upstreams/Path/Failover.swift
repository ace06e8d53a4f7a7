import JSONText
package import Contracts
package import EventLoop
import HTTPClient
import HTTPCore
package import Routing
package import Telemetry

/// An upstream of one kind of document.
package protocol DocumentUpstream: Sendable {
    associatedtype Question: Sendable

    var upstream: Upstream { get }

    /// Whether the upstream can have what is asked for at `now`, in unix seconds; otherwise the path skips the upstream.
    func canAnswer(_ question: Question, now: Int64) -> Bool

    /// Returns the time that a question needs if that is more than the usual deadline allows; nil for the usual deadline.
    func deadline(for question: Question, now: Int64) -> Duration?

    /// Returns the problem of a question that none of `upstreams` can answer, or nil.
    static func refusal(of question: Question, by upstreams: [Self], now: Int64) -> Problem?

    /// Returns the document that answers the question, from the cache or from the upstream.
    nonisolated(nonsending) func answer(
        _ question: Question, _ form: AnswerForm, in context: FetchContext
    ) async throws(FetchFailure) -> UpstreamAnswer
}

extension DocumentUpstream {
    package func canAnswer(_ question: Question, now: Int64) -> Bool { true }

    package func deadline(for question: Question, now: Int64) -> Duration? { nil }

    package static func refusal(of question: Question, by upstreams: [Self], now: Int64) -> Problem? { nil }
}

/// The document of the first upstream that had one.
package struct FailoverResult: Sendable {
    package let answer: UpstreamAnswer
    /// The names of the upstreams that failed before.
    package let failed: [String]
    /// The context in which the document is read.
    package let context: FetchContext
    /// Whether no upstream before was asked in vain; only then does the next client of the same target get this document.
    var isFirstChoice = false

    package var source: DocumentSource {
        DocumentSource(upstream: answer.upstream.name, dialect: answer.upstream.dialect, failed: failed)
    }
}

/// The upstreams of one kind of document, asked in order until one answers or the time is over.
package struct Failover<Source: DocumentUpstream>: Sendable {
    package let upstreams: [Source]
    /// The time for one question, however many upstreams are asked.
    private let deadline: Duration
    /// Whether the log names the tries of every request, or only those of a request with a try that failed.
    private let logsEveryRequest: Bool
    private let log: Log

    package init(upstreams: [Source], deadline: Duration, logsEveryRequest: Bool, log: Log) {
        (self.upstreams, self.deadline) = (upstreams, deadline)
        (self.logsEveryRequest, self.log) = (logsEveryRequest, log)
    }

    /// Returns the document that answers the question; a stale one after the last upstream has failed.
    ///
    /// `end` is the end of the time for questions that share one.
    /// - Throws: The most informative of the upstreams' problems if all of them fail, 504 if the time is over.
    // Not sending, as its callees: the task stays on its shard, and looking for the executor takes time.
    package nonisolated(nonsending) func answer(
        _ question: Source.Question, _ form: AnswerForm, to call: ClientCall, until end: MonotonicTime? = nil
    ) async throws(Problem) -> FailoverResult {
        let clock = call.context.clock, now = Int64(clock.seconds)
        let able = upstreams.filter { $0.canAnswer(question, now: now) }
        if able.isEmpty, let refusal = Source.refusal(of: question, by: upstreams, now: now) { throw refusal }
        let longest = able.compactMap { $0.deadline(for: question, now: now) }.max() ?? .zero
        let deadline = FetchDeadline(end: end ?? clock.now() + max(deadline, longest))
        defer { write(call.tries.all.filter { !$0.isShared }, call) }
        let stale = StaleDocuments()
        var problems: [Problem] = []
        for (index, source) in able.enumerated() {
            let left = able.count - index
            let context = FetchContext(
                call, end: deadline.shareEnd(forFirstOf: left, at: clock.now()), isLast: left == 1, stale: stale)
            do throws(FetchFailure) {
                let answer = try await source.answer(question, form, in: context)
                return FailoverResult(
                    answer: answer, failed: problems.compactMap(\.upstream?.name), context: context,
                    isFirstChoice: problems.isEmpty)
            } catch {
                var problem = UpstreamProblem.problem(of: error, from: source.upstream.name)
                problem.cacheNote = context.cacheNote.value
                // The client has gone, or the service stops: that says nothing about the upstream.
                if Task.isCancelled || error.isCancellation { throw problem }
                problems.append(problem)
                // A failure that is remembered was logged when it occurred.
                if !error.isLoggedElsewhere, context.cacheNote.value?.isHit != true {
                    log(problem, of: source.upstream.name, call)
                }
                if deadline.hasPassed(at: clock.now()) {
                    problems = [UpstreamProblem.deadlinePassed(after: problem)]
                    break
                }
            }
        }
        // The first upstream's is the first, even if the time was over before the others were asked.
        if let (answer, context) = stale.first {
            let failed = problems.compactMap(\.upstream?.name)
            return FailoverResult(answer: answer, failed: failed, context: context.withTimeToRead)
        }
        throw UpstreamProblem.mostInformative(of: problems)
    }

    private func log(_ problem: Problem, of upstream: String, _ call: ClientCall) {
        log.write(
            .warning, "upstream failed",
            [
                "route": call.route?.template ?? "", "upstream": upstream, "status": problem.status.code,
                "detail": problem.detail,
            ])
    }

    private func write(_ tries: [UpstreamTry], _ call: ClientCall) {
        // The access log has the tries, too, and a refusal without a request occurs as often as clients ask.
        let hasFailed = tries.contains { $0.result != "200" } && tries.contains { $0.sent > 0 }
        guard logsEveryRequest || hasFailed else { return }
        log.write(.info, "fetched", ["route": call.route?.template ?? ""]) { line in
            line.write(raw: #","tries":"#)
            line.write(tries)
            // Named as in the access log, whose line of the request has the same ids.
            if let trace = call.trace {
                line.write(raw: #","trace_id":"#)
                line.write(trace.traceIDText)
                line.write(raw: #","span_id":"#)
                line.write(trace.spanIDText)
            }
        }
    }
}
