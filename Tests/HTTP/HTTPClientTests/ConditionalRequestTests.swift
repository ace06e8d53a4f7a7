import HTTPClient
import HTTPCore
import Testing

@Suite("Conditional requests", .timeLimit(.minutes(10)))
struct ConditionalRequestTests {
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"

    /// Serves one version of a document, and 304 to those who have it.
    private static func serve(_ fields: String) -> @Sendable (Upstream.Connection) -> Void {
        { connection in
            while let head = connection.request() {
                let isKnown =
                    head.contains("If-None-Match: \"v1\"\r\n") || head.contains("If-Modified-Since: \(date)\r\n")
                if isKnown {
                    connection.write("HTTP/1.1 304 Not Modified\r\n\(fields)Cache-Control: max-age=60\r\n\r\n")
                } else {
                    connection.answer(fields, text: "version 1")
                }
            }
        }
    }

    @Test(
        "A document that the caller has is not sent again, and its fields are new",
        arguments: ["ETag: \"v1\"\r\n", "Last-Modified: \(date)\r\n", "ETag: \"v1\"\r\nLast-Modified: \(date)\r\n"])
    func notModified(_ fields: String) async throws {
        try await withUpstream(Self.serve(fields)) { client, upstream in
            var request = OutgoingRequest(upstream.url)
            let first = try await client.fetch(request)
            #expect(first.status == 200 && !first.isNotModified)
            request.validators = Validators(first.headers)
            #expect(request.validators != nil)
            let second = try await client.fetch(request)
            #expect(second.status == 304 && second.isNotModified && second.body.isEmpty)
            #expect(Freshness(second.headers, now: 0).lifetime == 60)
            // The connection is in order: another document follows on it.
            request.validators = Validators(HeaderFields([("ETag", "\"v0\"")]))
            let third = try await client.fetch(request)
            #expect(third.status == 200 && !third.isNotModified)
            #expect(third.body == Array("version 1".utf8))
            #expect(upstream.connectionCount == 1)
        }
    }

    @Test("A 304 that nobody asked for is no answer about a version")
    func unasked() async throws {
        let serve: @Sendable (Upstream.Connection) -> Void = { connection in
            while connection.request() != nil { connection.write("HTTP/1.1 304 Not Modified\r\n\r\n") }
        }
        try await withUpstream(serve) { client, upstream in
            let response = try await client.fetch(OutgoingRequest(upstream.url))
            #expect(response.status == 304 && !response.isNotModified)
        }
    }
}

@Suite("Forms", .timeLimit(.minutes(10)))
struct FormTests {
    @Test("A form is posted, and the next request of the connection is a GET again")
    func post() async throws {
        let serve: @Sendable (Upstream.Connection) -> Void = { connection in
            while let head = connection.request() {
                let length = head.firstMatch(of: /Content-Length: ([0-9]+)\r\n/).flatMap { Int($0.1) } ?? 0
                let body = connection.body(length)
                connection.answer(text: head.prefix { $0 != " " } + " " + body + (head.contains("Expect:") ? "!" : ""))
            }
        }
        try await withUpstream(serve) { client, upstream in
            var request = OutgoingRequest(upstream.url)
            request.content = Secret("grant_type=client_credentials&a=%26")
            let posted = try await client.fetch(request)
            #expect(String(decoding: posted.body, as: UTF8.self) == "POST grant_type=client_credentials&a=%26")
            request.content = nil
            let got = try await client.fetch(request)
            #expect(String(decoding: got.body, as: UTF8.self) == "GET ")
            #expect(upstream.connectionCount == 1)
        }
    }
}
