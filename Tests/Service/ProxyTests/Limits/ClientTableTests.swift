import Synchronization
import Testing

@testable import Proxy

/// The rates of clients and the table that holds them, on a clock of the test.
struct ClientTableTests {
    private static let second: UInt64 = 1_000_000_000
    /// The clock of a machine that has run for a while.
    private static let start = 1_000 * second

    @Test("A client has its burst at once and then the rate, and a pause gives it no more than the burst again")
    func rate() {
        let rate = RequestRate(requests: 10, perSeconds: 1, burst: 20)
        let table = ClientTable(bytes: 0)
        func admitted(_ count: Int, _ milliseconds: UInt64) -> Int {
            (0..<count).count { _ in
                let now = Self.start + milliseconds * 1_000_000
                if case .admitted = table.take(1, of: rate, 7, at: now) { return true }
                return false
            }
        }
        #expect(admitted(100, 0) == 20)
        #expect(admitted(100, 99) == 0)
        #expect(admitted(100, 100) == 1)
        #expect(admitted(100, 1_100) == 10)
        #expect(admitted(100, 60_000) == 20)
        // A steady client at the rate never waits, whatever has been before.
        #expect((1...1_000).allSatisfy { admitted(1, 60_000 + UInt64($0) * 100) == 1 })
        // An event loop whose clock is a little behind gives nothing away.
        #expect(admitted(100, 159_000) == 0)
    }

    @Test(
        "A refusal says when the request may be repeated",
        arguments: [
            (1, 1, 1, 1), (10, 1, 20, 1), (1, 86_400, 1, 1), (1_000_000, 1, 1_000_000, 1), (3, 7, 5, 4),
            (1_000_000, 86_400, 1_000_000, 999_999),
        ])
    func refusal(_ requests: Int, _ seconds: Int, _ burst: Int, _ cost: Int) {
        let rate = RequestRate(requests: requests, perSeconds: seconds, burst: burst)
        var state: UInt64 = 0
        while case .admitted(let next) = rate.decide(cost, state: state, at: Self.start) { state = next }
        guard case .refused(let delay) = rate.decide(cost, state: state, at: Self.start) else { return }
        #expect(delay > 0)
        let left = rate.left(after: delay, of: cost)
        #expect(left < cost)
        // As many as are left are admitted now, and not one more.
        if left > 0 { #expect(rate.decide(left, state: state, at: Self.start) != .refused(after: delay)) }
        guard case .refused = rate.decide(left + 1, state: state, at: Self.start) else {
            Issue.record("\(left) are not all that is left")
            return
        }
        guard case .refused = rate.decide(cost, state: state, at: Self.start + delay - 1) else {
            Issue.record("admitted before its time")
            return
        }
        guard case .admitted = rate.decide(cost, state: state, at: Self.start + delay) else {
            Issue.record("refused after its time")
            return
        }
    }

    @Test("The extremes of the settings stay in 64 bits")
    func extremes() {
        let rate = RequestRate(requests: 1, perSeconds: 86_400, burst: 1_000_000)
        var state: UInt64 = 0
        for _ in 0..<3 {
            if case .admitted(let next) = rate.decide(999_999, state: state, at: Self.start) { state = next }
        }
        guard case .refused(let delay) = rate.decide(999_999, state: state, at: Self.start) else {
            Issue.record("too many requests are admitted")
            return
        }
        #expect(delay < 1 << 61)
    }

    @Test("A million addresses stay in the bound, and those that have used their burst keep what they have used")
    func bound() {
        let rate = RequestRate(requests: 1, perSeconds: 1, burst: 5)
        let table = ClientTable(bytes: 1 << 20)
        #expect(table.bytes == 1 << 20)
        func client(_ number: UInt64) -> UInt64 {
            var hash = Hasher()
            hash.combine(number)
            return UInt64(bitPattern: Int64(hash.finalize()))
        }
        // A thousand clients at their limits.
        for number in 0..<UInt64(1_000) {
            for _ in 0..<5 { _ = table.take(1, of: rate, client(number), at: Self.start) }
        }
        // A million others with a request each, within four seconds: their states are nearer to the full burst.
        for number in 0..<UInt64(1_000_000) {
            _ = table.take(1, of: rate, client(1_000_000 + number), at: Self.start + number * 4_000)
        }
        let refused = (0..<UInt64(1_000)).count { number in
            if case .refused = table.take(5, of: rate, client(number), at: Self.start + 4 * Self.second) { return true }
            return false
        }
        #expect(refused > 990)
        #expect(table.evictions > 0)
        #expect(ClientTable(bytes: .max).bytes == 16 << 20)
        #expect(ClientTable(bytes: 5 << 20).bytes == 4 << 20)
    }

    @Test("The coldest of a full set leaves")
    func coldest() {
        let rate = RequestRate(requests: 1, perSeconds: 1, burst: 100)
        let table = ClientTable(bytes: 1 << 20)
        // Keys of one set, whose number is in their low bits.
        let sets = UInt64((1 << 20) / 128)
        let keys = (1...8).map { UInt64($0) * sets + 3 }
        for (uses, key) in zip([5, 2, 9, 7, 3, 8, 6, 4], keys) {
            _ = table.take(uses, of: rate, key, at: Self.start)
        }
        #expect(table.evictions == 0)
        _ = table.take(50, of: rate, 100 * sets + 3, at: Self.start)
        #expect(table.evictions == 1)
        func isKnown(_ key: UInt64, used: Int) -> Bool {
            if case .refused = table.take(101 - used, of: rate, key, at: Self.start) { return true }
            return false
        }
        let others = zip([5, 9, 7, 3, 8, 6, 4], keys.filter { $0 != keys[1] })
        #expect(others.allSatisfy { isKnown($1, used: $0) })
        #expect(!isKnown(keys[1], used: 2))
        let evictions = table.evictions
        // Nobody loses anything once the bursts are full again.
        for number in 200..<300 as Range<UInt64> {
            _ = table.take(1, of: rate, number * sets + 5, at: Self.start + 1_000 * Self.second * (number - 199))
        }
        #expect(table.evictions == evictions)
    }

    @Test("Event loops that count one client together admit no more than its burst")
    func together() async {
        let rate = RequestRate(requests: 1, perSeconds: 3600, burst: 1_000)
        let table = ClientTable(bytes: 1 << 20)
        let admitted = await withTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    (0..<1_000).count { _ in
                        if case .admitted = table.take(1, of: rate, 42, at: Self.start) { return true }
                        return false
                    }
                }
            }
            return await group.reduce(0, +)
        }
        // Two of the first requests can find no slot of the client, and one of their states is lost.
        #expect(1_000...1_003 ~= admitted)
    }
}
