import Settings
import EventLoop
import HTTPClient
import HTTPCore
import Operations
import TestSupport

@testable import Proxy

/// Replicas that share a store, with one event loop and one clock.
struct ReplicaTest {
    let time = MovedTime()
    let store: InMemoryStore
    let links: [InMemoryLink]
    let shared: [SharedReplicas]
    let replicas: [StageTest]

    init(
        _ count: Int = 2,
        policy: CachePolicy = CachePolicy(defaultLifetime: 60, negativeLifetime: 60, staleIfError: 600),
        maximumDocumentBytes: Int = 1 << 20, onLoss: SharedReplicas.Rule = .share,
        change: (inout UpstreamConfiguration) -> Void = { _ in }
    ) throws {
        let (store, time) = (InMemoryStore(time), time)
        let links = (0..<count).map { _ in InMemoryLink(store) }
        (self.store, self.links) = (store, links)
        shared = links.map {
            SharedReplicas(
                $0, replicas: count, onLoss: onLoss, maximumDocumentBytes: maximumDocumentBytes)
        }
        let shard = try Shard(index: 0)
        shard.start()
        replicas = try shared.map {
            try StageTest(policy: policy, shared: $0, time: time, shard: shard, change: change)
        }
    }

    func stop() { replicas[0].stop() }

    /// The stages of a fetch, from the cache on.
    static let stages: [Stage] = [.cache, .coalesce, .replicas, .keep]

    /// Asks a replica for the document, whose upstream answers with `rest`.
    func start(
        _ replica: Int, directives: String = "", seconds: Int = 600,
        rest: @escaping @Sendable (Fetch) async throws(FetchFailure) -> Answer
    ) -> Task<StageTest.Outcome, Never> {
        let test = replicas[replica]
        return test.start(Self.stages, test.fetch(directives: directives, seconds: seconds), rest: rest)
    }

    /// Asks a replica, and waits until everything is written.
    func run(
        _ replica: Int, directives: String = "",
        rest: @escaping @Sendable (Fetch) async throws(FetchFailure) -> Answer
    ) async -> StageTest.Outcome {
        let outcome = await start(replica, directives: directives, rest: rest).value
        await shared[replica].settle()
        return outcome
    }

    /// A document that the upstream sends now.
    func found(
        _ body: String, _ headers: [(name: String, value: String)] = [], status: Status = .ok,
        failure: FetchFailure? = nil
    ) -> Answer {
        let test = replicas[0]
        return Answer(
            test.document(status, body, at: time.clock.seconds, headers: headers, failure: failure), of: test.upstream)
    }

    func count(_ event: SharedReplicas.Event, of replica: Int = 1) -> Int {
        shared[replica].events.first { $0.event == event }?.count ?? 0
    }
}
