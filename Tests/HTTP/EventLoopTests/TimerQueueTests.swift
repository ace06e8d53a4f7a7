import Testing

@testable import EventLoop

@Suite("Timer queue")
struct TimerQueueTests {
    private static func moment(_ milliseconds: Int) -> MonotonicTime {
        MonotonicTime(nanoseconds: UInt64(milliseconds) * 1_000_000)
    }

    @Test(
        "Timers fire in the order of their times, independent of the order of insertion",
        arguments: [
            [], [5], [1, 2, 3], [3, 2, 1], [2, 2, 1, 1, 3], (0..<500).map { $0 * 7919 % 503 },
        ] as [[Int]])
    func order(times: [Int]) {
        var queue = TimerQueue()
        var fired: [Int] = []
        for time in times { queue.insert(ShardTimer { fired.append(time) }, at: Self.moment(time)) }
        #expect(queue.first == times.min().map(Self.moment))
        while let timer = queue.popDue(at: Self.moment(1000)) { timer.action?() }
        #expect(fired == times.sorted())
        #expect(queue.first == nil)
    }

    @Test("A timer does not fire before its time")
    func due() {
        var queue = TimerQueue()
        queue.insert(ShardTimer {}, at: Self.moment(10))
        #expect(queue.popDue(at: MonotonicTime(nanoseconds: 9_999_999)) == nil)
        #expect(queue.popDue(at: Self.moment(10)) != nil)
        #expect(queue.popDue(at: Self.moment(10)) == nil)
    }

    @Test("Cancelled timers are removed before their time")
    func cancelled() {
        var queue = TimerQueue()
        var fired: [Int] = []
        for time in 0..<10_000 {
            let timer = ShardTimer { fired.append(time) }
            queue.insert(timer, at: Self.moment(20_000 - time))
            if time % 100 != 0 { timer.cancel() }
        }
        #expect(queue.count < 1000)
        while let timer = queue.popDue(at: Self.moment(20_000)) { timer.action?() }
        #expect(fired == stride(from: 9900, through: 0, by: -100).map { $0 })
    }
}
