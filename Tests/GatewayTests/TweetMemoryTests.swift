import EventLoop
import Testing

@testable import Gateway

@Suite("Memory of tweet upstreams")
struct TweetMemoryTests {
    private static let start = MonotonicTime.now

    @Test("A user's id is known for an hour", arguments: [(0, true), (3599, true), (3600, false)])
    func lifetime(seconds: Int, isKnown: Bool) {
        let memory = TweetMemory()
        memory.setUserID("9", of: "weir", now: Self.start)
        #expect(memory.userID(of: "weir", now: Self.start + .seconds(seconds)) == (isKnown ? "9" : nil))
        #expect(memory.userID(of: "gauge", now: Self.start) == nil)
        memory.setUserID(nil, of: "weir", now: Self.start)
        #expect(memory.userID(of: "weir", now: Self.start) == nil)
    }

    @Test("Of too many users the oldest is forgotten")
    func bound() {
        let memory = TweetMemory()
        for number in 0...1000 { memory.setUserID("9", of: "\(number)", now: Self.start + .seconds(number)) }
        let known = (0...1000).filter { memory.userID(of: "\($0)", now: Self.start + .seconds(1000)) != nil }
        #expect(known == Array(1...1000))
    }

    @Test("The memory of an upstream outlives a reload")
    func reload() {
        let registry = UpstreamRegistry()
        var configuration = UpstreamConfiguration()
        configuration.name = "x"
        registry.state(for: configuration).tweets.setUserID("9", of: "weir", now: Self.start)
        registry.state(for: configuration).tweets.vocabulary = 1
        #expect(registry.state(for: configuration).tweets.userID(of: "weir", now: Self.start) == "9")
        #expect(registry.state(for: configuration).tweets.vocabulary == 1)
    }
}
