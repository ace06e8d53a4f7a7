import EventLoop
import HTTPClient
import HTTPCore
import TestSupport
import Testing

// Serialized, because each case takes several threads.
/// Heads that another reader could frame in another way, and heads without end.
@Suite("Heads of upstreams", .serialized, .timeLimit(.minutes(10)))
struct HeadTests {
    /// Sends `bytes` for the path `/bad`, and for any other path a good answer with the path.
    private static func serve(_ bytes: [String]) -> @Sendable (Upstream.Connection) -> Void {
        { connection in
            while let head = connection.request() {
                if head.hasPrefix("GET /bad") {
                    for part in bytes { connection.write(part) }
                } else {
                    connection.answer(text: "good")
                }
            }
        }
    }

    static let ambiguous: [(head: String, reason: String)] = [
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nTransfer-Encoding: chunked",
            "it has both Content-Length and Transfer-Encoding"
        ),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 4",
            "it has both Content-Length and Transfer-Encoding"
        ),
        ("HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Length: 4", "it has two Content-Length fields"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 4\r\ncontent-length: 5", "it has two Content-Length fields"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 4, 4", "its Content-Length is not a number"),
        ("HTTP/1.1 200 OK\r\nContent-Length: +4", "its Content-Length is not a number"),
        ("HTTP/1.1 200 OK\r\nContent-Length: -4", "its Content-Length is not a number"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 4x", "its Content-Length is not a number"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 0x4", "its Content-Length is not a number"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 18446744073709551620", "its Content-Length is not a number"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999999", "its Content-Length is not a number"),
        ("HTTP/1.1 200 OK\r\nContent-Length:", "its Content-Length is not a number"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked", "its Transfer-Encoding is not chunked alone"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: identity", "its Transfer-Encoding is not chunked alone"),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
            "its Transfer-Encoding is not chunked alone"
        ),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: xchunked", "its Transfer-Encoding is not chunked alone"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: \u{B}chunked", "its head has a control character"),
        ("HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked", "its Transfer-Encoding is not chunked alone"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 4\r\nX: a\r\n b", "its head has a folded line"),
        ("HTTP/1.1 200 OK\r\n Content-Length: 4", "its head has a folded line"),
        ("HTTP/1.1 200 OK\r\nContent-Length : 4", "its head has a line without a valid field name and a colon"),
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nno colon",
            "its head has a line without a valid field name and a colon"
        ),
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n: empty",
            "its head has a line without a valid field name and a colon"
        ),
        ("HTTP/1.1 200 OK\r\nContent-Length: 4\r\nX(: a", "its head has a line without a valid field name and a colon"),
        ("HTTP/1.1 200 OK\nContent-Length: 4", "a line of its head does not end in CR LF"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 4\nX: a", "a line of its head does not end in CR LF"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 4\r\nX: a\rY: b", "its head has a control character"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 4\r\nX: a\0b", "its head has a control character"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 4\r\nX: a\u{7F}b", "its head has a control character"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\rX: a", "its head has a control character"),
        ("HTTP/1.1 2000 OK\r\nContent-Length: 4", "its status line is malformed"),
        ("HTTP/1.1 20 OK\r\nContent-Length: 4", "its status line is malformed"),
        ("HTTP/1.1 099 OK\r\nContent-Length: 4", "its status line is malformed"),
        ("HTTP/1.1 600 OK\r\nContent-Length: 4", "its status line is malformed"),
        ("HTTP/1.1  200 OK\r\nContent-Length: 4", "its status line is malformed"),
        ("HTTP/1.1\t200 OK\r\nContent-Length: 4", "its status line is malformed"),
        ("HTTP/1.2 200 OK\r\nContent-Length: 4", "its status line is malformed"),
        ("HTTP/2 200 OK\r\nContent-Length: 4", "its status line is malformed"),
        ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c", "it switched to another protocol"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Encoding: gzip, gzip", "it has more than one content coding"),
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Encoding: gzip\r\nContent-Encoding: br",
            "it has more than one content coding"
        ),
        ("HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Encoding: zstd", "its Content-Encoding is not supported"),
    ]

    @Test("A head that can be framed in two ways is refused, and its connection is not reused", arguments: ambiguous)
    func broken(_ sample: (head: String, reason: String)) async throws {
        try await withUpstream(Self.serve([sample.head + "\r\n\r\nbody"])) { client, upstream in
            #expect(await client.outcome(OutgoingRequest(upstream.url)).text == "good")
            let outcome = await client.outcome(OutgoingRequest(upstream.url + "/bad"))
            #expect(outcome.error == .malformed(reason: sample.reason))
            #expect(await client.outcome(OutgoingRequest(upstream.url)).text == "good")
            #expect(upstream.connectionCount == 2)
        }
    }

    @Test(
        "A trailer section with a line that is no field is refused, and its connection is not reused",
        arguments: [
            ("garbage", "its trailer section has a line without a valid field name and a colon"),
            ("X : a", "its trailer section has a line without a valid field name and a colon"),
            ("X: a\r\n b", "its trailer section has a folded line"),
            (" X: a", "its trailer section has a folded line"),
        ])
    func brokenTrailer(_ sample: (line: String, reason: String)) async throws {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        let answer = head + "4\r\nbody\r\n0\r\nY: b\r\n\(sample.line)\r\n\r\n"
        try await withUpstream(Self.serve([answer])) { client, upstream in
            #expect(await client.outcome(OutgoingRequest(upstream.url)).text == "good")
            let outcome = await client.outcome(OutgoingRequest(upstream.url + "/bad"))
            #expect(outcome.error == .malformed(reason: sample.reason))
            #expect(await client.outcome(OutgoingRequest(upstream.url)).text == "good")
            #expect(upstream.connectionCount == 2)
        }
    }

    @Test(
        "An unusual head that can be framed in one way only is accepted",
        arguments: [
            "HTTP/1.1 200\r\nContent-Length: 4", "HTTP/1.1 200 \r\nContent-Length: 4",
            "HTTP/1.0 200 OK\r\nContent-Length:4", "HTTP/1.1 200 OK\r\nContent-Length:\t4\t", "HTTP/1.1 200 OK",
            "HTTP/1.1 200 OK\r\nContent-Length: 0004\r\nX-Latin-1: \u{E9}\r\nX-Empty:\r\nX_y.z~: a",
            "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Encoding: identity, , Identity, UTF-8, none",
            "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 4",
        ])
    func unusual(head: String) async throws {
        let serve: @Sendable (Upstream.Connection) -> Void = { connection in
            _ = connection.request()
            connection.write(head + "\r\n\r\nbody")
        }
        try await withUpstream(serve) { client, upstream in
            let response = try await client.fetch(OutgoingRequest(upstream.url))
            #expect(response.status == 200)
            #expect(response.body == Array("body".utf8))
        }
    }

    @Test(
        "A head of 64 KiB or 200 fields is accepted, and a larger one is refused",
        arguments: [
            (200, 300, true), (201, 300, false), (100, 600, true), (100, 700, false), (1, 65_000, true),
            (1, 70_000, false),
        ])
    func limits(_ sample: (fields: Int, size: Int, isAccepted: Bool)) async throws {
        let field = "X: " + String(repeating: "x", count: sample.size - 5) + "\r\n"
        // Content-Length is one of them.
        let fields = String(repeating: field, count: sample.fields == 1 ? 1 : sample.fields - 1)
        try await withUpstream(Self.serve(["HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\(fields)\r\nbody"])) {
            client, upstream in
            let outcome = await client.outcome(OutgoingRequest(upstream.url + "/bad"))
            if sample.isAccepted {
                #expect(outcome.text == "body")
            } else {
                #expect(outcome.error == .malformed(reason: "its head is too large"))
            }
        }
    }

    private static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

    @Test(
        "A head or trailer section without end is refused in little memory",
        arguments: [
            ("HTTP/1.1 200 OK\r\n", "X: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n"),
            ("HTTP/1.1 200 OK\r\nX: ", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"),
            ("", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"), ("", "HTTP/1.1 100 Continue\r\n\r\n"),
            (chunked + "4\r\nbody\r\n0\r\n", "X: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n"),
            (chunked + "4\r\nbody\r\n0\r\nX: ", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"),
            (chunked + "4;", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"),
        ])
    func endless(_ sample: (start: String, repeated: String)) async throws {
        // In a process of its own, because other tests need memory at the same time.
        await #expect(processExitsWith: .success) {
            [start = sample.start as String, repeated = sample.repeated as String] in
            let block = String(repeating: repeated, count: 1000)
            let serve: @Sendable (Upstream.Connection) -> Void = { connection in
                _ = connection.request()
                connection.write(start)
                // Until the client closes the connection, or for 500 MB.
                for _ in 0..<10_000 where !connection.write(block) { return }
            }
            try await withUpstream(serve) { client, upstream in
                let before = try ProcessMemory.resident
                let outcome = await client.outcome(OutgoingRequest(upstream.url))
                let reasons = ["its head is too large", "its chunked coding is malformed"]
                try #require(reasons.contains { outcome.error == .malformed(reason: $0) }, "\(outcome)")
                try #require(try ProcessMemory.resident - before < 128 << 20)
            }
        }
    }

    /// Responses that llhttp accepts and this client refuses, with the reason.
    static let stricterHere: [String: String] = [
        "sample.md: RTSP response": "another protocol",
        "sample.md: ICE response": "another protocol",
        "sample.md: HTTP version 0.9": "its fields would be ignored by an HTTP/0.9 client",
        "sample.md: Response starting with CRLF": "only a server may ignore an empty line (RFC 9112 §2.2)",
        "connection.md: HTTP 100 first, then 400": "an empty line before the second head",
        "transfer-encoding.md: `chunked` before other transfer-encoding": "not chunked alone",
        "transfer-encoding.md: multiple transfer-encoding where chunked is not the last one": "not chunked alone",
        "transfer-encoding.md: `chunkedchunked` transfer-encoding does not enable chunked enconding":
            "not chunked alone",
    ]

    @Test("llhttp's responses are accepted or refused as by llhttp, and no body is wrong")
    func llhttp() async throws {
        let cases = LlhttpCase.all("response").filter(\.isStrict)
        for sample in cases {
            let serve: @Sendable (Upstream.Connection) -> Void = { connection in
                _ = connection.request()
                connection.write(sample.input)
            }
            try await withUpstream(serve) { client, upstream in
                let outcome = await client.outcome(OutgoingRequest(upstream.url))
                if sample.isRefused || Self.stricterHere[sample.name] != nil {
                    let error = try #require(outcome.error, "\(sample.name): \(outcome)")
                    // Those become 504; all others become 502.
                    #expect(!error.isSlowAnswer, "\(sample.name): \(error)")
                } else if let text = outcome.text {
                    #expect(text == sample.body, "\(sample.name)")
                } else {
                    // llhttp waits for more; here the connection has ended.
                    #expect(!sample.isComplete, "\(sample.name): \(outcome)")
                }
            }
        }
        print(
            "llhttp's response cases: \(cases.count) tried, \(cases.count { $0.isRefused }) of them refused by llhttp")
    }
}
