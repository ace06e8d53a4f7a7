import HTTPClient
import HTTPCore
import TestSupport
import Testing

@Suite("URLs of requests", .timeLimit(.minutes(10)))
struct RequestURLTests {
    /// Answers every request with its first line and its Host field.
    private static let repeating: @Sendable (Upstream.Connection) -> Void = { connection in
        while let head = connection.request() {
            let lines = head.split(separator: "\r\n")
            let host = lines.first { $0.hasPrefix("Host: ") } ?? ""
            connection.answer(text: "\(lines[0]) \(host)")
        }
    }

    @Test(
        "The upstream gets the path and the query as they are written",
        arguments: [
            ("/", "/"), ("", "/"), ("/a/../b", "/a/../b"), ("/./a/%2e%2E/b", "/./a/%2e%2E/b"), ("/a//..", "/a//.."),
            ("/..?x=/../y", "/..?x=/../y"), ("//a//", "//a//"), ("/x%2F%zz", "/x%2F%zz"),
            ("/a?b=c&d=%20+e/..?@:", "/a?b=c&d=%20+e/..?@:"), ("/a@b:80/c", "/a@b:80/c"), ("?a=b", "/?a=b"),
            ("/a?b#c", "/a?b"), ("/{a}|\"'<>\\^`", "/{a}|\"'<>\\^`"),
        ])
    func target(written: String, expected: String) async throws {
        try await withUpstream(Self.repeating) { client, upstream in
            let host = upstream.url.dropFirst("http://".count)
            // A connection, a parsed base and a name are used again.
            for _ in 0..<2 {
                let text = await client.outcome(OutgoingRequest(upstream.url + written)).text
                #expect(text == "GET \(expected) HTTP/1.1 Host: \(host)")
            }
        }
    }

    @Test(
        "A URL with control characters or spaces is refused, and nothing is sent",
        arguments: ["/a b", "/a\r\nX: y", "/a\0b", "/a\tb", "/\u{7F}", "/a? HTTP/1.1\r\n\r\nGET /b"])
    func invalidURL(written: String) async throws {
        try await withUpstream(Self.repeating) { client, upstream in
            let outcome = await client.outcome(OutgoingRequest(upstream.url + written))
            #expect(outcome.error == .invalidURL)
            #expect(upstream.connectionCount == 0)
        }
    }

    @Test("One connection serves URLs that are written in different ways")
    func sameUpstream() async throws {
        try await withUpstream(Self.repeating) { client, upstream in
            for written in ["/a", "?a", "/a#b", "/b"] {
                #expect(await client.outcome(OutgoingRequest(upstream.url + written)).text != nil)
            }
            #expect(upstream.connectionCount == 1)
        }
    }
}
