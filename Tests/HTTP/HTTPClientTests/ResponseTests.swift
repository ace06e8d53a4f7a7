import EventLoop
import Foundation
import HTTPClient
import HTTPCore
import Testing

@Suite("Upstream responses", .timeLimit(.minutes(10)))
struct ResponseTests {
    @Test("A response has its status, fields and body for every status", arguments: [200, 204, 404, 429, 503])
    func statuses(status: Int) async throws {
        let serve: @Sendable (Upstream.Connection) -> Void = { connection in
            while connection.request() != nil {
                let headers = "content-type: text/x\r\nRETRY-AFTER: 7\r\n"
                connection.answer(status: status, headers, text: status == 204 ? "" : "body")
            }
        }
        try await withUpstream(serve) { client, upstream in
            let response = try await client.fetch(OutgoingRequest(upstream.url + "/a?b=c"))
            #expect(response.status == status)
            #expect(response.headers["Content-Type"] == "text/x")
            #expect(response.headers["Retry-After"] == "7")
            #expect(response.body == Array((status == 204 ? "" : "body").utf8))
        }
    }

    @Test("Fields of an earlier response are not in a later one")
    func absentFields() async throws {
        let serve: @Sendable (Upstream.Connection) -> Void = { connection in
            _ = connection.request()
            connection.answer("Content-Type: text/x\r\nRetry-After: 7\r\n", text: "first")
            _ = connection.request()
            connection.answer(text: "second")
            connection.waitForEnd()
        }
        try await withUpstream(serve) { client, upstream in
            let first = try await client.fetch(OutgoingRequest(upstream.url))
            #expect(first.headers["Content-Type"] == "text/x")
            let second = try await client.fetch(OutgoingRequest(upstream.url))
            #expect(second.headers["Content-Type"] == nil)
            #expect(second.headers["Retry-After"] == nil)
            #expect(second.body == Array("second".utf8))
        }
    }

    @Test(
        "A response has its header fields in order, without those of interim responses and trailers",
        arguments: [
            [("x-rate-limit-limit", "900"), ("x-rate-limit-remaining", "0"), ("x-rate-limit-reset", "5")],
            [("X-RateLimit-Limit", "300"), ("X-RateLimit-Reset", "2026-01-01T18:00:37Z")],
            [("Ratelimit-Remaining", "1"), ("RATELIMIT-RESET", "60")],
            [("ratelimit-limit", "10"), ("x-ratelimit-remaining", "4"), ("Link", "</a>"), ("Link", "</b>, </c>")],
            [],
        ] as [[(String, String)]])
    func fields(headers: [(String, String)]) async throws {
        let fields = headers.map { "\($0.0): \($0.1)\r\n" }.joined()
        let serve: @Sendable (Upstream.Connection) -> Void = { connection in
            while connection.request() != nil {
                connection.write("HTTP/1.1 103 Early Hints\r\nLink: </early>\r\nX-Early: 1\r\n\r\n")
                connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n")
                connection.write("X-List: a, \tb\r\n\(fields)\r\n")
                connection.write("1\r\nx\r\n0\r\nX-Trailer: 1\r\nDate: Thu, 01 Jan 2026 18:00:37 GMT\r\n\r\n")
            }
        }
        try await withUpstream(serve) { client, upstream in
            let response = try await client.fetch(OutgoingRequest(upstream.url))
            let expected =
                [["Transfer-Encoding", "chunked"], ["X-List", "a, \tb"]] + headers.map { [$0.0, $0.1] }
            #expect(response.headers.pairs.map { [$0.name, $0.value] } == expected)
            #expect(response.body == Array("x".utf8))
        }
    }

    @Test("A request is a GET with its fields and the client's own, and without those of an earlier request")
    func request() async throws {
        let serve: @Sendable (Upstream.Connection) -> Void = { connection in
            while let head = connection.request() { connection.answer(text: head) }
        }
        try await withUpstream(serve) { client, upstream in
            var request = OutgoingRequest(upstream.url + "/a%20b?c=d&e")
            request.headers = [("X-Key", Secret("k1"))]
            let first = await client.outcome(request).text ?? ""
            #expect(first.hasPrefix("GET /a%20b?c=d&e HTTP/1.1\r\n"))
            #expect(first.contains("\r\nHost: 127.0.0.1:"))
            #expect(first.contains("\r\nAccept: application/json\r\n"))
            #expect(first.contains("\r\nX-Key: k1\r\n"))
            #expect(first.contains("\r\nAccept-Encoding: gzip, br\r\n"))
            let second = await client.outcome(OutgoingRequest(upstream.url + "/")).text ?? ""
            #expect(second.hasPrefix("GET / HTTP/1.1\r\n"))
            #expect(!second.contains("X-Key"))
        }
    }

    @Test(
        "The content coding is decoded",
        arguments: [
            ("gzip", "H4sIAAAAAAACA6tWKknNLUgtSiwpLUpVsjIy1DOtBQDaOI56FAAAAA=="),
            ("deflate", "eJyrVipJzS1ILUosKS1KVbIyMtQzrQUAToAG6w=="),
            ("identity", "eyJ0ZW1wZXJhdHVyZSI6MjEuNX0="),
        ])
    func coding(name: String, bytes: String) async throws {
        let body = try #require(Data(base64Encoded: bytes))
        let serve: @Sendable (Upstream.Connection) -> Void = { connection in
            _ = connection.request()
            connection.answer("Content-Encoding: \(name)\r\n", body: Array(body))
            connection.waitForEnd()
        }
        try await withUpstream(serve) { client, upstream in
            #expect(await client.outcome(OutgoingRequest(upstream.url)).text == #"{"temperature":21.5}"#)
        }
    }

    @Test(
        "A body larger than the request's limit is refused",
        arguments: [
            (1000, 1000, false), (1001, 1000, true), (5 << 20, 5 << 20, false), (5 << 20, (5 << 20) - 1, true),
            (1, 0, true), (0, 0, false),
        ], [true, false])
    func size(_ sizes: (body: Int, limit: Int, isRefused: Bool), isChunked: Bool) async throws {
        let serve: @Sendable (Upstream.Connection) -> Void = { connection in
            _ = connection.request()
            let body = [UInt8](repeating: UInt8(ascii: "x"), count: sizes.body)
            if isChunked {
                connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
                if sizes.body > 0 { connection.write("\(String(sizes.body, radix: 16))\r\n") }
                connection.write(body)
                connection.write(sizes.body > 0 ? "\r\n0\r\n\r\n" : "0\r\n\r\n")
            } else {
                connection.answer(body: body)
            }
            connection.waitForEnd()
        }
        try await withUpstream(serve) { client, upstream in
            let outcome = await client.outcome(OutgoingRequest(upstream.url, maximumBodyBytes: sizes.limit))
            if sizes.isRefused {
                #expect(outcome.error == .tooLarge(limit: sizes.limit))
            } else {
                #expect(outcome.text?.utf8.count == sizes.body)
            }
        }
    }

    @Test(
        "The limit applies to the decoded body",
        arguments: [(limit: 100_000, isRefused: true), (200_000, true), (262_143, true), (262_144, false)])
    func decodedSize(_ sizes: (limit: Int, isRefused: Bool)) async throws {
        // 262,144 zeros, compressed with gzip.
        let packed = "H4sIAAAAAAACA+3BMQEAAADCoPVP7W0Ho" + String(repeating: "A", count: 339) + "3gAi6g7iAAAEAA=="
        let body = try #require(Data(base64Encoded: packed))
        let serve: @Sendable (Upstream.Connection) -> Void = { connection in
            _ = connection.request()
            connection.answer("Content-Encoding: gzip\r\n", body: Array(body))
            connection.waitForEnd()
        }
        try await withUpstream(serve) { client, upstream in
            let outcome = await client.outcome(OutgoingRequest(upstream.url, maximumBodyBytes: sizes.limit))
            if sizes.isRefused {
                #expect(outcome.error == .tooLarge(limit: sizes.limit))
            } else {
                let unpacked = try outcome.get().body
                #expect(unpacked == [UInt8](repeating: 0, count: sizes.limit))
            }
        }
    }

    @Test("A redirect is not followed")
    func redirect() async throws {
        let serve: @Sendable (Upstream.Connection) -> Void = { connection in
            while connection.request() != nil { connection.answer(status: 302, "Location: /elsewhere\r\n", text: "go") }
        }
        try await withUpstream(serve) { client, upstream in
            let response = try await client.fetch(OutgoingRequest(upstream.url))
            #expect(response.status == 302)
            #expect(response.body == Array("go".utf8))
        }
    }

    @Test("A response is received over a Unix socket")
    func unixSocket() async throws {
        let path = "/tmp/weir-upstream-\(getpid()).sock"
        defer { unlink(path) }
        let serve: @Sendable (Upstream.Connection) -> Void = { connection in
            while connection.request() != nil { connection.answer(text: "unix") }
        }
        try await withUpstream(path: path, serve) { client, upstream in
            var request = OutgoingRequest("http://localhost/readyz")
            request.policy = ConnectionPolicy(unixSocketPath: path)
            #expect(await client.outcome(request).text == "unix")
            #expect(await client.outcome(request).text == "unix")
            #expect(upstream.connectionCount == 1)
            request.policy = ConnectionPolicy(unixSocketPath: path + "x")
            #expect(await client.outcome(request).error == .unreachable)
        }
    }

    @Test("An answer over a Unix socket may take longer than the connection")
    func slowUnixSocket() async throws {
        let path = "/tmp/weir-slow-upstream-\(getpid()).sock"
        defer { unlink(path) }
        let serve: @Sendable (Upstream.Connection) -> Void = { connection in
            while connection.request() != nil {
                // The time is the behaviour here.
                Thread.sleep(forTimeInterval: 1.5)
                connection.answer(text: "\(connection.number)")
                // The first connection ends with its second request, which is made again.
                if connection.number == 1, connection.request() != nil { return }
            }
        }
        try await withUpstream(path: path, serve) { client, upstream in
            var request = OutgoingRequest("http://localhost/")
            request.policy = ConnectionPolicy(unixSocketPath: path)
            request.connectTimeout = .seconds(1)
            for number in 1...2 {
                let outcome = await client.outcome(request)
                #expect(outcome.text == "\(number)", "\(outcome)")
            }
        }
    }

    @Test(
        "An incomplete or malformed response is an error that says which",
        arguments: [
            ("", TransferError.brokenOff(.beforeAnswer)), ("HTTP/1.1 200 OK\r\nContent-", .brokenOff(.inHead)),
            ("HTTP/1.1 103 Early Hints\r\n\r\n", .brokenOff(.inHead)),
            ("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfive5", .brokenOff(.beforeContentLength)),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfiv", .brokenOff(.beforeLastChunk)),
            ("SSH-2.0-OpenSSH_9.2\r\n", .malformed(reason: "it does not begin with a status line")),
            ("<html>hello</html>", .malformed(reason: "it does not begin with a status line")),
            (
                "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nnope",
                .malformed(reason: "its gzip coding is malformed")
            ),
            (
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
                .malformed(reason: "its chunked coding is malformed")
            ),
            ("HTTP/9.9 200 OK\r\nContent-Length: 0\r\n\r\n", .malformed(reason: "its status line is malformed")),
        ])
    func malformed(bytes: String, error: TransferError) async throws {
        let serve: @Sendable (Upstream.Connection) -> Void = { connection in
            _ = connection.request()
            connection.write(bytes)
        }
        try await withUpstream(serve) { client, upstream in
            #expect(await client.outcome(OutgoingRequest(upstream.url)).error == error)
        }
    }

    @Test(
        "An address without an upstream is an error that says why",
        arguments: [
            ("", TransferError.invalidURL), ("nonsense", .unknownHost), ("ftp://127.0.0.1/", .invalidURL),
            ("file:///etc/passwd", .invalidURL), ("http://", .invalidURL), ("http://127.0.0.1:99999/", .invalidURL),
            ("http://a..b/", .unknownHost), ("http://127.0.0.1:1/", .unreachable),
        ])
    func invalidAddress(url: String, error: TransferError) async throws {
        try await withClient { client, _ in
            #expect(await client.outcome(OutgoingRequest(url)).error == error)
        }
    }

    @Test(
        "Extensions of chunks may have white space beside their marks, and a size has none behind it",
        arguments: [
            ("4;a=b;c=\"d e\"", true), ("4 ;\ta = b; c", true), ("004 ; a =\"x\"", true), ("4 ", false),
            ("4 ; ", false), (" 4", false), ("4;a b", false), ("4;a=", false), ("4;=b", false), ("4;a=b ", false),
        ], [true, false])
    func chunkExtensions(_ row: (size: String, isAccepted: Bool), isWhole: Bool) async throws {
        let text = "\(row.size)\r\nbody\r\n0\r\nX: y\r\n\r\n"
        let serve: @Sendable (Upstream.Connection) -> Void = { connection in
            _ = connection.request()
            connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            for part in isWhole ? [text] : text.map({ String($0) }) { connection.write(part) }
            connection.waitForEnd()
        }
        try await withUpstream(serve) { client, upstream in
            let outcome = await client.outcome(OutgoingRequest(upstream.url))
            #expect(outcome.text == (row.isAccepted ? "body" : nil))
        }
    }
}
