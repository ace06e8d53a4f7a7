import Testing

@testable import Proxy

struct LatencyHistogramTests {
    private func histogram(_ milliseconds: some Sequence<Int>) -> LatencyHistogram {
        milliseconds.reduce(into: LatencyHistogram()) { $0.add(.milliseconds($1)) }
    }

    @Test func anEmptyOneHasNoFigures() {
        let empty = LatencyHistogram()
        #expect(empty.count == 0)
        #expect(empty.mean == nil)
        #expect(empty.percentile(0.5) == nil)
    }

    @Test(arguments: [(0.5, 500.0), (0.95, 950), (0.99, 990), (0, 1), (1, 1000)])
    func aPercentileIsWithinASixteenth(_ part: Double, _ milliseconds: Double) throws {
        let figures = histogram((1...1000).shuffled())
        let found = try #require(figures.percentile(part)) / .milliseconds(1)
        #expect((milliseconds * 15 / 16)...(milliseconds * 17 / 16) ~= found)
        #expect(figures.count == 1000)
        #expect(figures.mean == .microseconds(500_500))
    }

    @Test func everyDurationHasABucket() throws {
        for exponent in 0..<60 {
            for duration in [Duration.nanoseconds(1 << exponent), .nanoseconds((1 << exponent) * 3 / 2), .zero] {
                var figures = LatencyHistogram()
                figures.add(duration)
                let found = try #require(figures.percentile(0.5))
                let error = abs((found - duration) / max(duration, .microseconds(16)))
                #expect(error <= 1.0 / 16 || duration > .seconds(1800), "\(duration) \(found)")
            }
        }
        var negative = LatencyHistogram()
        negative.add(.seconds(-1))
        #expect(negative.percentile(1) == .zero)
    }

    @Test func percentilesFollowTheRecentPast() throws {
        let figures = histogram(Array(repeating: 10, count: 20_000) + Array(repeating: 1000, count: 40_000))
        #expect(figures.count == 60_000)
        #expect(try #require(figures.percentile(0.5)) > .milliseconds(900))
    }
}
