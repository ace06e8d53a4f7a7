import Store
import EventLoop
import HTTPCore
import Synchronization
import Operations
import TestSupport
import Testing

@testable import Proxy

/// Twenty replicas with the stages of the cache, on one event loop and a clock that moves when nothing else can be done.
///
/// The upstream answers after 50 to 400 ms with the key and the time; answers are fresh for 30 seconds.
private final class DocumentSimulation: Sendable {
    struct Figures {
        /// The times between which the upstream was asked for each key, in milliseconds.
        var calls: [String: [(start: Int, end: Int)]] = [:]
        var answers = 0, failures = 0, wrong = 0, isAsked: Set<Int> = []
        /// The greatest age of an answer, in milliseconds.
        var oldest = 0
    }

    static let lifetime = 30
    private static let policy = CachePolicy(defaultLifetime: lifetime)

    // A slow machine must not end the fetches.
    private let time = MovedTime(ahead: .seconds(3600))
    private let shard: Shard
    private let store: InMemoryStore
    private let replicas = Mutex<[(test: StageTest, link: InMemoryLink)]>([])
    private let figures = Mutex(Figures())
    private let random: Mutex<SplitMix64>
    private let skew: Int
    let count: Int

    init(seed: UInt64, replicas count: Int, skew: Int) throws {
        (store, shard) = (InMemoryStore(time), try Shard(index: 0))
        random = Mutex(SplitMix64(seed: seed))
        (self.skew, self.count) = (skew, count)
        shard.start()
        for _ in 0..<count {
            let replica = try makeReplica()
            replicas.withLock { $0.append(replica) }
        }
    }

    private func makeReplica() throws -> (test: StageTest, link: InMemoryLink) {
        let link = InMemoryLink(store, latency: 15)
        let shared = SharedReplicas(link, replicas: count)
        return (
            try StageTest(
                policy: Self.policy, shared: shared, time: time, skew: number(in: -skew...skew), shard: shard), link
        )
    }

    private func number(in range: ClosedRange<Int>) -> Int {
        random.withLock { Int.random(in: range, using: &$0) }
    }

    /// Asks random replicas for keys of which the first ones are asked for most, as Zipf's law has it.
    func run(requests: Int, keys: Int, hasFaults: Bool) async throws -> Figures {
        defer { shard.stop() }
        let weights = (1...keys).map { 1000 / $0 }, sum = weights.reduce(0, +)
        let body: @Sendable () async throws -> Void = { [self] in
            var tasks: [Task<Void, Never>] = []
            for request in 0..<requests {
                await pass(milliseconds: number(in: 0...200))
                var (rank, key) = (number(in: 0...sum - 1), 0)
                while rank >= weights[key] { (rank, key) = (rank - weights[key], key + 1) }
                tasks.append(start("/\(key)", on: number(in: 0...count - 1)))
                if hasFaults, request % 20 == 9 { try fault(number(in: 0...count - 1)) }
            }
            await settle()
            while time.moveToNext() { await settle() }
            for task in tasks { await task.value }
        }
        try await Task(executorPreference: shard) { try await body() }.value
        return figures.withLock { $0 }
    }

    /// Cuts a replica off, lets it reach the store again, or ends it and begins another one.
    private func fault(_ index: Int) throws {
        let (_, link) = replicas.withLock { $0[index] }
        if number(in: 0...2) > 0 {
            link.isCut.toggle()
        } else {
            link.isCut = true
            let replica = try makeReplica()
            replicas.withLock { $0[index] = replica }
        }
    }

    private func start(_ target: String, on index: Int) -> Task<Void, Never> {
        let test = replicas.withLock { $0[index].test }
        let begin = time.passed
        let fetch = test.fetch(target: target, seconds: 5)
        return Task(executorPreference: shard) { [self] in
            let outcome = await test.run(ReplicaTest.stages, fetch) { [self] fetch in
                let start = time.passed
                await time.sleep(milliseconds: number(in: 50...400), on: shard)
                figures.withLock { $0.calls[target, default: []].append((start, time.passed)) }
                let document = test.document(
                    .ok, "\(target) \(start)", of: target, at: test.clock.seconds)
                return Answer(document, of: test.upstream)
            }
            figures.withLock { figures in
                let parts = outcome.text.split(separator: " ")
                figures.answers += 1
                guard parts.count == 2, let made = Int(parts[1]) else { return figures.failures += 1 }
                if parts[0] != target { figures.wrong += 1 }
                figures.oldest = max(figures.oldest, begin - made)
            }
        }
    }

    /// Moves the clock, with everything that is due on the way.
    private func pass(milliseconds: Int) async {
        let end = time.passed + milliseconds
        let signal = Watched(false)
        time.schedule(at: end) { signal.update { $0 = true } }
        await settle()
        while !signal.current, time.moveToNext() { await settle() }
    }

    /// Lets everything run that can run before the clock moves.
    private func settle() async {
        for _ in 0..<12 { await Task.yield() }
    }
}

@Suite("Simulation of the replicas' documents", .timeLimit(.minutes(10)))
struct DocumentSimulationTests {
    @Test("Twenty replicas ask the upstream as often as one", arguments: 0..<25)
    func healthy(seed: UInt64) async throws {
        let simulation = try DocumentSimulation(seed: seed, replicas: 20, skew: 0)
        let figures = try await simulation.run(requests: 250, keys: 15, hasFaults: false)
        #expect(figures.answers == 250 && figures.failures == 0 && figures.wrong == 0)
        for calls in figures.calls.values {
            for (earlier, later) in zip(calls, calls.dropFirst()) {
                // The times in documents have no milliseconds.
                #expect(later.start - earlier.start >= DocumentSimulation.lifetime * 1000 - 1000)
            }
        }
        #expect(figures.oldest <= DocumentSimulation.lifetime * 1000 + 1000)
    }

    @Test("With faults everybody gets the document, and no older one than the clocks explain", arguments: 0..<25)
    func faults(seed: UInt64) async throws {
        let skew = 2000
        let simulation = try DocumentSimulation(seed: seed, replicas: 20, skew: skew)
        let figures = try await simulation.run(requests: 250, keys: 15, hasFaults: true)
        #expect(figures.answers == 250 && figures.failures == 0 && figures.wrong == 0)
        #expect(figures.oldest <= DocumentSimulation.lifetime * 1000 + 2 * skew + 1000)
        let calls = figures.calls.values.reduce(0) { $0 + $1.count }
        #expect(calls < 180, "\(calls)")
    }
}
