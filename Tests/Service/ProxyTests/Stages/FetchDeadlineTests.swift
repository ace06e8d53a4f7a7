import EventLoop
import Testing

@testable import Proxy

struct FetchDeadlineTests {
    private let start = MonotonicTime.now

    private func share(_ milliseconds: Int, of count: Int) -> Double {
        let deadline = FetchDeadline(end: start + .milliseconds(milliseconds))
        return (deadline.shareEnd(forFirstOf: count, at: start) - start) / .milliseconds(1)
    }

    @Test func theSharesFallAndTheLastUpstreamGetsTheRest() {
        #expect(share(5000, of: 3) == 2500)
        #expect(share(2500, of: 2).rounded() == 1667)
        #expect(share(833, of: 1) == 833)
        #expect(share(5000, of: 1) == 5000)
        #expect(share(5000, of: 9) == 1000)
    }

    /// However many upstreams are silent, each is tried, and all together take no more than the deadline.
    @Test(arguments: 1...20)
    func everyUpstreamGetsAChanceWithinTheDeadline(_ count: Int) {
        let deadline = FetchDeadline(end: start + .seconds(5))
        var now = start
        for left in (1...count).reversed() {
            let end = deadline.shareEnd(forFirstOf: left, at: now)
            #expect(end - now >= .milliseconds(20))
            now = end
        }
        #expect(now == deadline.end)
    }

    @Test func nothingIsTriedInTheLastMoments() {
        let deadline = FetchDeadline(end: start + .seconds(5))
        #expect(!deadline.hasPassed(at: start + .milliseconds(4997)))
        #expect(deadline.hasPassed(at: start + .milliseconds(4998)))
        #expect(deadline.hasPassed(at: start + .seconds(6)))
        #expect(deadline.shareEnd(forFirstOf: 2, at: start + .seconds(6)) == deadline.end)
    }
}
