import Store
import EventLoop
import TestSupport
import Testing

@testable import Proxy

/// Twenty replicas that use up one quota, each with a clock of its own.
private struct QuotaSimulation {
    static let replicas = 20

    private struct Replica {
        var share: QuotaShare
        var budget: QuotaBudget
        var isAway = false
        var name: Int
        /// The milliseconds that its clock is ahead.
        let skew: Int
        /// The requests that it has made in the day.
        var made = 0
    }

    private let time = MovedTime()
    private let store: InMemoryStore
    private let limit: Int
    private let rule: SharedReplicas.Rule
    private var random: SplitMix64
    private var replicas: [Replica] = []
    /// The requests that were made.
    private(set) var made = 0
    /// The number of times that a replica asked the store.
    private(set) var asked = 0

    init(seed: UInt64, limit: Int, rule: SharedReplicas.Rule) {
        (self.limit, self.rule, random) = (limit, rule, SplitMix64(seed: seed))
        store = InMemoryStore(time)
        let budget = QuotaBudget([.day: limit])
        for number in 0..<Self.replicas {
            let skew = Int.random(in: -60_000...60_000, using: &random)
            replicas.append(
                Replica(share: QuotaShare(budget, replicas: Self.replicas), budget: budget, name: number, skew: skew))
        }
    }

    var used: Int { store.used("q", .day) }

    /// The most requests that the replicas can make if all lose the store now: each may use up its share.
    var greatest: Int {
        replicas.reduce(0) { $0 + max($1.made, limit / Self.replicas) }
    }

    /// Makes a request on a replica; a quarter of the replicas gets most of the requests.
    mutating func request() {
        let isBusy = Int.random(in: 0..<4, using: &random) > 0
        request(.random(in: 0..<(isBusy ? Self.replicas / 4 : Self.replicas), using: &random))
    }

    mutating func request(_ index: Int) {
        var replica = replicas[index]
        defer { replicas[index] = replica }
        let now = MovedTime.start * 1000 + time.passed + replica.skew
        let outcome: QuotaBudget.Outcome
        if let spent = replica.share.spent(1, of: replica.budget, at: now) {
            outcome = .refused(spent)
        } else if replica.isAway || !replica.share.asksStore(at: now) {
            if replica.isAway, rule != .deny { replica.share.lose() }
            outcome = replica.share.take(1, without: rule, of: replica.budget, at: now)
        } else {
            asked += 1
            let (windows, epoch) = replica.share.question(of: replica.budget, at: now)
            outcome = replica.share.take(
                1, from: store.allot(1, "q", windows, epoch: epoch, replica: replica.name), of: windows,
                &replica.budget, at: now)
        }
        guard case .admitted = outcome else { return }
        made += 1
        replica.made += 1
    }

    mutating func move(milliseconds: Int) { time.move(milliseconds: milliseconds) }

    /// Ends a random replica, and begins another one in its place.
    mutating func crash() {
        let index = Int.random(in: 0..<Self.replicas, using: &random)
        replicas[index].name += Self.replicas
        let budget = QuotaBudget([.day: limit])
        replicas[index].share = QuotaShare(budget, replicas: Self.replicas)
        replicas[index].budget = budget
    }

    /// Cuts a random replica off, or lets it reach the store again.
    mutating func partition() {
        replicas[.random(in: 0..<Self.replicas, using: &random)].isAway.toggle()
    }

    /// Exchanges the counts of the replicas that reach the store, as each does every second.
    mutating func balance() {
        for index in replicas.indices {
            if replicas[index].isAway {
                replicas[index].share.lose()
                continue
            }
            var replica = replicas[index]
            let now = MovedTime.start * 1000 + time.passed + replica.skew
            let (windows, epoch) = replica.share.question(of: replica.budget, at: now)
            replica.share.add(
                store.allot(0, "q", windows, epoch: epoch, replica: replica.name), of: windows, to: &replica.budget,
                at: now)
            replicas[index] = replica
        }
    }

    /// Takes all counts from the store.
    func loseCounts() { store.clear() }

    /// Lets a replica reach the store again.
    mutating func reconnect(_ index: Int) { replicas[index].isAway = false }

    mutating func cutAll() {
        for index in replicas.indices { replicas[index].isAway = true }
    }
}

@Suite("Simulation of a shared quota")
struct QuotaSimulationTests {
    /// A day begins at this many seconds before `MovedTime.start`.
    private static let day = 86_400_000

    @Test("A quota is spent to its end, and never exceeded", arguments: 0..<50)
    func spent(seed: UInt64) {
        let limit = 1000
        var simulation = QuotaSimulation(seed: seed, limit: limit, rule: .deny)
        // The requests of 18 hours of one day would be a tenth more than the quota allows.
        let requests = limit * 11 / 10
        for _ in 0..<requests {
            simulation.move(milliseconds: Self.day * 5 / 8 / requests)
            simulation.request()
        }
        #expect(simulation.made == limit && simulation.used == limit)
        // A replica that knows that the quota is spent does not ask.
        #expect(simulation.asked <= limit + QuotaSimulation.replicas, "\(simulation.asked) of \(requests)")
    }

    @Test("Replicas that end, clocks that are wrong and a store that is away do not exceed a quota", arguments: 0..<50)
    func faults(seed: UInt64) {
        let limit = 1000
        var simulation = QuotaSimulation(seed: seed, limit: limit, rule: .deny)
        for number in 0..<1500 {
            simulation.move(milliseconds: Self.day * 5 / 8 / 1500)
            simulation.request()
            if number % 40 == 7 { simulation.crash() }
            if number % 25 == 3 { simulation.partition() }
        }
        #expect(simulation.made <= limit && simulation.used <= limit)
    }

    @Test("A store that loses its counts gets them back from the replicas", arguments: 0..<50)
    func lostCounts(seed: UInt64) {
        let limit = 1000
        var simulation = QuotaSimulation(seed: seed, limit: limit, rule: .share)
        for number in 0..<1500 {
            simulation.move(milliseconds: Self.day * 5 / 8 / 1500)
            simulation.request()
            if number % 100 == 57 {
                simulation.balance()
                simulation.loseCounts()
            }
        }
        #expect(simulation.made <= limit && simulation.made * 100 >= limit * 95, "\(simulation.made)")
    }

    @Test("A store that is back without its counts learns of all requests before there are new ones", arguments: 0..<50)
    func regained(seed: UInt64) {
        let limit = 1000
        var simulation = QuotaSimulation(seed: seed, limit: limit, rule: .share)
        for _ in 0..<Int(seed * 15) { simulation.request() }
        simulation.balance()
        simulation.cutAll()
        for _ in 0..<Int(seed * 10) { simulation.request() }
        simulation.loseCounts()
        for replica in 0..<QuotaSimulation.replicas {
            simulation.move(milliseconds: 25)
            simulation.reconnect(replica)
            for _ in 0..<50 { simulation.request() }
        }
        for _ in 0..<20 {
            simulation.balance()
            simulation.move(milliseconds: 500)
            for _ in 0..<200 { simulation.request() }
        }
        #expect(simulation.made <= limit && simulation.made * 100 >= limit * 95, "\(simulation.made)")
    }

    @Test("Without the store, the replicas share what is left, however they have used the quota", arguments: 0..<50)
    func rest(seed: UInt64) {
        let limit = 1000
        var simulation = QuotaSimulation(seed: seed, limit: limit, rule: .share)
        for _ in 0..<Int(seed * 20) { simulation.request() }
        simulation.balance()
        simulation.cutAll()
        for _ in 0..<5000 { simulation.request() }
        #expect(simulation.made <= limit, "\(simulation.made)")
    }

    @Test("Without the store, no replica makes more than its share", arguments: 0..<50)
    func share(seed: UInt64) {
        let limit = 1000
        var simulation = QuotaSimulation(seed: seed, limit: limit, rule: .share)
        // Evenly, as a load balancer does it: no replica has used more than its share when the store is lost.
        for number in 0..<Int(100 + seed * 15) { simulation.request(number % QuotaSimulation.replicas) }
        simulation.cutAll()
        #expect(simulation.greatest == limit)
        for _ in 0..<5000 { simulation.request() }
        for number in 0..<2000 { simulation.request(number % QuotaSimulation.replicas) }
        #expect(simulation.made <= limit)
        #expect(simulation.made * 100 >= limit * 95, "\(simulation.made)")
    }
}
