import EventLoop
import HTTPCore
import TestSupport
import Testing

@testable import Proxy

@Suite("The stage that answers from the cache", .timeLimit(.minutes(10)))
struct CacheStageTests {
    private static let policy = CachePolicy(
        defaultLifetime: 60, staleWhileRevalidate: 30, staleIfError: 3600, countsClientDirectives: true)

    /// A test whose cache has a document of this age, in seconds; none if it is nil.
    private static func test(age: Int?) throws -> StageTest {
        let test = try StageTest(policy: policy)
        if let age { test.cache.insert(test.document(.ok, "kept", at: MovedTime.start - age)) }
        return test
    }

    @Test(
        "A document that is fresh enough for the client ends the path",
        arguments: [
            (0, "", "Weir; hit; ttl=60"), (59, "", "Weir; hit; ttl=1"), (20, "max-age=20", "Weir; hit; ttl=40"),
            (20, "min-fresh=40", "Weir; hit; ttl=40"), (20, "only-if-cached", "Weir; hit; ttl=40"),
            (20, "no-store", "Weir; hit; ttl=40"),
        ])
    func fresh(age: Int, directives: String, status: String) async throws {
        let (test, runs) = (try Self.test(age: age), Watched(0))
        defer { test.stop() }
        let result = await test.run([.cache], test.fetch(directives: directives)) { _ in
            runs.increase()
            return test.found("new")
        }
        #expect(result.text == "kept")
        #expect(test.cacheStatus(result) == status)
        #expect(runs.current == 0)
    }

    @Test(
        "Otherwise the rest learns which document is known, and why it does not answer",
        arguments: [
            (nil, "", CacheStatus.Reason.uriMiss), (20, "max-age=10", .request), (20, "no-cache", .request),
            (20, "min-fresh=50", .request), (90, "", .stale), (70, "max-age=60", .stale),
        ])
    func notFresh(age: Int?, directives: String, reason: CacheStatus.Reason) async throws {
        let (test, seen) = (try Self.test(age: age), Watched<[Fetch]>([]))
        defer { test.stop() }
        let result = await test.run([.cache], test.fetch(directives: directives)) { fetch in
            seen.update { $0.append(fetch) }
            return test.found("new")
        }
        #expect(result.text == "new")
        #expect(seen.current.map(\.reason) == [reason])
        #expect(seen.current.map { $0.known != nil } == [age != nil])
        #expect(seen.current.map(\.isStorable) == [true])
        #expect(seen.current.map(\.context.isInBackground) == [false])
    }

    @Test("A document that is stale for a short time answers while one request in the background replaces it")
    func staleWhileRevalidate() async throws {
        let (test, seen, gate) = (try Self.test(age: 61), Watched<[Fetch]>([]), Signal())
        defer { test.stop() }
        let requests = (0..<2).map { _ in
            test.start([.cache, .coalesce], test.fetch()) { fetch in
                seen.update { $0.append(fetch) }
                await gate.wait(on: test.shard)
                return test.found("new")
            }
        }
        for request in requests {
            let result = await request.value
            #expect(result.text == "kept")
            #expect(test.cacheStatus(result) == "Weir; fwd=stale; ttl=-1")
        }
        await test.wait { !seen.current.isEmpty }
        gate.send()
        await test.cache.coalesced.settle(until: .now + .seconds(600), on: test.shard)
        #expect(seen.current.map(\.context.isInBackground) == [true])
    }

    @Test("After a refresh that has stalled, another upstream is asked while the next refresh runs in the background")
    func stalled() async throws {
        let (test, seen) = (try Self.test(age: 100), Watched<[Fetch]>([]))
        defer { test.stop() }
        let fetch = test.fetch()
        test.cache.document(fetch.request.key)?.hasStalled = true
        let result = await test.run([.cache], fetch) { fetch in
            seen.update { $0.append(fetch) }
            return test.found("new")
        }
        #expect(result.text == "suspended")
        #expect(result.failure?.seconds == 1)
        await test.wait { !seen.current.isEmpty }
        #expect(seen.current.map(\.context.isInBackground) == [true])
    }

    @Test("A client that wants a document only from the cache waits for no upstream", arguments: [nil, 100])
    func onlyIfCached(age: Int?) async throws {
        let test = try Self.test(age: age)
        defer { test.stop() }
        let result = await test.run([.cache], test.fetch(directives: "only-if-cached")) { _ in test.found("new") }
        #expect(result.text == "not in the cache")
        #expect(result.status == 504)
    }

    @Test("The document for a client that forbids storing is neither shared nor compared with the kept one")
    func noStore() async throws {
        let (test, seen) = (try Self.test(age: 100), Watched<[Fetch]>([]))
        defer { test.stop() }
        let result = await test.run([.cache], test.fetch(directives: "no-store")) { fetch in
            seen.update { $0.append(fetch) }
            return test.found("new")
        }
        #expect(result.text == "new")
        #expect(seen.current.map(\.isStorable) == [false])
        #expect(seen.current.map { $0.known == nil } == [true])
    }
}
