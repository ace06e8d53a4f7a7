import API
import HTTPCore
import Operations
import TestSupport
import Testing

@testable import Proxy

@Suite("The stage that finds keys and tokens", .timeLimit(.minutes(10)))
struct AccessStageTests {
    private static func client(at baseURL: String) -> Credentials {
        .oauth2(ClientCredentials(tokenURL: "\(baseURL)/token", id: Secret("id"), secret: Secret("secret"), scope: nil))
    }

    @Test(
        "The configured key authorizes the request",
        arguments: [Credentials.none, .key(Secret("some-key"), .bearer), .key(Secret("user:password"), .basic)])
    func key(credentials: Credentials) async throws {
        let (test, seen) = (try StageTest(credentials: credentials), Watched<[Access?]>([]))
        defer { test.stop() }
        let result = await test.run([.access], test.fetch()) { fetch in
            seen.update { $0.append(fetch.attempt.record.access) }
            return test.found("new")
        }
        #expect(result.text == "new")
        #expect(seen.current.map { $0?.credentials } == [credentials])
    }

    @Test("Requests at the same time and later share one token")
    func token() async throws {
        let endpoint = try ScriptedUpstream { _ in
            .answer(#"{"access_token":"one-token","token_type":"bearer","expires_in":3600}"#)
        }
        defer { endpoint.stop() }
        let (test, seen) = (try StageTest(credentials: Self.client(at: endpoint.baseURL)), Watched<[Access?]>([]))
        defer { test.stop() }
        let fetches = (0..<3).map { _ in test.fetch() }
        let rest: @Sendable (Fetch) async -> Answer = { fetch in
            seen.update { $0.append(fetch.attempt.record.access) }
            return test.found("new")
        }
        let both = fetches.prefix(2).map { test.start([.access], $0, rest: rest) }
        for fetch in both { #expect(await fetch.value.text == "new") }
        #expect(await test.run([.access], fetches[2], rest: rest).text == "new")
        let token = Credentials.key(Secret("one-token"), .bearer)
        #expect(seen.current.map { $0?.credentials } == [token, token, token])
        #expect(endpoint.requests.count == 1)
        // The log names the request with the one that it was made for.
        #expect(fetches.map { $0.context.trace.tries.all.map(\.requests) } == [["token"], [], []])
    }

    @Test("Without a token nothing is sent to the upstream")
    func noToken() async throws {
        let endpoint = try RefusingPort()
        defer { endpoint.release() }
        let (test, runs) = (try StageTest(credentials: Self.client(at: endpoint.baseURL)), Watched(0))
        defer { test.stop() }
        let result = await test.run([.access], test.fetch()) { _ in
            runs.increase()
            return test.found("new")
        }
        #expect(result.text == "no token")
        #expect(result.status == 503)
        #expect(runs.current == 0)
    }
}
