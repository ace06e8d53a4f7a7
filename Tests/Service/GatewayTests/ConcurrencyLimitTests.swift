import EventLoop
import Foundation
import TestSupport
import Testing

@testable import Gateway

/// An upstream that serves some requests at a time and lets the others wait, with clients that always want more.
private struct SimulatedUpstream {
    var limit: ConcurrencyLimit
    /// The requests that the upstream works on at a time.
    var workers: Int
    var clients = 200
    /// How long a request takes once a worker is free, from a random number from 0 to 1.
    var time: @Sendable (Double) -> Duration = { .microseconds(10_000 + Int($0 * 20_000)) }
    private var random = SplitMix64(seed: 7)
    private let start = MonotonicTime.now
    private var now = Duration.zero
    /// When each worker is done with what it has, and the requests under way by their end.
    private var free: [Duration] = []
    private var underWay: [(start: Duration, end: Duration)] = []

    init(maximum: Int, workers: Int) {
        limit = ConcurrencyLimit(maximum: maximum)
        self.workers = workers
    }

    /// Runs until `count` transfers have ended; returns the transfers per second and their mean time.
    mutating func run(_ count: Int) -> (rate: Double, mean: Duration) {
        let begin = now
        var sum = Duration.zero
        for _ in 0..<count {
            while underWay.count < min(limit.current, clients) { send() }
            guard let next = underWay.indices.min(by: { underWay[$0].end < underWay[$1].end }) else { break }
            let transfer = underWay[next]
            now = max(now, transfer.end)
            limit.note(.served(now - transfer.start), used: underWay.count, at: start + now)
            underWay.remove(at: next)
            sum += now - transfer.start
        }
        return (Double(count) / ((now - begin) / .seconds(1)), sum / count)
    }

    private mutating func send() {
        free.removeAll { $0 <= now }
        let begin = free.count < workers ? now : free.sorted()[free.count - workers]
        let end = begin + time(Double.random(in: 0..<1, using: &random))
        free.append(end)
        underWay.append((now, end))
    }
}

struct ConcurrencyLimitTests {
    @Test(arguments: [2, 8, 40])
    func theLimitFindsWhatTheUpstreamCanDo(_ workers: Int) {
        var upstream = SimulatedUpstream(maximum: 1000, workers: workers)
        _ = upstream.run(40_000)
        for _ in 1...20 {
            let (rate, mean) = upstream.run(2000)
            #expect(rate > 0.85 * Double(workers) / 0.020, "\(workers) workers")
            #expect(mean < .milliseconds(60), "\(workers) workers")
        }
    }

    @Test func theLimitFollowsAnUpstreamThatChanges() {
        var upstream = SimulatedUpstream(maximum: 1000, workers: 30)
        _ = upstream.run(40_000)
        upstream.workers = 3
        _ = upstream.run(10_000)
        #expect(upstream.limit.current <= 12)
        upstream.workers = 30
        _ = upstream.run(40_000)
        #expect(upstream.run(2000).rate > 0.8 * 30 / 0.020)
    }

    /// A fixed limit of 200 would wait at the upstream for half a second.
    @Test func withoutOverloadTheLimitReachesItsMaximum() {
        var upstream = SimulatedUpstream(maximum: 64, workers: 500)
        _ = upstream.run(20_000)
        #expect(upstream.limit.current == 64)
    }

    @Test func theLimitDoesNotGrowWithoutNeed() {
        var upstream = SimulatedUpstream(maximum: 1000, workers: 500)
        upstream.clients = 5
        _ = upstream.run(20_000)
        #expect(upstream.limit.current <= 16)
    }

    /// Times that do not depend on the load, with a mean of 60 ms.
    private static let times: [(name: String, time: @Sendable (Double) -> Duration)] = [
        ("exponential", { .microseconds(Int(-60_000 * log(1 - $0))) }),
        ("a third is fast", { .milliseconds($0 < 0.3 ? 4 : 84) }),
        ("one of 20 takes a second", { .milliseconds($0 < 0.05 ? 1000 : 11) }),
    ]

    @Test(arguments: times.map(\.name))
    func timesThatVaryDoNotLowerTheLimit(_ name: String) {
        for clients in [16, 64] {
            var upstream = SimulatedUpstream(maximum: 64, workers: 500)
            upstream.clients = clients
            upstream.time = Self.times.first { $0.name == name }?.time ?? upstream.time
            _ = upstream.run(10_000)
            for _ in 1...20 {
                let rate = upstream.run(2000).rate
                #expect(rate > 0.75 * Double(clients) / 0.060, "\(clients) clients")
            }
        }
    }

    @Test func anUpstreamThatBecomesSlowerIsMeasuredAgain() {
        var upstream = SimulatedUpstream(maximum: 64, workers: 500)
        upstream.clients = 16
        upstream.time = { _ in .milliseconds(4) }
        _ = upstream.run(10_000)
        upstream.time = { _ in .milliseconds(60) }
        // Of the 16,000 requests that it could serve in a minute.
        let (rate, _) = upstream.run(12_000)
        #expect(rate > 200)
    }

    @Test func timeoutsAndRefusalsLowerTheLimit() {
        var limit = ConcurrencyLimit(maximum: 64)
        let start = MonotonicTime.now
        for number in 0..<2000 {
            limit.note(.overloaded, used: 16, at: start + .milliseconds(10 * number))
        }
        #expect(limit.current == 1)
        limit.update(maximum: 1)
        #expect(limit.current == 1)
    }

    @Test(arguments: [
        (200, true, false), (304, false, false), (404, false, false), (500, false, false), (502, false, false),
        (408, true, true), (429, true, true), (503, true, true), (504, true, true),
    ])
    func fastAnswersWithoutADocumentSayNothing(_ status: Int, _ counts: Bool, _ isOverloaded: Bool) {
        let outcome = ConcurrencyLimit.Outcome(status: status, .seconds(1))
        #expect((outcome != nil) == counts)
        #expect((outcome == .overloaded) == isOverloaded)
    }
}
