import API
import EventLoop
import HTTPCore
import Operations
import Proxy

/// An upstream of one kind of document.
protocol DocumentUpstream: Sendable {
    associatedtype Question: Sendable

    var upstream: Upstream { get }

    /// Whether clients get the statuses of the upstream's errors, as far as these have a meaning.
    static var passesStatuses: Bool { get }

    /// Whether the upstream can have what is asked for at `now`, in unix seconds; otherwise the path skips the upstream.
    func canAnswer(_ question: Question, now: Int64) -> Bool

    /// Returns the time that a question needs if that is more than the usual deadline allows; nil for the usual deadline.
    func deadline(for question: Question, now: Int64) -> Duration?

    /// Returns the problem of a question that none of `upstreams` can answer, or nil.
    static func refusal(of question: Question, by upstreams: [Self], now: Int64) -> Problem?

    /// Returns the document that answers the question, from the cache or from the upstream.
    nonisolated(nonsending) func answer(
        _ question: Question, _ form: AnswerForm, in context: FetchContext
    ) async throws(FetchFailure) -> Answer
}

extension DocumentUpstream {
    static var passesStatuses: Bool { false }

    func canAnswer(_ question: Question, now: Int64) -> Bool { true }

    func deadline(for question: Question, now: Int64) -> Duration? { nil }

    static func refusal(of question: Question, by upstreams: [Self], now: Int64) -> Problem? { nil }
}

/// The upstreams of a route, in the order of failover, and the path of its requests.
struct Upstreams<Source: DocumentUpstream>: Sendable {
    let sources: [Source]
    let path: FetchPath

    /// Returns the response with the document that answers a question.
    /// - Throws: The most informative of the upstreams' problems if all of them fail, 504 if the time is over.
    nonisolated(nonsending) func answer(
        _ question: Source.Question, _ form: AnswerForm, to call: ClientCall
    ) async throws(Problem) -> Response {
        try await path.answer(try candidates(question, form, call), form, to: call)
    }

    /// Returns the document that answers a question, as a part of an answer that must be there at `end`.
    nonisolated(nonsending) func part(
        _ question: Source.Question, _ form: AnswerForm, to call: ClientCall, until end: MonotonicTime
    ) async throws(Problem) -> Answer {
        try await path.part(try candidates(question, form, call), to: call, until: end)
    }

    /// Returns the upstreams that can answer a question.
    private func candidates(
        _ question: Source.Question, _ form: AnswerForm, _ call: ClientCall
    ) throws(Problem) -> [Candidate] {
        let now = Int64(call.context.clock.seconds)
        let able = sources.filter { $0.canAnswer(question, now: now) }
        if able.isEmpty, let refusal = Source.refusal(of: question, by: sources, now: now) { throw refusal }
        return able.map { source in
            Candidate(
                source.upstream, deadline: source.deadline(for: question, now: now),
                passesStatuses: Source.passesStatuses
            ) { context throws(FetchFailure) in try await source.answer(question, form, in: context) }
        }
    }
}
