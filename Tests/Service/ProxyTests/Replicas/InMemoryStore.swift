import Store
import EventLoop
import Synchronization
import Operations

@testable import Proxy

/// The store of a test: what replicas share, on a clock that the test moves.
final class InMemoryStore: Sendable {
    private struct Waiter {
        let number: Int
        let change: Promise<Bool>
    }

    private struct State {
        var values: [String: (bytes: [UInt8], fence: UInt64, end: Int)] = [:]
        var leases: [String: (fence: UInt64, end: Int)] = [:]
        var lastFence: UInt64 = 0
        var used: [String: Int] = [:], heard: [String: Int] = [:]
        var waiters: [String: [Waiter]] = [:]
        var next = 0, epoch = 1, lengthened = 0
        var texts: [[UInt8]] = []
    }

    let time: MovedTime
    private let state = Mutex(State())

    init(_ time: MovedTime) { self.time = time }

    private var now: Int { MovedTime.start * 1000 + time.passed }

    /// All keys and values that were ever written.
    var texts: [[UInt8]] { state.withLock { $0.texts } }
    /// The values by their keys.
    var values: [String: [UInt8]] { state.withLock { $0.values.mapValues(\.bytes) } }
    /// The number of tasks that wait for a change.
    var waiting: Int { state.withLock { $0.waiters.values.reduce(0) { $0 + $1.count } } }
    /// How often a lease was made longer.
    var lengthened: Int { state.withLock { $0.lengthened } }
    var leases: Int { state.withLock { [now] in $0.leases.values.count { $0.end > now } } }

    /// Puts a value in place of the one that was written.
    func replace(_ key: String, with bytes: [UInt8]) { state.withLock { $0.values[key]?.bytes = bytes } }

    /// Forgets everything, as a server that starts again without its data.
    func clear() {
        state.withLock { state in
            (state.values, state.leases, state.used, state.heard) = ([:], [:], [:], [:])
            state.epoch += 1
        }
    }

    /// The requests of a quota that were taken in all windows of a period.
    func used(_ quota: String, _ period: SharedWindow.Period) -> Int {
        state.withLock { state in
            state.used.filter { $0.key.hasPrefix("\(quota) ") && $0.key.contains(" \(period) ") }.values.reduce(0, +)
        }
    }

    fileprivate func value(_ key: String) -> [UInt8]? {
        state.withLock { [now] state in state.values[key].flatMap { $0.end > now ? $0.bytes : nil } }
    }

    fileprivate func keep(_ value: [UInt8], _ key: String, _ milliseconds: Int, _ fence: UInt64) -> Bool {
        let waiters: [Waiter]? = state.withLock { [now] state in
            state.texts += [Array(key.utf8), value]
            if let known = state.values[key], known.fence > fence { return nil }
            state.values[key] = (value, fence, now + milliseconds)
            if state.leases[key]?.fence == fence { state.leases[key] = nil }
            return state.waiters.removeValue(forKey: key) ?? []
        }
        for waiter in waiters ?? [] { waiter.change.finish(true) }
        return waiters != nil
    }

    fileprivate func lease(_ key: String, _ milliseconds: Int, _ fence: UInt64?) -> SharedLease {
        state.withLock { [now] state in
            state.texts.append(Array(key.utf8))
            if let fence, let lease = state.leases[key], lease.fence == fence, lease.end > now {
                state.leases[key] = (fence, now + milliseconds)
                state.lengthened += 1
                return .granted(fence: fence)
            }
            if let lease = state.leases[key], lease.end > now { return .held(milliseconds: lease.end - now) }
            state.lastFence += 1
            state.leases[key] = (state.lastFence, now + milliseconds)
            return .granted(fence: state.lastFence)
        }
    }

    fileprivate func release(_ key: String, _ fence: UInt64) {
        let waiters: [Waiter] = state.withLock { state in
            guard state.leases[key]?.fence == fence else { return [] }
            state.leases[key] = nil
            return state.waiters.removeValue(forKey: key) ?? []
        }
        for waiter in waiters { waiter.change.finish(true) }
    }

    /// Waits for a change, which is told at once.
    fileprivate func change(
        _ key: String, until end: MonotonicTime, on shard: Shard
    ) async throws(SharedFault) -> Bool {
        // Before the waiter can be seen: a test may move the clock as soon as a task waits.
        let moment = time.passed + max(0, (end - time.now).wholeMilliseconds)
        let waiter: Waiter? = state.withLock { [now] state in
            guard let lease = state.leases[key], lease.end > now else { return nil }
            state.next += 1
            let waiter = Waiter(number: state.next, change: Promise())
            state.waiters[key, default: []].append(waiter)
            return waiter
        }
        guard let waiter else { return true }
        time.schedule(at: moment) { [self] in
            let isWaiting = state.withLock { state in
                let before = state.waiters[key]?.count ?? 0
                state.waiters[key]?.removeAll { $0.number == waiter.number }
                return state.waiters[key]?.count ?? 0 < before
            }
            if isWaiting { waiter.change.finish(false) }
        }
        guard let change = await waiter.change.wait(until: .now + .seconds(600), on: shard) else { throw .cancelled }
        return change
    }

    func allot(
        _ count: Int, _ quota: String, _ windows: [SharedWindow], epoch: Int, replica: Int
    ) -> SharedAllotment {
        state.withLock { [now] state in
            state.texts.append(Array(quota.utf8))
            let keys = windows.map { Self.key(quota, $0, now) }
            for (key, window) in zip(keys, windows) where key == Self.key(quota, window, window.start * 1000) {
                if epoch != state.epoch { state.used[key] = max(state.used[key] ?? 0, window.known) }
                let heard = state.heard["\(key) \(replica)"] ?? window.counted
                state.used[key, default: 0] += max(0, window.unasked - heard)
                state.heard["\(key) \(replica)"] = max(heard, window.unasked)
            }
            let hasRoom = zip(keys, windows).allSatisfy { count <= $1.limit - state.used[$0, default: 0] }
            let granted = hasRoom ? count : 0
            for key in keys { state.used[key, default: 0] += granted }
            return SharedAllotment(
                granted: granted, used: keys.map { state.used[$0] ?? 0 }, milliseconds: now, epoch: state.epoch)
        }
    }

    private static func key(_ quota: String, _ window: SharedWindow, _ milliseconds: Int) -> String {
        let period = QuotaBudget.Period(rawValue: window.period.rawValue) ?? .day
        return "\(quota) \(window.period) \(period.window(at: milliseconds / 1000).lowerBound)"
    }
}

/// The connection of one replica to the store: the test cuts it, and makes it slow.
final class InMemoryLink: SharedStore {
    private struct State {
        var isCut = false, losesAnswers = false
        var latency = 0, faults = 0, calls = 0
    }

    /// The milliseconds until a call to a store that does not answer fails.
    private static let timeout = 20

    let store: InMemoryStore
    private let state = Mutex(State())

    init(_ store: InMemoryStore, latency: Int = 0) {
        self.store = store
        state.withLock { $0.latency = latency }
    }

    /// Whether calls fail; after three of them the store is known to be away.
    var isCut: Bool {
        get { state.withLock { $0.isCut } }
        set { state.withLock { ($0.isCut, $0.faults) = (newValue, newValue ? $0.faults : 0) } }
    }

    /// Whether the store counts requests without answering.
    var losesAnswers: Bool {
        get { state.withLock { $0.losesAnswers } }
        set { state.withLock { $0.losesAnswers = newValue } }
    }

    /// The number of calls that were made.
    var calls: Int { state.withLock { $0.calls } }

    func isReachable(on shard: Shard) -> Bool { state.withLock { $0.faults < 3 } }

    private func pass(on shard: Shard) async throws(SharedFault) {
        let (latency, isCut) = state.withLock { state in
            state.calls += 1
            if state.isCut { state.faults += 1 }
            return (state.latency, state.isCut)
        }
        let delay = isCut ? Self.timeout : latency
        if latency > 0 { await store.time.sleep(milliseconds: delay, on: shard) }
        if isCut { throw .timeout }
    }

    func value(_ key: String, on shard: Shard) async throws(SharedFault) -> [UInt8]? {
        try await pass(on: shard)
        return store.value(key)
    }

    func keep(
        _ value: [UInt8], _ key: String, milliseconds: Int, fence: UInt64, on shard: Shard
    ) async throws(SharedFault) {
        try await pass(on: shard)
        guard store.keep(value, key, milliseconds, fence) else { throw .superseded }
    }

    func lease(
        _ key: String, milliseconds: Int, fence: UInt64?, on shard: Shard
    ) async throws(SharedFault) -> SharedLease {
        try await pass(on: shard)
        return store.lease(key, milliseconds, fence)
    }

    func release(_ key: String, fence: UInt64, on shard: Shard) async throws(SharedFault) {
        try await pass(on: shard)
        store.release(key, fence)
    }

    func change(of key: String, until end: MonotonicTime, on shard: Shard) async throws(SharedFault) -> Bool {
        try await pass(on: shard)
        return try await store.change(key, until: end, on: shard)
    }

    func allot(
        _ count: Int, of quota: String, windows: [SharedWindow], epoch: Int, on shard: Shard
    ) async throws(SharedFault) -> SharedAllotment {
        try await pass(on: shard)
        let answer = store.allot(
            count, quota, windows, epoch: epoch, replica: ObjectIdentifier(self).hashValue)
        if losesAnswers { throw .timeout }
        return answer
    }

    func spend(_ spendings: [SharedSpending], on shard: Shard) async throws(SharedFault) -> [Int] {
        try await pass(on: shard)
        return spendings.map { _ in 0 }
    }
}
