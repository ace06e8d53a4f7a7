package import Settings
import EventLoop
import HTTPClient
import HTTPCore
import JSONText
import Operations
package import Proxy
import Synchronization

/// Answers the requests of snapshots under two configurations, from the documents of the snapshots alone.
package struct SnapshotReplay: Sendable {
    /// A configuration with its routes and without a server, whose upstreams are never asked.
    private struct Side: Sendable {
        let router: Router
        let drift: DriftBook

        init(_ configuration: Configuration, _ file: ConfigurationFile) throws {
            try configuration.requireStacks()
            var configuration = configuration
            for index in configuration.upstreams.indices { configuration.upstreams[index].sample = nil }
            let log = Log(writer: LineWriter("replay", maximumBytes: 0) { _ in true })
            log.setLeastLevel(.error)
            let registry = UpstreamRegistry(
                maximumBodyBytes: configuration.fetching.maximumBodyBytes, maximumCacheBytes: 0, log: log)
            // No request gets a key, so none is read.
            let upstreams = try ConfiguredUpstreams(
                configuration, configuration.upstreams.map { _ in .credentials(.none) }, file, registry, log, .system)
            let sources = FigureSources(registry: registry, interventions: Interventions(registry, log: log))
            router = Router(
                configuration, upstreams, labels: RouteLabels(), OperationsRoutes(sources), LimitLedger(log: log),
                log: log)
            drift = registry.drift
        }
    }

    /// A request of a client, and when its document was received.
    private struct Request: Sendable {
        let route: String, target: String, time: Int
    }

    /// A time of day, which threads of the pool read, too.
    private final class TimeOfRequest: Sendable {
        let seconds = Atomic(0)
    }

    /// An event loop that answers requests one after another, with its own time of day.
    private final class Worker: Sendable {
        private let time = TimeOfRequest()
        let context: ShardContext

        init(_ shard: Shard) {
            let clock = Clock(now: { .now }, milliseconds: { [time] in time.seconds.load(ordering: .relaxed) * 1000 })
            context = ShardContext(shard, client: Client(on: shard), clock: clock)
        }

        /// The time of day for the request that is answered.
        func stand(at seconds: Int) { time.seconds.store(seconds, ordering: .relaxed) }
    }

    /// The requests whose changes are in memory at a time.
    private static let batch = 1024

    private let old: Side, new: Side
    private let documents: ReplayedDocuments
    private let requests: [Request]
    private let report: ReplayReport

    /// A replay of documents; `accepted` are paths and routes whose changes are announced.
    package init(
        _ documents: [KeptDocument], from old: (configuration: Configuration, file: ConfigurationFile),
        to new: (configuration: Configuration, file: ConfigurationFile), accepting accepted: [String]
    ) throws {
        (self.old, self.new) = (try Side(old.configuration, old.file), try Side(new.configuration, new.file))
        self.documents = ReplayedDocuments(documents)
        var known: Set<String> = []
        requests = documents.compactMap { document in
            guard let (route, target) = document.request, known.insert(target).inserted else { return nil }
            return Request(route: route, target: target, time: document.time)
        }
        let withoutRequest = documents.count { $0.request == nil }
        report = ReplayReport(documents: documents.count, withoutRequest: withoutRequest, accepting: accepted)
    }

    /// Answers all requests on all processors, each at the time at which its document was received.
    package func run() async throws -> ReplayReport {
        let workers = try (0..<Processors.available).map { try Worker(Shard(index: $0)) }
        for worker in workers { worker.context.shard.start() }
        var report = report
        for start in stride(from: 0, to: requests.count, by: Self.batch) {
            let batch = start..<min(start + Self.batch, requests.count)
            for (request, verdict) in zip(requests[batch], await verdicts(on: batch, workers)) {
                let pairs = (try? RequestTarget(request.target))?.query.pairs ?? []
                report.note(
                    verdict, route: request.route, parameters: Set(pairs.map(\.name)).sorted(), target: request.target)
            }
        }
        for worker in workers { worker.context.shard.stop() }
        report.note(drift: new.drift.summary().patterns, beside: old.drift.summary().patterns)
        return report
    }

    private func verdicts(on batch: Range<Int>, _ workers: [Worker]) async -> [ReplayReport.Verdict] {
        await withTaskGroup(of: [(Int, ReplayReport.Verdict)].self) { group in
            for (number, worker) in workers.enumerated() {
                let indices = stride(from: batch.lowerBound + number, to: batch.upperBound, by: workers.count)
                group.addTask(executorPreference: worker.context.shard) { await verdicts(on: indices, worker) }
            }
            return await group.reduce(into: []) { $0 += $1 }.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    private func verdicts(on indices: StrideTo<Int>, _ worker: Worker) async -> [(Int, ReplayReport.Verdict)] {
        var verdicts: [(Int, ReplayReport.Verdict)] = []
        for index in indices {
            worker.stand(at: requests[index].time)
            verdicts.append((index, await verdict(on: requests[index].target, worker.context)))
        }
        return verdicts
    }

    private func verdict(on target: String, _ context: ShardContext) async -> ReplayReport.Verdict {
        let former = ReplayedRequest(documents), latter = ReplayedRequest(documents, after: former)
        let before = await old.router.response(to: target, replaying: former, on: context)
        let now = await new.router.response(to: target, replaying: latter, on: context)
        let (hadAnswer, hasAnswer) = (before?.isAnswer == true, now?.isAnswer == true)
        guard hadAnswer else { return hasAnswer ? .answeredNow : .neverAnswered }
        guard let now, hasAnswer || now.status != .gatewayTimeout || !latter.lacksDocuments else { return .notAnswered }
        guard hasAnswer else { return .failed(status: now.status.code, detail: now.reason) }
        let changes = AnswerComparison(before?.body ?? [], now.body).changes
        return changes.isEmpty ? .equal : .changed(changes)
    }
}

extension Response {
    fileprivate var isAnswer: Bool { 200..<300 ~= status.code }

    /// What a problem says, in the form of any route.
    fileprivate var reason: String {
        var parser = JSONParser()
        return (try? parser.withDocument(body) { ($0["detail"] ?? $0["error"])?.string ?? "" }) ?? ""
    }
}
