import Settings
import API
import EventLoop
import HTTPClient
import HTTPCore
import Operations
import Records
import TestSupport
import Testing

@testable import Store
@testable import Proxy

@Suite("The stage that asks the other replicas", .timeLimit(.minutes(10)))
struct SharedStageTests {
    @Test("A document that one replica has fetched is a hit for the others while it is fresh")
    func hit() async throws {
        let test = try ReplicaTest()
        defer { test.stop() }
        let text = String(repeating: "a forecast ", count: 500)
        #expect(await test.run(0) { _ in test.found(text, [("Link", "<a>"), ("ETag", "\"1\"")]) }.text == text)
        let other = await test.run(1) { _ throws(FetchFailure) in throw .unread }
        #expect(other.text == text)
        #expect(test.replicas[1].cacheStatus(other) == "Weir; hit; ttl=60")
        #expect(test.count(.hit) == 1 && test.count(.miss, of: 0) == 1 && test.count(.written, of: 0) == 1)
        #expect(test.store.leases == 0)
        let calls = test.links[1].calls
        #expect(await test.run(1) { _ throws(FetchFailure) in throw .unread }.text == text)
        #expect(test.links[1].calls == calls, "a local hit asks nobody")
        test.time.move(seconds: 61)
        #expect(await test.run(1) { _ in test.found("new") }.text == "new")
    }

    @Test("One replica asks the upstream, and the others wait for its document")
    func oneFlight() async throws {
        let (test, gate, runs) = (try ReplicaTest(5), Signal(), Watched(0))
        defer { test.stop() }
        let shard = test.replicas[0].shard
        let fetches = (0..<5).map { replica in
            test.start(replica) { _ in
                runs.increase()
                await gate.wait(on: shard)
                return test.found("new")
            }
        }
        await test.replicas[0].wait { runs.current == 1 && test.store.waiting == 4 }
        gate.send()
        for fetch in fetches { #expect(await fetch.value.text == "new") }
        #expect(runs.current == 1)
    }

    @Test("After a failure for one replica, each of the others asks once at most")
    func failure() async throws {
        let (test, gate, runs) = (try ReplicaTest(4), Signal(), Watched(0))
        defer { test.stop() }
        let shard = test.replicas[0].shard
        let fetches = (0..<4).map { replica in
            test.start(replica) { _ throws(FetchFailure) in
                runs.increase()
                await gate.wait(on: shard)
                throw .answered(500)
            }
        }
        await test.replicas[0].wait { test.store.waiting == 3 }
        gate.send()
        for fetch in fetches { #expect(await fetch.value.text == "500") }
        #expect(runs.current == 4)
        for shared in test.shared { await shared.settle() }
        #expect(test.store.leases == 0)
    }

    @Test("When a replica ends with its lease, one of the others takes over")
    func takeover() async throws {
        let (test, gate, runs) = (try ReplicaTest(4), Signal(), Watched(0))
        defer { test.stop() }
        let (shard, link) = (test.replicas[0].shard, test.links[0])
        let key = SharedValue.key(test.replicas[0].fetch().request.key)
        #expect(try await link.lease(key, milliseconds: 5000, fence: nil, on: shard) == .granted(fence: 1))
        let fetches = (1..<4).map { replica in
            test.start(replica, seconds: 10) { _ in
                runs.increase()
                await gate.wait(on: shard)
                return test.found("new")
            }
        }
        await test.replicas[0].wait { test.store.waiting == 3 }
        test.time.move(seconds: 5)
        await test.replicas[0].wait { runs.current == 1 && test.store.waiting == 2 }
        gate.send()
        for fetch in fetches { #expect(await fetch.value.text == "new") }
        #expect(runs.current == 1)
        // The replica that seemed to have ended is too late.
        await #expect(throws: SharedFault.superseded) {
            try await link.keep([0], key, milliseconds: 1000, fence: 1, on: shard)
        }
    }

    @Test("While a replica works, the others go on waiting")
    func slow() async throws {
        let (test, gate, runs) = (try ReplicaTest(3), Signal(), Watched(0))
        defer { test.stop() }
        let shard = test.replicas[0].shard
        let fetches = (0..<3).map { replica in
            test.start(replica) { _ in
                runs.increase()
                await gate.wait(on: shard)
                return test.found("new")
            }
        }
        await test.replicas[0].wait { runs.current == 1 && test.store.waiting == 2 }
        for _ in 0..<3 {
            let lengthened = test.store.lengthened
            await test.replicas[0].wait { test.store.lengthened > lengthened }
            test.time.move(milliseconds: 900)
            await test.replicas[0].wait { test.store.waiting == 2 }
        }
        gate.send()
        for fetch in fetches { #expect(await fetch.value.text == "new") }
        #expect(runs.current == 1)
    }

    @Test("When the clients of a replica leave, one of the others asks, and takes no old answer for a new one")
    func leaving() async throws {
        let (test, gate, runs) = (try ReplicaTest(4), Signal(), Watched(0))
        defer { test.stop() }
        let shard = test.replicas[0].shard
        let gone = FetchFailure.status(200, meaning: 404, message: "no such place", retryAfter: nil)
        _ = await test.run(0) { _ in test.found("", status: .notFound, failure: gone) }
        test.time.move(seconds: 61)
        let leader = test.start(0) { _ throws(FetchFailure) in
            runs.increase()
            await gate.wait(on: shard)
            throw .transfer(.cancelled)
        }
        await test.replicas[0].wait { runs.current == 1 }
        let others = (1..<4).map { replica in
            test.start(replica) { _ in
                runs.increase()
                return test.found("new")
            }
        }
        await test.replicas[0].wait { test.store.waiting == 3 }
        leader.cancel()
        gate.send()
        _ = await leader.value
        test.time.move(seconds: 1)
        for fetch in others { #expect(await fetch.value.text == "new") }
        #expect(runs.current == 2)
    }

    @Test("A replica that cannot reach the store asks the upstream, and asks the store no more once that is known")
    func away() async throws {
        let test = try ReplicaTest()
        defer { test.stop() }
        _ = await test.run(0) { _ in test.found("new") }
        test.links[1].isCut = true
        for number in 1...5 {
            #expect(await test.run(1, directives: "no-cache") { _ in test.found("\(number)") }.text == "\(number)")
        }
        #expect(test.links[1].calls == 3)
        #expect(test.count(.fault) == 3)
        test.links[1].isCut = false
        #expect(await test.run(1, directives: "no-cache") { _ in test.found("6") }.text == "6")
        #expect(test.links[1].calls > 3)
    }

    @Test("A stale document of another replica is validated, and serves if the upstream fails")
    func stale() async throws {
        let test = try ReplicaTest(3)
        defer { test.stop() }
        _ = await test.run(0) { _ in test.found("old", [("ETag", "\"1\"")]) }
        test.time.move(seconds: 61)
        let failed = await test.run(1) { _ throws(FetchFailure) in throw .answered(500) }
        #expect(failed.text == "500")
        let fetch = test.replicas[1].fetch()
        #expect(fetch.stale(after: .answered(500)).map { StageTest.Outcome.success($0).text } == "old")
        let confirmed = await test.run(1) { fetch throws(FetchFailure) in
            guard let known = fetch.known, fetch.validators != nil else { throw .unread }
            let now = test.time.clock.seconds
            let updated = known.updated(
                by: HeaderFields([("ETag", "\"1\"")]), requestTime: now, responseTime: now, fetch.request.policy!)
            return Answer(updated!, of: fetch.upstream)
        }
        #expect(confirmed.text == "old")
        #expect(test.replicas[1].cacheStatus(confirmed) == "Weir; fwd=stale; fwd-status=304; ttl=60; stored")
        #expect(await test.run(2) { _ throws(FetchFailure) in throw .unread }.text == "old")
    }

    @Test("The drift of a document of another replica counts if the document serves, and not if it is stale")
    func drift() async throws {
        let test = try ReplicaTest(3)
        defer { test.stop() }
        #expect(await test.run(0) { _ in test.found("drifted") }.text == "drifted")
        for (replica, seconds, text, documents) in [(1, 0, "drifted", 1), (2, 61, "repaired", 0)] {
            test.time.move(seconds: seconds)
            let own = test.replicas[replica]
            let request = DocumentRequest(
                to: own.upstream, .forecast, target: "/", policy: own.policy, errors: .none
            ) { response, _ in
                ReadDocument {
                    ShapedDocument(body: response.body, drift: DriftReport(.dropped, .mistyped, ofDocument: 1))
                }
            }
            let fetch = Fetch(request, AnswerForm(name: "si"), in: own.fetch().context)
            #expect(await own.run(ReplicaTest.stages, fetch) { _ in test.found("repaired") }.text == text)
            await test.shared[replica].settle()
            #expect(own.upstream.drift.summary().patterns.map(\.documents).reduce(0, +) == documents)
        }
    }

    @Test("The answer that there is no document is one for all replicas")
    func absence() async throws {
        let test = try ReplicaTest()
        defer { test.stop() }
        let gone = FetchFailure.status(200, meaning: 404, message: "no such place", retryAfter: nil)
        _ = await test.run(0) { _ in test.found("", status: .notFound, failure: gone) }
        let other = await test.run(1) { _ throws(FetchFailure) in throw .unread }
        guard case .status(200, 404?, "no such place"?, nil)? = other.failure else {
            Issue.record("\(other)")
            return
        }
    }

    @Test("No replica writes an answer that must not be kept, or waits for one", arguments: ["no-store", "private"])
    func uncacheable(control: String) async throws {
        let (test, gate, runs) = (try ReplicaTest(), Signal(), Watched(0))
        defer { test.stop() }
        _ = await test.run(0) { _ in test.found("secret", [("Cache-Control", control)]) }
        #expect(test.store.texts.allSatisfy { !String(decoding: $0, as: UTF8.self).contains("secret") })
        let both = (0..<2).map { replica in
            test.start(replica) { _ in
                runs.increase()
                await gate.wait(on: test.replicas[0].shard)
                return test.found("\(replica)", [("Cache-Control", control)])
            }
        }
        await test.replicas[0].wait { runs.current == 2 }
        gate.send()
        for (replica, fetch) in both.enumerated() { #expect(await fetch.value.text == "\(replica)") }
    }

    @Test("A document above the limit is not written")
    func tooLarge() async throws {
        let test = try ReplicaTest(maximumDocumentBytes: 300)
        defer { test.stop() }
        _ = await test.run(0) { _ in test.found(String(repeating: "x", count: 500)) }
        #expect(test.count(.tooLarge, of: 0) == 1 && test.count(.written, of: 0) == 0)
        #expect(await test.run(1) { _ in test.found("new") }.text == "new")
    }

    @Test("A client that accepts no kept document gets a new one, which serves the others")
    func directives() async throws {
        let policy = CachePolicy(defaultLifetime: 60, countsClientDirectives: true)
        let test = try ReplicaTest(policy: policy)
        defer { test.stop() }
        _ = await test.run(0) { _ in test.found("old") }
        test.time.move(seconds: 2)
        #expect(await test.run(1, directives: "no-cache") { _ in test.found("new") }.text == "new")
        #expect(await test.run(0, directives: "max-age=1") { _ in test.found("newest") }.text == "new")
    }

    @Test("A refresh in the background takes the document that another replica has refreshed")
    func background() async throws {
        let test = try ReplicaTest(policy: CachePolicy(defaultLifetime: 60, staleWhileRevalidate: 600))
        defer { test.stop() }
        let runs = Watched(0)
        for replica in 0..<2 { _ = await test.run(replica) { _ in test.found("old") } }
        test.time.move(seconds: 61)
        for replica in 0..<2 {
            let stale = await test.run(replica) { _ in
                runs.increase()
                return test.found("new")
            }
            #expect(stale.text == "old")
            let cache = test.replicas[replica].cache
            await cache.coalesced.settle(until: .now + .seconds(600), on: test.replicas[0].shard)
            await test.shared[replica].settle()
            #expect(await test.run(replica) { _ throws(FetchFailure) in throw .unread }.text == "new")
        }
        #expect(runs.current == 1)
    }

    @Test("A damaged value is a miss, and so is a document that its upstream's reader refuses")
    func corrupt() async throws {
        let test = try ReplicaTest()
        defer { test.stop() }
        _ = await test.run(0) { _ in test.found("old") }
        let (key, bytes) = try #require(test.store.values.first)
        test.store.replace(key, with: bytes.dropLast() + [bytes.last! ^ 1])
        #expect(await test.run(1) { _ in test.found("new") }.text == "new")
        #expect(test.count(.corrupt) == 2)
        let third = test.replicas[1].fetch { _, _ in throw NotReadable() }
        test.replicas[1].cache.remove(third.request.key)
        let result = await test.replicas[1].start(ReplicaTest.stages, third) { _ in test.found("newest") }.value
        #expect(result.text == "newest")
    }

    @Test("The result of a look-up that another replica has is remembered, and a new one replaces it")
    func lookUps() async throws {
        let server = try ScriptedUpstream { _ in .answer(200, "1") }
        defer { server.stop() }
        let time = MovedTime()
        let store = InMemoryStore(time)
        // The second replica comes when the first one has written.
        for (isNew, isRemembered, requests) in [(false, false, 1), (false, true, 1), (true, false, 2)] {
            let shared = SharedReplicas(InMemoryLink(store), replicas: 2)
            let test = try StageTest(baseURL: server.baseURL, shared: shared, time: time)
            defer { test.stop() }
            let (upstream, context) = (test.upstream, test.fetch().context)
            let found = try await Task(executorPreference: test.shard) {
                try await upstream.lookUp(
                    .lookup, "/users/a", policy: .lookups(beside: nil), .none, isNew: isNew, in: context
                ) {
                    response, _ in Int(String(decoding: response.body, as: UTF8.self)) ?? 0
                }
            }.value
            await shared.settle()
            #expect(found.value == 1 && found.isRemembered == isRemembered)
            #expect(server.requests.count == requests)
        }
    }

    @Test("Neither keys nor values in the store have a secret, or a parameter of a client")
    func secrets() async throws {
        let server = try ScriptedUpstream { _ in .answer(200, #"{"url":"/some-key/37.8","key":"some-key"}"#) }
        defer { server.stop() }
        let time = MovedTime()
        let store = InMemoryStore(time)
        let shared = SharedReplicas(InMemoryLink(store), replicas: 1)
        let credentials = Credentials.key(Secret("some-key"), .header("X-Key"))
        let test = try StageTest(baseURL: server.baseURL, credentials: credentials, shared: shared, time: time) {
            $0.quota.perDay = 10
        }
        defer { test.stop() }
        let fetch = test.fetch(target: "/forecast?place=37.8,-122.4")
        let found = await Task(executorPreference: test.shard) { () -> StageTest.Outcome in
            do throws(FetchFailure) { return .success(try await Next(Stage.ofClients)(fetch)) } catch {
                return .failure(error)
            }
        }.value
        await shared.settle()
        #expect(found.text == #"{"url":"/***/37.8","key":"***"}"#)
        let texts = store.texts.map { String(decoding: $0, as: UTF8.self) }
        #expect(texts.contains { $0.contains(#""key":"***""#) } && texts.contains { $0.hasPrefix("sample ") })
        for secret in ["some-key", "122.4", server.baseURL] {
            #expect(texts.allSatisfy { !$0.contains(secret) }, "\(secret)")
        }
    }
}

private struct NotReadable: Error {}
