import HTTPClient
import TestSupport
import Testing

/// What a request's `noteSent` counts; `HTTP2Tests` has redirects.
@Suite("Sent requests", .timeLimit(.minutes(10)))
struct SentRequestTests {
    /// What an upstream does with a second request on a connection.
    enum Second: CaseIterable { case answer, timeOut, close, reset }

    @Test("A request that is repeated on a new connection counts as two", arguments: Second.allCases)
    func repeated(_ second: Second) async throws {
        let serve: @Sendable (Upstream.Connection) -> Void = { connection in
            guard connection.request() != nil else { return }
            connection.answer(text: "first")
            guard connection.request() != nil else { return }
            switch second {
            case .answer: connection.answer(text: "second")
            case .timeOut: connection.answer(status: 408, text: "")
            case .reset: connection.reset()
            case .close: break
            }
        }
        try await withUpstream(serve) { client, upstream in
            for (number, expected) in [1, second == .answer ? 1 : 2].enumerated() {
                let sent = Watched(0)
                var request = OutgoingRequest("\(upstream.url)/\(number)")
                request.noteSent = { sent.update { $0 += 1 } }
                #expect(await client.outcome(request).error == nil)
                #expect(sent.current == expected)
            }
        }
    }

    @Test("A request without a connection was not sent, and one without an answer was")
    func failed() async throws {
        try await withUpstream({ _ = $0.request() }) { client, upstream in
            let refusing = try RefusingPort()
            defer { refusing.release() }
            for (url, expected) in [(refusing.baseURL, 0), (upstream.url, 1)] {
                let sent = Watched(0)
                var request = OutgoingRequest(url)
                request.noteSent = { sent.update { $0 += 1 } }
                #expect(await client.outcome(request).error != nil)
                #expect(sent.current == expected)
            }
        }
    }
}
