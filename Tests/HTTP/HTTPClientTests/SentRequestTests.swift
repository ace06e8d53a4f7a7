import HTTPClient
import HTTPCore
import TestSupport
import Testing

/// What a request's `noteSent` counts; `NginxTests` has redirects.
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

    @Test("A request that is repeated has another signature", arguments: [Second.timeOut, .close, .reset])
    func signed(_ second: Second) async throws {
        let signatures = Watched<[Substring]>([])
        let request: @Sendable (Upstream.Connection) -> Bool = { connection in
            guard let head = connection.request() else { return false }
            signatures.update { $0 += head.split(separator: "\r\n").filter { $0.hasPrefix("Signature") } }
            return true
        }
        let serve: @Sendable (Upstream.Connection) -> Void = { connection in
            guard request(connection) else { return }
            connection.answer(text: "first")
            guard request(connection) else { return }
            if second == .timeOut { connection.answer(status: 408, text: "") }
            if second == .reset { connection.reset() }
        }
        try await withUpstream(serve) { client, upstream in
            let count = Watched(0)
            for number in 0..<3 {
                var request = OutgoingRequest("\(upstream.url)/\(number)")
                request.sign = {
                    let number = count.update { count in
                        count += 1
                        return count
                    }
                    return [("Signature", Secret("\(number)"))]
                }
                #expect(await client.outcome(request).text == "first")
            }
        }
        #expect(signatures.current == (1...5).map { "Signature: \($0)" })
    }

    @Test("A request is sent twice at most, however many used connections end when they get it")
    func endedConnections() async throws {
        let together = Watched(0)
        let serve: @Sendable (Upstream.Connection) -> Void = { connection in
            guard connection.request() != nil else { return }
            together.update { $0 += 1 }
            // Otherwise one connection would do for several of the first requests.
            _ = together.wait { $0 >= 12 ? true : nil }
            connection.answer(text: "first")
            _ = connection.request()
        }
        try await withUpstream(serve) { client, upstream in
            let tasks = (0..<12).map { _ in Task { await client.outcome(OutgoingRequest(upstream.url)).text } }
            for task in tasks { #expect(await task.value == "first") }
            for _ in 0..<4 {
                let sent = Watched(0)
                var request = OutgoingRequest(upstream.url)
                request.noteSent = { sent.update { $0 += 1 } }
                #expect(await client.outcome(request).text == "first")
                #expect(sent.current == 2)
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
