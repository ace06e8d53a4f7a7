import Settings
import EventLoop
import HTTPClient
import HTTPCore
import JSONText
import API
import Synchronization
import Operations
import TestSupport

@testable import Proxy

extension RequestKind {
    static let forecast = RequestKind("forecast", rank: 0)
    static let tweet = RequestKind("tweet", rank: 1)
    static let search = RequestKind("search", rank: 3)
    static let lookup = RequestKind("lookup", rank: 4)
    static let history = RequestKind("history", weighedAs: forecast, isSlow: true, rank: 5)
}

extension AnswerForm {
    /// A form that has a text as its identity.
    convenience init(name: String, explanation: Explanation = .none) {
        self.init(FormOf(Name(text: name)), explanation: explanation)
    }
}

/// An upstream with a cache, for the test of one stage.
final class StageTest: Sendable {
    typealias Outcome = Result<Answer, FetchFailure>

    let shard: Shard
    let cache: DocumentCache
    let upstream: Upstream
    let policy: CachePolicy
    let time: MovedTime
    let clock: Clock
    let log: Log
    private let client: Client
    private let written = Watched("")

    /// An upstream whose configuration `change` completes, and whose key files have `replacement` when they are read again.
    ///
    /// The bodies of its answers take up `bodyBytes` at most.
    init(
        policy: CachePolicy = CachePolicy(defaultLifetime: 60, negativeLifetime: 60),
        baseURL: String = "http://localhost",
        credentials: Credentials = .none, replacement: Credentials? = nil,
        bodyBytes: Int = 1 << 24, shared: SharedReplicas? = nil, time: MovedTime = MovedTime(), skew: Int = 0,
        shard: Shard? = nil,
        change: (inout UpstreamConfiguration) -> Void = { _ in }
    ) throws {
        (self.shard, self.time, clock) = (try shard ?? Shard(index: 0), time, time.clock(behindBy: skew))
        (cache, self.policy) = (DocumentCache(maximumBytes: 1 << 20), policy)
        let writer = LineWriter("test", maximumBytes: 1 << 20) { [written] bytes in
            written.update { $0 += String(decoding: bytes, as: UTF8.self) }
            return true
        }
        log = Log(writer: writer)
        var configuration = UpstreamConfiguration()
        configuration.name = "sample"
        // The time of a slow machine must not end a test.
        configuration.maximumWaitMilliseconds = 600_000
        change(&configuration)
        upstream = Upstream(
            configuration, baseURL: baseURL, credentials: credentials, reread: { replacement }, log: log,
            registry: UpstreamRegistry(shared: shared, maximumBodyBytes: bodyBytes, clock: clock),
            cache: cache)
        client = Client(on: self.shard)
        if shard == nil { self.shard.start() }
    }

    func stop() { shard.stop() }

    var state: UpstreamState { upstream.state }

    /// The lines of the log so far.
    var logLines: [Substring] {
        log.flush()
        return written.current.split(separator: "\n")
    }

    /// A fetch whose client waits for `seconds`.
    func fetch(
        _ kind: RequestKind = .forecast, target: String = "/", directives: String = "", isCached: Bool = true,
        isLast: Bool = true,
        seconds: Int = 600, errors: ErrorReader = .none,
        read: @escaping @Sendable (IncomingResponse, JSONOptions) throws -> Void = { _, _ in }
    ) -> Fetch {
        let request = DocumentRequest(
            to: upstream, kind, target: target, policy: isCached ? policy : nil, errors: errors
        ) { response, options in
            try read(response, options)
            return .formless
        }
        let context = FetchContext(
            client: client, shard: shard, clock: clock, end: time.now + .seconds(seconds), isLast: isLast)
        return Fetch(
            request, in: context, directives: ClientDirectives(HeaderFields([("Cache-Control", directives)])))
    }

    /// A document with this status, as an upstream gave it at `time`, in unix seconds.
    func document(
        _ status: Status = .ok, _ body: String = "", of target: String = "/", at time: Int = MovedTime.start,
        headers: [(name: String, value: String)] = [], failure: FetchFailure? = nil
    ) -> CachedDocument {
        let freshness = CachedResponse(
            status: status, headers: HeaderFields(headers), requestTime: time, responseTime: time, policy: policy)
        let content = DocumentContent(IncomingResponse(body: Array(body.utf8)))
        return CachedDocument(
            upstream.key(of: target, at: upstream.address, .none), content, freshness, policy, failure: failure)
    }

    /// What the rest of the path returns: a document with this body.
    func found(_ body: String) -> Answer { Answer(document(.ok, body), of: upstream) }

    /// Begins to run `stages` and then `rest` on the shard.
    func start(
        _ stages: [Stage], _ fetch: Fetch,
        rest: @escaping @Sendable (Fetch) async throws(FetchFailure) -> Answer
    ) -> Task<Outcome, Never> {
        Task(executorPreference: shard) {
            do throws(FetchFailure) {
                return .success(
                    try await Next(stages + [Stage { fetch, _ throws(FetchFailure) in try await rest(fetch) }])(fetch))
            } catch {
                return .failure(error)
            }
        }
    }

    /// Runs `stages` and then `rest` on the shard.
    func run(
        _ stages: [Stage], _ fetch: Fetch,
        rest: @escaping @Sendable (Fetch) async throws(FetchFailure) -> Answer
    ) async -> Outcome {
        await start(stages, fetch, rest: rest).value
    }

    /// Lets the shard run what is ready, until `condition` holds.
    func wait(until condition: @escaping @Sendable () -> Bool) async {
        await Task(executorPreference: shard) {
            repeat { await Task.yield() } while !condition()
        }.value
    }

    /// The value of Cache-Status in an answer with the outcome; nil if there is none.
    func cacheStatus(_ outcome: Outcome) -> String? {
        guard case .success(let found) = outcome, let cacheOutcome = found.cacheOutcome else { return nil }
        return CacheNote(cacheOutcome, found.document, now: time.clock.seconds).status.fieldValue
    }
}

extension Result<Answer, FetchFailure> {
    /// The body of the document, or the failure as the log names it.
    var text: String {
        switch self {
        case .success(let found): String(decoding: found.document.content.response.body, as: UTF8.self)
        case .failure(let failure): failure.result
        }
    }

    var failure: FetchFailure? {
        if case .failure(let failure) = self { return failure }
        return nil
    }

    /// The status that the client gets.
    var status: Int { failure.map { UpstreamProblem.problem(of: $0, from: "sample").status.code } ?? 200 }
}

extension FetchFailure {
    /// The upstream has answered with this status.
    static func answered(_ status: Int, retryAfter: Int? = nil) -> FetchFailure {
        .status(status, meaning: nil, message: nil, retryAfter: retryAfter)
    }
}

/// Clocks that the test moves, and what is due at moments of them.
final class MovedTime: Sendable {
    /// The time of day when no test has moved it, in unix seconds.
    static let start = 1_800_000_000

    private struct State {
        /// Milliseconds.
        var passed = 0
        var next = 0
        var due: [(moment: Int, number: Int, action: @Sendable () -> Void)] = []
    }

    private let first: MonotonicTime
    private let state = Mutex(State())

    /// Clocks that begin so long after now: timers of shards, which follow the true clock, are due that much later.
    init(ahead: Duration = .zero) { first = .now + ahead }

    var clock: Clock { clock(behindBy: 0) }

    /// Clocks whose time of day is wrong by `skew` milliseconds.
    func clock(behindBy skew: Int) -> Clock {
        Clock(
            now: { [self] in first + .milliseconds(passed) },
            milliseconds: { [self] in Self.start * 1000 + passed - skew })
    }

    var now: MonotonicTime { clock.now() }
    /// The milliseconds that have passed.
    var passed: Int { state.withLock { $0.passed } }

    func move(seconds: Int) { move(milliseconds: seconds * 1000) }

    /// Moves the clocks and does what is due then.
    func move(milliseconds: Int) {
        let due = state.withLock { state in
            state.passed += milliseconds
            defer { state.due.removeAll { [passed = state.passed] in $0.moment <= passed } }
            return state.due.filter { [passed = state.passed] in $0.moment <= passed }
        }
        for (_, _, action) in due.sorted(by: { ($0.moment, $0.number) < ($1.moment, $1.number) }) { action() }
    }

    /// Moves the clocks to the next moment at which something is due; returns false if nothing is.
    func moveToNext() -> Bool {
        guard let next = state.withLock({ state in state.due.map(\.moment).min().map { $0 - state.passed } }) else {
            return false
        }
        move(milliseconds: max(0, next))
        return true
    }

    /// Does `action` when so many milliseconds have passed in all; at once if they have.
    func schedule(at moment: Int, _ action: @escaping @Sendable () -> Void) {
        let isDue = state.withLock { state in
            guard state.passed < moment else { return true }
            state.due.append((moment, state.next, action))
            state.next += 1
            return false
        }
        if isDue { action() }
    }

    /// Waits until the clocks have moved by `milliseconds`.
    func sleep(milliseconds: Int, on shard: Shard) async {
        let signal = Signal()
        schedule(at: passed + milliseconds) { signal.send() }
        await signal.wait(on: shard)
    }
}

/// An event that tasks wait for.
final class Signal: Sendable {
    private let result = Promise<Bool>()

    /// Ends the waiting; call it once.
    func send() { result.finish(true) }

    /// Waits for the event; returns false if the task is cancelled first.
    @discardableResult
    func wait(on shard: Shard) async -> Bool { await result.wait(until: .now + .seconds(600), on: shard) ?? false }
}
