import Operations
import Testing

/// The tries of a request, of those who share it, and of the requests within it.
@Suite("Tries of upstreams")
struct UpstreamTriesTests {
    private static func entry(_ result: String) -> UpstreamTry {
        UpstreamTry(upstream: "a", requests: "tweet", result: result, milliseconds: 1, bytes: 2, sent: 1, isReused: nil)
    }

    private static func texts(_ tries: UpstreamTries) -> [String] {
        tries.all.map { $0.isOfOtherRequest ? "\($0.result), shared" : $0.result }
    }

    @Test("A try is under way until its end, also for the request that it belongs to")
    func underWay() {
        let client = UpstreamTries()
        let flight = UpstreamTries(of: client)
        let first = flight.begin { Self.entry("first is under way") }
        let second = flight.begin { Self.entry("second is under way") }
        for tries in [client, flight] {
            #expect(Self.texts(tries) == ["first is under way", "second is under way"])
        }
        flight.end(second, Self.entry("200"))
        for tries in [client, flight] { #expect(Self.texts(tries) == ["200", "first is under way"]) }
        flight.end(first, Self.entry("500"))
        for tries in [client, flight] { #expect(Self.texts(tries) == ["200", "500"]) }
    }

    @Test("What was done for another request is marked, also for the request that it belongs to")
    func shared() {
        let (client, other) = (UpstreamTries(), UpstreamTries())
        let flight = UpstreamTries(of: client)
        other.end(other.begin { Self.entry("") }, Self.entry("404"))
        _ = other.begin { Self.entry("under way") }
        flight.share(other)
        for tries in [client, flight] { #expect(Self.texts(tries) == ["404, shared", "under way, shared"]) }
        #expect(Self.texts(other) == ["404", "under way"])
    }
}
