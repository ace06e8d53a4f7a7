import HTTPClient
import HTTPCore
import TestSupport
import Testing

/// libcurl believes a status line of HTTP/2 on a connection of HTTP/1, and then sends requests on connections in use.
@Suite("Status lines of HTTP/2 on connections of HTTP/1", .timeLimit(.minutes(10)))
struct FalseVersionTests {
    /// Answers each request with its path, but `/slow` not before the gate opens, and `/false` with a false version.
    private static func serve(_ connection: Upstream.Connection, _ gate: Gate, _ slow: Gate) {
        while let request = connection.request() {
            let path = request.split(separator: " ")[1]
            if path == "/false" {
                connection.write("HTTP/2.0 200 OK\r\nContent-Length: 0\r\n\r\n")
                continue
            }
            if path == "/slow" {
                slow.open()
                gate.pass()
            }
            connection.answer(text: String(path))
        }
    }

    private static func check(
        _ client: Client, _ gate: Gate, _ slow: Gate, _ request: @Sendable (String) -> OutgoingRequest
    ) async {
        #expect(await client.outcome(request("/first")).text == "/first")
        async let slowText = client.outcome(request("/slow")).text
        await Task.detached { _ = slow.pass() }.value
        #expect(await client.outcome(request("/false")).error == .malformed(reason: "its status line is malformed"))
        for number in 0..<4 {
            var next = request("/\(number)")
            next.deadline = .seconds(30)
            #expect(await client.outcome(next).text == "/\(number)")
        }
        gate.open()
        #expect(await slowText == "/slow")
    }

    @Test("No request is sent on a connection in use, over TCP or TLS", arguments: [false, true])
    func version(hasTLS: Bool) async throws {
        let (gate, slow, certificates) = (Gate(), Gate(), try Certificates())
        defer { certificates.remove() }
        let identity = hasTLS ? try TLSIdentity(certificates, alpn: "http/1.1") : nil
        let upstream = try Upstream(tls: identity) { Self.serve($0, gate, slow) }
        defer { upstream.stop() }
        try await withClient { client, _ in
            await Self.check(client, gate, slow) { OutgoingRequest(upstream.url + $0, trusting: certificates) }
        }
    }
}
