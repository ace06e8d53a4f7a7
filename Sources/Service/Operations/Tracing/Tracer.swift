public import EventLoop
import HTTPCore
import JSONText
import Synchronization

/// Chooses the exchanges whose spans are exported, and sends these to a collector in batches.
///
/// The head decides by the caller's flag or the ratio, so that an upstream learns the decision; the end adds exchanges that
/// failed or were slow. Spans that wait are bounded: further ones are dropped and counted, so a slow collector costs nothing.
public final class Tracer: Sendable {
    /// The bounds of OpenTelemetry's batch processor: the spans that wait, and those of a batch.
    private static let mostWaiting = 2048, batch = 512
    /// The most bytes of a batch, beyond its last exchange: from 1 MiB on, libcurl asks before it sends.
    private static let batchBytes = 512 << 10
    private static let interval = Duration.seconds(1)
    /// The time for a batch, and for all batches at the end.
    private static let sendTime = Duration.seconds(5), endTime = Duration.seconds(1)
    /// From this duration on an exchange is slow: 1 s, in nanoseconds.
    private static let slow: UInt64 = 1_000_000_000

    private enum Stage {
        case idle
        /// A timer will send the spans.
        case waiting
        case sending
    }

    private struct State {
        var stage = Stage.idle
        var waiting: [(spans: Int, text: [UInt8])] = []
        var spans = 0
        var exported = 0, dropped = 0, failed = 0
        var isFailing = false

        /// Takes the oldest spans for a batch; none if there are none.
        mutating func takeBatch() -> [(spans: Int, text: [UInt8])] {
            var (count, spans, bytes) = (0, 0, 0)
            while count < waiting.count, spans < batch, bytes < batchBytes {
                spans += waiting[count].spans
                bytes += waiting[count].text.count
                count += 1
            }
            let taken = Array(waiting.prefix(count))
            waiting.removeFirst(count)
            self.spans -= spans
            return taken
        }
    }

    let ratio: TraceRatio
    private let scheme: String
    private let addresses: AccessLogSettings.Addresses
    private let beginning: [UInt8]
    private let shard: Shard
    private let log: Log
    private let send: @Sendable (_ body: [UInt8], _ time: Duration) async -> String?
    private let state = Mutex(State())

    /// A tracer that records new traces at `ratio`, and sends on `shard`.
    ///
    /// `scheme` is that of the service, `http` or `https`, and `addresses` says how clients are shown. `send` returns why the collector has not taken a body, in words
    /// without secrets, or nil.
    public init(
        ratio: Double, scheme: String, version: String, addresses: AccessLogSettings.Addresses = .full,
        on shard: Shard, log: Log,
        send: @escaping @Sendable (_ body: [UInt8], _ time: Duration) async -> String?
    ) {
        (self.ratio, self.scheme, self.shard, self.log, self.send) = (TraceRatio(ratio), scheme, shard, log, send)
        self.addresses = addresses
        var identifiers = IdentifierSource()
        let instance = TraceContext(traceID: identifiers.next128(), spanID: 1).traceIDText
        let resource = [("service.name", "weir"), ("service.version", version), ("service.instance.id", instance)]
        let attributes = resource.map { #"{"key":"\#($0)","value":{"stringValue":"\#($1)"}}"# }
        beginning = Array(
            """
            {"resourceSpans":[{"resource":{"attributes":[\(attributes.joined(separator: ","))]},\
            "scopeSpans":[{"scope":{"name":"weir","version":"\(version)"},"spans":[
            """.utf8)
    }

    /// Exports the spans of an exchange that is sampled, has failed or was slow, if there is room; then the exchange is an
    /// exemplar.
    func add(_ exchange: ExchangeRecord, _ route: @autoclosure () -> RouteLabel?) -> Exemplar? {
        guard let trace = exchange.note.trace,
            trace.isSampled || exchange.duration >= Self.slow || exchange.hasFailed
        else { return nil }
        let text = SpanText(exchange, route(), at: trace, scheme: scheme, addresses)
        let (isTaken, isFirst, isFull) = state.withLock { state in
            guard state.spans + text.count <= Self.mostWaiting else {
                state.dropped += text.count
                return (false, false, false)
            }
            // Once for a batch: a collector that refuses batches is asked once a second.
            let isFull = state.spans < Self.batch && state.spans + text.count >= Self.batch
            state.waiting.append((text.count, text.bytes))
            state.spans += text.count
            defer { if state.stage == .idle { state.stage = .waiting } }
            return (true, state.stage == .idle, isFull)
        }
        if isFirst { schedule() }
        if isFull { shard.post { [weak self] in self?.begin() } }
        return isTaken
            ? Exemplar(trace: trace, duration: exchange.duration, milliseconds: WallClock.milliseconds) : nil
    }

    private func schedule() {
        shard.post { [weak self] in
            guard let self else { return }
            shard.schedule(at: shard.now + Self.interval) { [weak self] in self?.begin() }
        }
    }

    /// Sends what waits, unless another task does.
    private func begin() {
        let begins = state.withLock { state in
            guard state.stage == .waiting else { return false }
            state.stage = .sending
            return true
        }
        if begins { Task(executorPreference: shard) { await self.sendBatches() } }
    }

    private func sendBatches() async {
        while await sendBatch(within: Self.sendTime) {}
        let mustWait = state.withLock { state in
            state.stage = state.waiting.isEmpty ? .idle : .waiting
            return state.stage == .waiting
        }
        if mustWait { schedule() }
    }

    /// Sends a batch; returns whether the collector has taken the batch, and another one is complete.
    private func sendBatch(within time: Duration) async -> Bool {
        let batch = state.withLock { $0.takeBatch() }
        if batch.isEmpty { return false }
        let spans = batch.reduce(0) { $0 + $1.spans }
        let body = beginning + batch.map(\.text).joined(separator: [UInt8(ascii: ",")]) + Array("]}]}]}".utf8)
        let failure = await send(body, time)
        let (isNew, isComplete) = state.withLock { state in
            if failure == nil { state.exported += spans } else { state.failed += spans }
            defer { state.isFailing = failure != nil }
            return (failure != nil && !state.isFailing, failure == nil && state.spans >= Self.batch)
        }
        if isNew { log.write(.warning, "spans not exported", ["detail": failure, "spans": spans]) }
        return isComplete
    }

    /// Sends what waits at the end of the service, within a second.
    package func finish() async {
        let end = MonotonicTime.now + Self.endTime
        while state.withLock({ !$0.waiting.isEmpty }), end > .now { _ = await sendBatch(within: end - .now) }
    }
}

extension Tracer {
    /// The metrics.
    package static let table: [Figure<Tracer>] = [
        Figure(
            "weir_trace_spans_total", .counter, ["result"], "Spans by what has become of them.",
            note: """
                The results are `exported`, `dropped` (too many were waiting for the collector) and `failed` (the collector did \
                not take them). Absent without `telemetry.traces`.
                """
        ) { tracer in
            let (exported, dropped, failed) = tracer.state.withLock { ($0.exported, $0.dropped, $0.failed) }
            return [("exported", exported), ("dropped", dropped), ("failed", failed)].map { FigureSample($1, $0) }
        }
    ]
}
