import Settings
import API
import EventLoop
import Synchronization

/// The state of one kind of requests to an upstream, for all shards.
final class KindState: Sendable {
    private struct State {
        var breaker: CircuitBreaker
        /// The size to expect of a body, from the latest ones; 0 before the first one.
        var bodySize = 0
        var figures: KindFigures
    }

    /// A failure of the upstream, as operators see it.
    struct Failure: Sendable {
        /// When it occurred, in unix seconds.
        let time: Int
        /// The result of the request as a label of a metric.
        let label: String
        /// How the request ended: `with 500: out of memory`.
        let manner: String
        /// The problem's detail, and the status of the upstream's answer.
        let detail: String, status: Int?
    }

    /// The results and times of the requests that have ended.
    struct History: Sendable {
        /// In unix seconds.
        var lastSuccess: Int?
        var lastFailure: Failure?
        /// Whether the latest request has failed.
        var isFailing = false
    }

    /// The requests that the upstream's last answers allow.
    let reported: ReportedQuota
    private let state: Mutex<State>

    init(_ kind: RequestKind, _ limits: CircuitBreaker.Limits, maximumWaiting: Int) {
        reported = ReportedQuota(maximumWaiting: maximumWaiting)
        state = Mutex(State(breaker: CircuitBreaker(limits), figures: KindFigures(name: kind.name)))
    }

    /// Takes new limits over; what is under way is not affected.
    func update(_ limits: CircuitBreaker.Limits, maximumWaiting: Int) {
        state.withLock { $0.breaker.update(limits) }
        reported.update(maximumWaiting: maximumWaiting)
    }

    /// Returns the seconds until the breaker admits a request; nil if it would admit one at `now`.
    func refusal(at now: MonotonicTime) -> Int? { state.withLock { $0.breaker.refusal(at: now) } }

    /// Asks the breaker for a permit, whose verdict must follow with `note`.
    func admit(at now: MonotonicTime) -> CircuitBreaker.Decision { state.withLock { $0.breaker.admit(at: now) } }

    func note(
        _ verdict: CircuitBreaker.Verdict, _ permit: CircuitBreaker.Permit, at now: MonotonicTime
    ) -> CircuitBreaker.Change? {
        state.withLock { $0.breaker.note(verdict, permit, at: now) }
    }

    /// The size that a body is expected to have.
    var expectedBody: Int {
        let size = state.withLock { $0.bodySize }
        return size > 0 ? size : BodyBudget.step
    }

    /// Takes a size into account: a large one at once, smaller ones little by little.
    func noteBody(_ bytes: Int) { state.withLock { $0.bodySize = max(1, bytes, $0.bodySize * 7 / 8) } }

    /// How the last failure ended, to follow "last".
    var failureManner: String? { state.withLock { $0.figures.history.lastFailure?.manner } }

    /// Notes at `time`, in unix seconds, that the upstream has answered.
    func noteSuccess(at time: Int) {
        state.withLock { ($0.figures.history.lastSuccess, $0.figures.history.isFailing) = (time, false) }
    }

    /// Notes at `time`, in unix seconds, how a request to `upstream` failed; an answer about what was requested is a success.
    func note(_ failure: FetchFailure, of upstream: String, at time: Int) {
        guard failure.isOfUpstream else {
            if case .status = failure { noteSuccess(at: time) }
            return
        }
        let problem = UpstreamProblem.problem(of: failure, from: upstream)
        let detail = problem.detail + (problem.upstream?.error.map { " It says: \($0)" } ?? "")
        let failure = Failure(
            time: time, label: failure.label, manner: failure.manner, detail: detail, status: failure.responseStatus)
        state.withLock { ($0.figures.history.lastFailure, $0.figures.history.isFailing) = (failure, true) }
    }

    /// The figures at `now`.
    func figures(at now: MonotonicTime) -> KindFigures {
        state.withLock { state in
            var figures = state.figures
            (figures.isClosed, figures.refusal) = (state.breaker.isClosed, state.breaker.refusal(at: now))
            return figures
        }
    }

    /// Closes the breaker, and returns whether it was open.
    func closeBreaker() -> Bool { state.withLock { $0.breaker.close() } }

    /// Notes how long a transfer took, and how it ended.
    func noteTransfer(_ duration: Duration, _ ending: TransferDurations.Ending) {
        state.withLock { $0.figures.durations.add(duration, ending) }
    }

    /// Counts a try that has ended, with its result as a label of a metric.
    func noteTry(_ result: String) { state.withLock { $0.figures.tries.note(result) } }
}

/// A kind of requests, which upstreams count separately; kinds are equal if their names are.
///
/// Kinds come from Weir itself and from the configuration, never from a client or an upstream, so their number is bounded.
package struct RequestKind: Hashable, Sendable {
    /// The name in metrics, in the log, in the quota file and in the setting `quota.weights`.
    package let name: String
    /// The name of the kind whose weight in a quota this kind has.
    package let weightName: String
    /// Whether its servers are others, and slower, so that it gets half of the slots.
    let isSlow: Bool
    /// The place in metrics, before all kinds without one.
    private let rank: Int

    /// A kind of requests, with its own weight in a quota unless another kind is given.
    package init(_ name: String, weighedAs other: RequestKind? = nil, isSlow: Bool = false, rank: Int = .max) {
        (self.name, weightName, self.isSlow, self.rank) = (name, other?.name ?? name, isSlow, rank)
    }

    /// A request of Weir itself, which shows whether the upstream answers.
    package static let probe = RequestKind("probe", rank: 6)
    /// All kinds together, for pauses; no route has this name.
    static let every = RequestKind("*", rank: 7)

    package static func == (left: RequestKind, right: RequestKind) -> Bool { left.name == right.name }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension RequestKind: Comparable {
    /// Returns whether `left` comes before `right` in metrics: kinds with a rank first, then the others by name.
    package static func < (left: RequestKind, right: RequestKind) -> Bool {
        (left.rank, left.name) < (right.rank, right.name)
    }
}

extension RequestKind {
    /// The longest name of a kind that is read from a file, in bytes.
    private static let longestSavedName = 100

    /// The kind of this name, as the quota file of any version may have it; nil for a text that is no name.
    init?(saved name: String) {
        guard 1...Self.longestSavedName ~= name.utf8.count, name.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
            return nil
        }
        self.init(name)
    }
}
