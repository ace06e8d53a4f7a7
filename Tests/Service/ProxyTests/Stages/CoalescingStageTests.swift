import EventLoop
import HTTPClient
import HTTPCore
import Operations
import TestSupport
import Testing

@testable import Proxy

@Suite("The stage that lets fetches share a request", .timeLimit(.minutes(10)))
struct CoalescingStageTests {
    @Test("A task that asks while another one learns that the document is gone gets the same answer")
    func goneMeanwhile() async throws {
        let test = try StageTest()
        defer { test.stop() }
        test.cache.insert(test.document())
        let gone = test.document(.notFound, failure: .answered(404))
        var fetch = test.fetch()
        fetch = fetch.with(known: test.cache.document(fetch.request.key))
        // The document is replaced between the look at the cache and the start of the flight.
        test.cache.insert(gone)
        let result = await test.run([.coalesce], fetch) { _ throws(FetchFailure) in throw .unread }
        #expect(result.failure?.isNotFound == true)
    }

    @Test("Ten fetches of one document share one run of the rest")
    func shared() async throws {
        let (test, gate, runs) = (try StageTest(), Signal(), Watched(0))
        defer { test.stop() }
        let fetches = (0..<10).map { _ in
            test.start([.coalesce], test.fetch()) { _ in
                runs.increase()
                await gate.wait(on: test.shard)
                return test.found("new")
            }
        }
        await test.wait { runs.current == 1 }
        gate.send()
        var statuses: [String?] = []
        for fetch in fetches {
            let result = await fetch.value
            #expect(result.text == "new")
            statuses.append(test.cacheStatus(result))
        }
        #expect(runs.current == 1)
        let collapsed = [String?](repeating: "Weir; fwd=uri-miss; ttl=60; collapsed", count: 9)
        #expect(statuses == ["Weir; fwd=uri-miss; ttl=60"] + collapsed)
    }

    @Test("A document that is not shared is fetched for each client")
    func notShared() async throws {
        let (test, runs) = (try StageTest(), Watched(0))
        defer { test.stop() }
        var fetch = test.fetch()
        fetch = fetch.with(known: fetch.known, isStorable: false)
        let both = [fetch, fetch].map { fetch in
            test.start([.coalesce], fetch) { _ in
                // Each run waits for the other one.
                let other = runs.increase()
                await test.wait { runs.current == 2 }
                return test.found("\(other)")
            }
        }
        #expect(await both[0].value.text == "1")
        #expect(await both[1].value.text == "2")
    }

    @Test("The client whose time is over gets 504, and the others get the document")
    func timeIsOver() async throws {
        let (test, gate, runs) = (try StageTest(), Signal(), Watched(0))
        defer { test.stop() }
        let patient = test.start([.coalesce], test.fetch()) { _ in
            runs.increase()
            await gate.wait(on: test.shard)
            return test.found("new")
        }
        await test.wait { runs.current == 1 }
        let hasty = await test.run([.coalesce], test.fetch(seconds: 0)) { _ in test.found("another") }
        #expect(hasty.status == 504)
        gate.send()
        #expect(await patient.value.text == "new")
    }

    @Test("A fetch with time left asks again if the time of the fetch that it has waited for is over")
    func another() async throws {
        let (test, gate, runs) = (try StageTest(), Signal(), Watched(0))
        defer { test.stop() }
        let both = [1, 20].map { seconds in
            test.start([.coalesce], test.fetch(seconds: seconds)) { _ throws(FetchFailure) in
                if runs.increase() > 1 { return test.found("new") }
                await gate.wait(on: test.shard)
                throw .transfer(.tooSlow)
            }
        }
        await test.wait { runs.current == 1 }
        test.time.move(seconds: 2)
        gate.send()
        #expect(await both[0].value.status == 504)
        #expect(await both[1].value.text == "new")
        #expect(runs.current == 2)
    }

    @Test("The shared run goes on when one client has gone, and is cancelled when all have", arguments: [1, 2])
    func cancellation(gone: Int) async throws {
        let (test, gate, runs, isDone) = (try StageTest(), Signal(), Watched(0), Watched<Bool?>(nil))
        defer { test.stop() }
        let both = [1, 2].map { _ in
            test.start([.coalesce], test.fetch()) { _ in
                runs.increase()
                let isWhole = await gate.wait(on: test.shard)
                isDone.update { $0 = isWhole }
                return test.found("new")
            }
        }
        await test.wait { runs.current == 1 }
        for fetch in both.prefix(gone) {
            fetch.cancel()
            #expect(await fetch.value.failure?.isCancellation == true)
        }
        if gone == 1 { gate.send() }
        await test.wait { isDone.current != nil }
        #expect(isDone.current == (gone == 1))
        if gone == 1 { #expect(await both[1].value.text == "new") }
    }
}
