import HTTPClient
import HTTPCore
import TestSupport
import Testing

@testable import Proxy

@Suite("The stage that keeps documents", .timeLimit(.minutes(10)))
struct StoringStageTests {
    @Test(
        "A document is kept if it may be, and otherwise the one before is removed",
        arguments: [("", "new"), ("max-age=5", "new"), ("no-store", nil), ("private", nil)])
    func kept(control: String, expected: String?) async throws {
        let test = try StageTest()
        defer { test.stop() }
        test.cache.insert(test.document(.ok, "old"))
        let fetch = test.fetch()
        let result = await test.run([.keep], fetch) { _ in
            let document = test.document(.ok, "new", headers: [("Cache-Control", control)])
            return Answer(document, of: test.upstream)
        }
        #expect(result.text == "new")
        let kept = test.cache.document(fetch.request.key)?.content.response.body
        #expect(kept.map { String(decoding: $0, as: UTF8.self) } == expected)
    }

    @Test("A document that is not shared is not kept")
    func notShared() async throws {
        let test = try StageTest()
        defer { test.stop() }
        var fetch = test.fetch()
        fetch = fetch.with(known: fetch.known, isStorable: false)
        _ = await test.run([.keep], fetch) { _ in test.found("new") }
        #expect(test.cache.document(fetch.request.key) == nil)
    }

    @Test(
        "After a 304 about another version, the upstream is asked once without a condition",
        arguments: [(true, 2, "new"), (false, 1, "304")])
    func otherVersion(hasValidators: Bool, runs expected: Int, text: String) async throws {
        let (test, runs) = (try StageTest(), Watched(0))
        defer { test.stop() }
        var fetch = test.fetch()
        fetch = fetch.with(known: test.document(.ok, "old", headers: hasValidators ? [("ETag", "\"a\"")] : []))
        let result = await test.run([.keep], fetch) { fetch throws(FetchFailure) in
            if runs.increase() == 1 { throw .answered(304) }
            #expect(fetch.known == nil)
            return test.found("new")
        }
        #expect(result.text == text)
        #expect(runs.current == expected)
    }

    @Test(
        "Clients no longer wait for the refresh of a document if the upstream was slow and then failed",
        arguments: [
            (FetchFailure.transfer(.tooSlow), 2, true), (.answered(500), 2, true), (.transfer(.tooSlow), 1, false),
            (.answered(404), 2, false), (.transfer(.cancelled), 2, false),
        ])
    func stalled(failure: FetchFailure, seconds: Int, hasStalled: Bool) async throws {
        let test = try StageTest()
        defer { test.stop() }
        var fetch = test.fetch()
        fetch = fetch.with(known: test.document())
        let result = await test.run([.keep], fetch) { _ throws(FetchFailure) in
            test.time.move(seconds: seconds)
            throw failure
        }
        #expect(result.text == failure.result)
        #expect(fetch.known?.hasStalled == hasStalled)
    }

    @Test(
        "The log names a refresh that has failed for a reason that no other line names",
        arguments: [
            (FetchFailure.answered(500), true, true), (.unusable("it is HTML"), true, true),
            (.suspended(seconds: 1), true, false), (.transfer(.cancelled), true, false), (.answered(500), false, false),
        ])
    func logged(failure: FetchFailure, isInBackground: Bool, isLogged: Bool) async throws {
        let test = try StageTest()
        defer { test.stop() }
        var fetch = test.fetch()
        if isInBackground { fetch = fetch.with(fetch.context.forRefresh) }
        _ = await test.run([.keep], fetch) { _ throws(FetchFailure) in throw failure }
        let lines = test.logLines.filter { $0.contains(#""message":"refresh failed","requests":"forecast""#) }
        #expect(lines.count == (isLogged ? 1 : 0))
    }
}
