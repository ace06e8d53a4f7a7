import Foundation
import Glibc
import TestSupport
import Testing

/// Upstreams that misbehave in HTTP.
///
/// `UnavailableUpstreamTests` has connections and TLS, `UpstreamTests` the documents.
@Suite("Bad upstreams", .timeLimit(.minutes(10)))
struct BadUpstreamTests {
    static let status = #"{"id":"7","created_at":"2026-01-01T18:00:37Z","content":"<p>Hi</p>"}"#

    /// What an upstream does once, and the problem that results.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let status: Int
        /// A part of the problem's detail.
        let detail: String
        /// Settings of the upstream.
        let settings: String
        let reaction: ScriptedUpstream.Reaction

        init(
            _ name: String, _ status: Int, _ detail: String, settings: String = "",
            _ reaction: ScriptedUpstream.Reaction
        ) {
            (testDescription, self.status, self.detail) = (name, status, detail)
            (self.settings, self.reaction) = (settings, reaction)
        }

        /// An upstream that sends this text and closes the connection, with a reset if that is asked for.
        init(_ name: String, _ detail: String, bytes: String, resets: Bool = false) {
            self.init(
                name, 502, detail,
                .play { connection in
                    _ = connection.send(Array(bytes.utf8), seconds: 60)
                    if resets { connection.reset() }
                })
        }
    }

    /// Sends `start`, and then `part` again and again while the client takes it.
    private static func endless(_ start: String, _ part: String, pause: Duration = .zero) -> ScriptedUpstream.Reaction {
        .play { connection in
            var bytes = Array(start.utf8)
            while connection.send(bytes, seconds: 60) {
                bytes = Array(part.utf8)
                // The pace is what the case is about; the end of the connection ends it.
                if pause > .zero, connection.wait(for: POLLIN, seconds: pause / .seconds(1)) { return }
            }
        }
    }

    private static let ok = "HTTP/1.1 200 OK\r\n"
    private static let slow = #", "deadlineMilliseconds": 1000"#

    private static func date(in seconds: Int) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.string(from: Date(timeIntervalSinceNow: Double(seconds)))
    }

    private static let cases: [Case] = [
        // Slow.
        Case("silent after the request", 504, "did not answer in time", settings: slow, .stall),
        Case(
            "one byte a second", 504, "its answer was not complete in time", settings: slow,
            endless(ok + "Content-Length: 1000\r\n\r\n", "x", pause: .seconds(1))),
        Case(
            "one byte of the head a second", 504, "its answer was not complete in time", settings: slow,
            endless(ok, "x", pause: .seconds(1))),
        Case(
            "a trickle of interim answers", 504, "did not answer in time", settings: slow,
            endless("", "HTTP/1.1 103 Early Hints\r\n\r\n", pause: .milliseconds(200))),
        // Large.
        Case(
            "an endless head", 502, "its head is too large",
            endless(ok, "X-Field: \(String(repeating: "x", count: 99))\r\n")),
        Case(
            "more than 200 fields", 502, "its head is too large",
            .answer(smallForecast, headers: (0..<200).map { "X-\($0): x" })),
        Case(
            "a head of more than 64 KiB", 502, "its head is too large",
            .answer(smallForecast, headers: (0..<66).map { "X-\($0): \(String(repeating: "x", count: 1000))" })),
        Case(
            "an endless head line", 502, "its head is too large", endless(ok + "X: ", String(repeating: "x", count: 99))
        ),
        Case("endless interim answers", 502, "its head is too large", endless("", "HTTP/1.1 103 Early Hints\r\n\r\n")),
        Case(
            "endless trailers", 502, "its head is too large",
            endless(ok + "Transfer-Encoding: chunked\r\n\r\n0\r\n", "X-Field: x\r\n")),
        Case(
            "an endless body", 502, "larger than 1000 bytes", settings: #", "maximumBytes": 1000"#,
            endless(ok + "\r\n", String(repeating: " ", count: 999))),
        Case(
            "endless chunks", 502, "larger than 1000 bytes", settings: #", "maximumBytes": 1000"#,
            endless(ok + "Transfer-Encoding: chunked\r\n\r\n", "1\r\nx\r\n")),
        Case(
            "a chunk with an endless size", 502, "its answer is malformed",
            endless(ok + "Transfer-Encoding: chunked\r\n\r\n", "0000000000000000")),
        // Compression.
        Case(
            "a body of 60 MB of zeros in gzip", 502, "larger than 8388608 bytes",
            .play { connection in
                let folder = try? TemporaryFolder()
                defer { folder?.remove() }
                let bomb = try? Tool.run(["sh", "-c", "head -c 60000000 /dev/zero | gzip -9"]).output
                let head = "\(ok)Content-Encoding: gzip\r\nContent-Length: \(bomb?.count ?? 0)\r\n\r\n"
                _ = connection.send(Array(head.utf8) + (bomb ?? []), seconds: 60)
                // The answer was complete, so Weir may keep the connection: the upstream closes it.
            }),
        Case(
            "gzip in gzip", 502, "it has more than one content coding",
            .answer(200, Gzip.frame(Gzip.frame(Array(smallForecast.utf8))), headers: ["Content-Encoding: gzip, gzip"])),
        Case(
            "an unknown coding", 502, "its Content-Encoding is not supported",
            .answer(smallForecast, headers: ["Content-Encoding: compress"])),
        // Lengths and ends.
        Case(
            "a length that is too small", "it is longer than its framing says",
            bytes: ok + "Connection: close\r\nContent-Length: 10\r\n\r\n\(smallForecast)"),
        Case(
            "a length that is too large", "the answer ended before its Content-Length",
            bytes: ok + "Content-Length: 1000\r\n\r\n\(smallForecast)"),
        Case(
            "chunks without an end", "the answer ended before its last chunk",
            bytes: ok + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n"),
        Case("a reset before the answer", "it closed the connection without an answer", bytes: "", resets: true),
        Case("a reset within the head", "the answer ended within its head", bytes: ok + "X-Fi", resets: true),
        Case(
            "a reset within a body with a length", "the answer ended before its Content-Length",
            bytes: ok + "Content-Length: 1000\r\n\r\n{", resets: true),
        Case(
            "a reset within a chunk", "the answer ended before its last chunk",
            bytes: ok + "Transfer-Encoding: chunked\r\n\r\nff\r\n{", resets: true),
        Case(
            "a reset within a body without a length", "the connection was reset within the answer",
            bytes: ok + "\r\n{", resets: true),
        // Heads.
        Case("two lengths", "its answer is malformed", bytes: ok + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}"),
        Case(
            "a length and chunks", "its answer is malformed",
            bytes: ok + "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        Case("a negative length", "its answer is malformed", bytes: ok + "Content-Length: -2\r\n\r\n{}"),
        Case(
            "a length with overflow", "its answer is malformed",
            bytes: ok + "Content-Length: 99999999999999999999999999\r\n\r\n{}"),
        Case("a folded line", "its answer is malformed", bytes: ok + "X: a\r\n b\r\nContent-Length: 2\r\n\r\n{}"),
        Case("a space before the colon", "its answer is malformed", bytes: ok + "Content-Length : 2\r\n\r\n{}"),
        Case("a line without CR", "its answer is malformed", bytes: "HTTP/1.1 200 OK\nContent-Length: 2\n\n{}"),
        Case("a NUL", "its answer is malformed", bytes: ok + "X: \0\r\nContent-Length: 2\r\n\r\n{}"),
        Case(
            "a status of two digits", "its answer is malformed", bytes: "HTTP/1.1 20 OK\r\nContent-Length: 2\r\n\r\n{}"),
        Case("HTTP/2 without TLS", "its answer is malformed", bytes: "HTTP/2 200\r\ncontent-length: 2\r\n\r\n{}"),
        // Redirects that are not followed.
        Case("a redirect to a file", 502, "status 302", .answer(302, "", headers: ["Location: file:///etc/passwd"])),
        Case(
            "a redirect to a file, with redirects", 502, "it redirects to a URL that is not https",
            settings: #", "redirects": "sameHost""#, .answer(302, "", headers: ["Location: file:///etc/passwd"])),
        Case(
            "a redirect to another host, with redirects", 502, "it redirects to another host or port",
            settings: #", "redirects": "sameHost""#, .answer(301, "", headers: ["Location: https://other.example/"])),
        Case(
            "a redirect to another name of loopback, with redirects", 502, "it redirects to another host or port",
            settings: #", "redirects": "sameHost""#, .answer(307, "", headers: ["Location: https://localhost/"])),
        Case(
            "a redirect to itself over http, with redirects", 502, "it redirects to a URL that is not https",
            settings: #", "redirects": "sameHost""#, .answer(308, "", headers: ["Location: /"])),
        // Statuses.
        Case("500", 502, "status 500", .answer(500, "{}")),
        Case("503", 502, "status 503", .answer(503, "{}")),
        Case("204", 502, "status 204", .bytes(Array("HTTP/1.1 204 No Content\r\n\r\n".utf8))),
    ]

    static func configuration(weather: String, settings: String, tweets: String) -> String {
        let deadline = settings.contains("deadlineMilliseconds") ? "" : #", "deadlineMilliseconds": 15000"#
        let connect = settings.contains("connectTimeout") ? "" : #", "connectTimeoutMilliseconds": 15000"#
        return """
            {
                "listen": "127.0.0.1:0", "shards": 1, "cache": {"maximumBytes": 0}, "fetching": {"deadlineMilliseconds": 20000},
                "server": {"drainTimeoutMilliseconds": 3000},
                "upstreams": [
                    {"name": "sky", "dialect": "darkSky", "baseURL": "\(weather)",
                     "key": {"environment": "WEIR_TEST_KEY"}, "retryPercent": 0\(deadline)\(connect)\(settings)},
                    {"name": "statuses", "dialect": "mastodon", "baseURL": "\(tweets)"}
                ],
                "weather": {"upstreams": ["sky"]},
                "tweets": {"upstreams": ["statuses"]}
            }
            """
    }

    @Test("A bad answer is a problem in time, and the next good one is answered", arguments: cases)
    func badAnswer(_ bad: Case) throws {
        let isGood = Watched(false)
        let upstream = try ScriptedUpstream { _ in isGood.current ? .answer(smallForecast) : bad.reaction }
        defer { upstream.stop() }
        let other = try ScriptedUpstream { _ in .answer(Self.status) }
        defer { other.stop() }
        let weir = try WeirProcess.serve(
            Self.configuration(weather: upstream.baseURL, settings: bad.settings, tweets: other.baseURL))
        defer { weir.kill() }
        let otherClient = try weir.client()
        let usual = try Self.tail(of: otherClient)
        let (descriptors, memory) = (try weir.descriptorCount, try weir.residentMemory)
        let address = try weir.address()
        let outcome = Watched<Result<(seconds: Double, result: RawAnswer), any Error>?>(nil)
        // On a thread of its own, so that what the other client takes is not in the time.
        Thread.detachNewThread {
            let result = Result { try seconds { try RawClient(address).get(weather) } }
            outcome.update { $0 = result }
        }
        #expect(upstream.waitForRequests(1))
        try Self.expectTail(of: otherClient, nearly: usual)
        let (took, answer) = try #require(outcome.wait { $0 }).get()
        let problem = try expectProblem(answer, bad.status)
        #expect(problem["detail"].string?.contains(bad.detail) == true, "\(answer.text)")
        // In a fraction of the deadline of 15 seconds, unless the answer is slow; the machine may be as well.
        #expect(took < 12, "\(took) s")
        #expect(!answer.everything.contains("test-key"))
        isGood.update { $0 = true }
        #expect(try weir.get(weather).status == 200)
        #expect(upstream.requests.count == 2)
        try Self.expectNoLeak(in: weir, descriptors: descriptors, memory: memory)
        #expect(try weir.terminate() == 0)
    }

    /// Requests a tweet a hundred times, and returns the 99th percentile of the times in seconds.
    static func tail(of client: RawClient) throws -> Double {
        let times = try (0..<100).map { _ in
            let (time, answer) = try seconds { try client.get("/tweets/7") }
            #expect(answer.status == 200)
            return time
        }
        return times.sorted()[98]
    }

    /// Expects that another upstream's 99th percentile is at most twice the `usual` one.
    static func expectTail(of client: RawClient, nearly usual: Double) throws {
        // Besides twice the usual time, as much as a machine that does other things may take; it may do so twice.
        let limit = max(2 * usual, usual + 0.05)
        var tail = try tail(of: client)
        for _ in 1...2 where tail > limit { tail = try Self.tail(of: client) }
        #expect(tail <= limit, "\(tail) s beside the bad upstream, \(usual) s before")
    }

    /// Expects that one connection to the upstream stays at most, and no more memory than the allocator keeps.
    static func expectNoLeak(in weir: WeirProcess, descriptors: Int, memory: Int) throws {
        #expect(try weir.descriptorCount <= descriptors + 2)
        #expect(try weir.residentMemory - memory < 48 << 20)
    }

    @Test(
        "429 and 503 keep their Retry-After in both forms, and the upstream is left alone for that time",
        arguments: [(429, 429), (503, 502)])
    func retryAfter(_ theirs: Int, _ ours: Int) throws {
        for (field, range) in [("Retry-After: 70", 70...70), ("Retry-After: \(Self.date(in: 600))", 540...600)] {
            let upstream = try ScriptedUpstream { _ in .answer(theirs, "{}", headers: [field]) }
            defer { upstream.stop() }
            let weir = try WeirProcess.serve(
                Self.configuration(weather: upstream.baseURL, settings: "", tweets: upstream.baseURL))
            defer { weir.kill() }
            for status in [ours, 503] {
                let answer = try weir.get(weather)
                try expectProblem(answer, status)
                let seconds = answer.header("Retry-After").flatMap { Int($0) } ?? 0
                #expect((range.lowerBound - 60...range.upperBound).contains(seconds), "\(seconds)")
            }
            #expect(upstream.requests.count == 1)
        }
    }
}
