import EventLoop
import Testing

@Suite("Monotonic time")
struct MonotonicTimeTests {
    @Test(
        "Adding and subtracting a duration gives the same duration",
        arguments: [Duration.zero, .nanoseconds(1), .milliseconds(1500), .seconds(86_400 * 365)])
    func distance(duration: Duration) {
        let now = MonotonicTime.now
        #expect((now + duration) - now == duration)
        #expect(now - (now + duration) == .zero - duration)
    }

    @Test("A negative duration is added as zero")
    func negative() {
        let now = MonotonicTime.now
        #expect(now + .seconds(-1) == now)
        #expect(now + .nanoseconds(-1) == now)
    }

    @Test(
        "A time beyond the clock's range is in the future",
        arguments: [
            Duration.seconds(Int64.max), .seconds(18_446_744_073) + .milliseconds(900), .seconds(18_446_744_074),
            .seconds(10_000_000_000),
        ])
    func beyondRange(duration: Duration) {
        let now = MonotonicTime.now
        #expect(now + duration > now)
        #expect((now + duration) - now > .seconds(1_000_000_000))
        #expect(now - (now + duration) < .seconds(-1_000_000_000))
    }
}
