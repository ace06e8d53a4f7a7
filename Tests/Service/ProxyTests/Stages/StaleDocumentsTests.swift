import HTTPClient
import HTTPCore
import Testing

@testable import Proxy

@Suite("Stale documents", .timeLimit(.minutes(10)))
struct StaleDocumentsTests {
    private static let policy = CachePolicy(defaultLifetime: 60, staleIfError: 100)

    @Test(
        "A stale document serves after a failure that says nothing about the document",
        arguments: [
            (FetchFailure.transfer(.tooSlow), "Weir; fwd=stale; ttl=-40" as String?),
            (.answered(500), "Weir; fwd=stale; fwd-status=500; ttl=-40"),
            (.answered(401), "Weir; fwd=stale; fwd-status=401; ttl=-40"),
            (.answered(403), "Weir; fwd=stale; fwd-status=403; ttl=-40"),
            (.unusable("it is HTML"), "Weir; fwd=stale; fwd-status=200; ttl=-40"),
            (.suspended(seconds: 1), "Weir; fwd=stale; ttl=-40"), (.answered(404), nil), (.answered(410), nil),
            (.answered(400), nil), (.status(403, meaning: 403, message: nil, retryAfter: nil), nil), (.notInCache, nil),
            (.transfer(.cancelled), nil),
        ])
    func failures(failure: FetchFailure, status: String?) async throws {
        let test = try StageTest(policy: Self.policy)
        defer { test.stop() }
        test.cache.insert(test.document(.ok, "kept", at: MovedTime.start - 100))
        let stale = test.fetch().stale(after: failure)
        let expected = status.map { $0 + #"; detail="the upstream failed""# }
        #expect(stale.flatMap { test.cacheStatus(.success($0)) } == expected)
    }

    @Test(
        "No other document serves",
        arguments: [
            (159, 200, "max-age=60", true), (160, 200, "max-age=60", false), (100, 200, "no-cache", false),
            (100, 404, "", false),
        ])
    func documents(age: Int, status: Int, control: String, serves: Bool) async throws {
        let test = try StageTest(policy: Self.policy)
        defer { test.stop() }
        #expect(test.fetch().stale(after: .answered(500)).map { _ in true } == nil)
        test.cache.insert(
            test.document(
                Status(status), "kept", at: MovedTime.start - age, headers: [("Cache-Control", control)],
                failure: status == 404 ? .answered(404) : nil))
        #expect((test.fetch().stale(after: .answered(500)) != nil) == serves)
    }

    @Test("Of several stale documents the one of the first upstream serves")
    func first() throws {
        let (test, trace) = (try StageTest(), FetchTrace())
        defer { test.stop() }
        #expect(trace.stale.map { _ in true } == nil)
        for body in ["first", "second"] { trace.note(test.found(body), test.fetch()) }
        #expect(trace.stale?.answer.document.content.response.body == Array("first".utf8))
    }
}
