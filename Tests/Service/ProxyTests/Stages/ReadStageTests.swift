import API
import EventLoop
import HTTPCore
import JSONText
import TestSupport
import Testing

@testable import HTTPClient
@testable import Records
@testable import Proxy

@Suite("The stage that reads responses", .timeLimit(.minutes(10)))
struct ReadStageTests {
    /// Explains an error with its body, and demands the pause that the body names.
    private static let errors = ErrorReader(
        "test",
        explain: { response in (String(decoding: response.body, as: UTF8.self), nil) },
        pause: { message, _ in message.firstMatch(of: /wait ([0-9]+)/).flatMap { Int($0.1) } })

    private static func read(_ response: IncomingResponse, _ options: JSONOptions) throws {
        var parser = JSONParser(options: options)
        try parser.withDocument(response.body) { _ in }
    }

    private static func run(_ test: StageTest, _ fetch: Proxy.Fetch, _ response: IncomingResponse) async
        -> StageTest.Outcome
    {
        (fetch.attempt.response, fetch.attempt.sent) = (response, MovedTime.start)
        return await test.run([.read, .shape], fetch) { _ throws(FetchFailure) in throw .unusable("no stage follows") }
    }

    private static func response(
        _ status: Int, _ body: String, type: String = "application/json"
    ) -> IncomingResponse {
        IncomingResponse(status: status, headers: HeaderFields([("Content-Type", type)]), body: Array(body.utf8))
    }

    @Test(
        "A response that is no document is a failure that says why",
        arguments: [
            (200, "<p>", "text/html; charset=utf-8", "it is HTML"), (200, "", "application/json", "it is not JSON"),
            (200, #"{"a":"#, "application/json", "it is not JSON"),
            (500, "broken", "text/plain", "answered with status 500"),
            (429, "slow down", "text/plain", "answered with status 429"),
        ])
    func unusable(status: Int, body: String, type: String, detail: String) async throws {
        let test = try StageTest()
        defer { test.stop() }
        let result = await Self.run(test, test.fetch(read: Self.read), Self.response(status, body, type: type))
        let failure = try #require(result.failure)
        #expect(UpstreamProblem.problem(of: failure, from: "sample").detail.contains(detail))
    }

    @Test("A document is kept for as long as its fields say")
    func document() async throws {
        let test = try StageTest()
        defer { test.stop() }
        let response = Self.response(200, "[1]")
        let result = await Self.run(test, test.fetch(read: Self.read), response)
        #expect(result.text == "[1]")
        #expect(test.cacheStatus(result) == "Weir; fwd=uri-miss; ttl=60")
        let fetch = test.fetch()
        let unshared = fetch.with(known: nil, isStorable: false)
        #expect(try await Self.run(test, unshared, response).get().document.freshness == nil)
    }

    @Test("The answer that there is no document is kept in its place, and is a failure without a cache")
    func absence() async throws {
        let test = try StageTest()
        defer { test.stop() }
        let response = Self.response(404, "gone")
        let result = await Self.run(test, test.fetch(errors: Self.errors), response)
        let document = try result.get().document
        #expect(document.failure?.isNotFound == true)
        #expect(document.freshness?.remaining(at: MovedTime.start) == 60)
        #expect(await Self.run(test, test.fetch(isCached: false), response).failure?.isNotFound == true)
    }

    @Test("Neither documents nor messages of errors have the key")
    func key() async throws {
        let test = try StageTest(credentials: .key(Secret("some-long-key"), .bearer))
        defer { test.stop() }
        let document = await Self.run(test, test.fetch(read: Self.read), Self.response(200, #"["some-long-key"]"#))
        #expect(document.text == #"["***"]"#)
        let refusal = await Self.run(
            test, test.fetch(errors: Self.errors), Self.response(403, "some-long-key is not valid"))
        guard case .status(403, meaning: nil, let message, retryAfter: nil) = refusal.failure else {
            Issue.record("It is \(refusal).")
            return
        }
        #expect(message == "*** is not valid")
    }

    @Test("An error in place of a document that demands a pause suspends further requests")
    func limit() async throws {
        let test = try StageTest()
        defer { test.stop() }
        let fetch = test.fetch(errors: Self.errors) { _, _ in throw ContractError(failures: []) }
        let result = await Self.run(test, fetch, Self.response(200, "Too many requests, wait 30 s."))
        #expect(result.status == 429)
        #expect(test.fetch().refusal()?.seconds == 30)
    }

    @Test(
        "A large document is read on another thread, and the try keeps its memory until the answer is made",
        arguments: [(1000, true), (Upstream.largeDocument, false)])
    func large(bytes: Int, isOnShard: Bool) async throws {
        let (test, threads) = (try StageTest(), Watched<[Bool]>([]))
        defer { test.stop() }
        let fetch = test.fetch { _, _ in threads.update { $0.append(test.shard.isCurrent) } }
        fetch.attempt.reservation = test.upstream.bodies.reserveNow(bytes, in: test.state.bodyShare)
        let result = await Self.run(test, fetch, IncomingResponse(body: [UInt8](repeating: 32, count: bytes)))
        #expect(result.failure == nil)
        #expect(threads.current == [isOnShard])
        #expect(test.upstream.bodies.reserved == bytes)
        fetch.attempt.reservation = nil
        #expect(test.upstream.bodies.reserved == 0)
    }

    @Test("A document for which no time is left is not read", arguments: [2, Upstream.largeDocument])
    func tooLate(bytes: Int) async throws {
        let test = try StageTest()
        defer { test.stop() }
        let response = IncomingResponse(body: [UInt8](repeating: 32, count: bytes))
        let result = await Self.run(test, test.fetch(seconds: 0), response)
        #expect(result.text == "not read in time")
        #expect(result.status == 504)
    }

    @Test(
        "A 304 renews the known document, unless it is about another version",
        arguments: [("\"a\"", "old"), ("\"b\"", "304")])
    func notModified(tag: String, text: String) async throws {
        let test = try StageTest()
        defer { test.stop() }
        var fetch = test.fetch()
        fetch = fetch.with(known: test.document(.ok, "old", at: MovedTime.start - 100, headers: [("ETag", "\"a\"")]))
        let headers = HeaderFields([("ETag", tag), ("Cache-Control", "max-age=90")])
        var response = IncomingResponse(status: 304, headers: headers)
        response.isNotModified = true
        let result = await Self.run(test, fetch, response)
        #expect(result.text == text)
        let status = text == "old" ? "Weir; fwd=uri-miss; fwd-status=304; ttl=90" : nil
        #expect(test.cacheStatus(result) == status)
    }
}
