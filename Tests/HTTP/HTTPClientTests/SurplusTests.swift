import CZlib
import Dispatch
import EventLoop
import Foundation
import HTTPClient
import HTTPCore
import Synchronization
import TestSupport
import Testing

// Serialized, because each case takes several threads.
/// Upstreams that send more than one answer to a request, or bytes after an answer.
@Suite("Surplus bytes of upstreams", .serialized, .timeLimit(.minutes(10)))
struct SurplusTests {
    private static func path(_ head: String) -> String { String(head.split(separator: " ")[1]) }

    private static func answer(_ text: String) -> String {
        "HTTP/1.1 200 OK\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)"
    }

    private static func chunked(_ text: String) -> String {
        let size = String(text.utf8.count, radix: 16)
        return "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(size)\r\n\(text)\r\n0\r\n\r\n"
    }

    /// Bytes that an upstream sends for the path that it was asked for, beyond or in place of one correct answer.
    struct Surplus: CustomTestStringConvertible, Sendable {
        let name: String
        let bytes: @Sendable (String) -> [String]
        var testDescription: String { name }
    }

    static let surpluses = [
        Surplus(name: "two answers in one write") { [answer($0) + answer($0)] },
        Surplus(name: "two chunked answers in one write") { [chunked($0) + chunked($0)] },
        Surplus(name: "two answers in two writes") { [answer($0), answer($0)] },
        Surplus(name: "a large second answer") { [answer($0) + answer($0 + String(repeating: "x", count: 100_000))] },
        Surplus(name: "a body longer than its Content-Length") { [answer($0) + "surplus"] },
        Surplus(name: "a body longer than its Content-Length, in two writes") { [answer($0), answer("surplus")] },
        Surplus(name: "bytes after the last chunk") { [chunked($0) + "surplus"] },
        Surplus(name: "a 204 with a body") {
            ["HTTP/1.1 204 No Content\r\nContent-Length: \(answer($0).utf8.count)\r\n\r\n" + answer($0)]
        },
        Surplus(name: "a 304 with a body") {
            ["HTTP/1.1 304 Not Modified\r\nContent-Length: \(answer($0).utf8.count)\r\n\r\n" + answer($0)]
        },
        Surplus(name: "a 304 with a body in a second write") { ["HTTP/1.1 304 Not Modified\r\n\r\n", answer($0)] },
        Surplus(name: "a 304 with a chunked body") {
            ["HTTP/1.1 304 Not Modified\r\nTransfer-Encoding: chunked\r\n\r\n" + chunked($0)]
        },
    ]

    @Test(
        "Bytes that follow an answer late are no answer to the next request, which is made again",
        arguments: ["\r\n", "}\n", "ond half"])
    func lateBytes(_ surplus: String) async throws {
        let serve: @Sendable (Upstream.Connection) -> Void = { connection in
            var hasAnswered = false
            while let request = connection.request() {
                let body = request.split(separator: " ")[1]
                let answer = "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
                connection.write((hasAnswered ? surplus : "") + answer)
                hasAnswered = true
            }
        }
        try await withUpstream(serve) { client, upstream in
            for number in 0..<8 {
                let outcome = await client.outcome(OutgoingRequest("\(upstream.url)/\(number)"))
                #expect(outcome.text == "/\(number)")
            }
            // The second request had the first connection at first, and all others one of their own.
            #expect(upstream.connectionCount == 8)
        }
    }

    @Test("Bytes after an answer never reach another request", arguments: surpluses)
    func surplus(_ surplus: Surplus) async throws {
        let count = Atomic<Int>(0)
        let served = Event()
        let serve: @Sendable (Upstream.Connection) -> Void = { connection in
            while let head = connection.request() {
                defer { served.occur() }
                let path = Self.path(head)
                let number = count.add(1, ordering: .relaxed).newValue
                if number % 7 == 3 {
                    for bytes in surplus.bytes(path) { connection.write(bytes) }
                } else {
                    connection.write(number % 2 == 0 ? Self.answer(path) : Self.chunked(path))
                }
            }
        }
        try await withUpstream(serve) { client, upstream in
            var wrong: [String] = []
            for number in 0..<200 {
                let outcome = await client.outcome(OutgoingRequest("\(upstream.url)/\(number)"))
                let text = outcome.text ?? "\(outcome)"
                // What arrives after the next request is sent cannot be told from its answer.
                await served.wait()
                if text != "/\(number)", !text.isEmpty { wrong.append("/\(number): \(text.prefix(60))") }
            }
            #expect(wrong == [])
        }
    }

    @Test("An upstream that doubles an answer now and then gives none of 2,000 clients another's answer")
    func doubled() async throws {
        let count = Atomic<Int>(0)
        // More than libcurl reads at once.
        let padding = String(repeating: " ", count: 20_000)
        let serve: @Sendable (Upstream.Connection) -> Void = { connection in
            while let head = connection.request() {
                let text = Self.answer(Self.path(head) + padding)
                let isDoubled = count.add(1, ordering: .relaxed).newValue % 50 == 7
                connection.write(isDoubled ? text + text : text)
            }
        }
        try await withUpstream(serve) { client, upstream in
            let wrong = await withTaskGroup { group in
                var wrong = 0
                for number in 0..<2000 {
                    group.addTask {
                        let request = OutgoingRequest("\(upstream.url)/\(number)")
                        return await client.outcome(request).text != "/\(number)" + padding
                    }
                    // At most eight clients at a time.
                    if number >= 8, await group.next() == true { wrong += 1 }
                }
                return await group.reduce(wrong) { $0 + ($1 ? 1 : 0) }
            }
            #expect(wrong == 0)
        }
    }

    @Test("A request on a connection that has just ended is made again, also after many others")
    func ended() async throws {
        let (mayEnd, ended) = (Watched(0), Watched(0))
        let serve: @Sendable (Upstream.Connection) -> Void = { connection in
            guard connection.request() != nil else { return }
            connection.answer(text: "\(connection.number)")
            _ = mayEnd.wait { $0 >= connection.number ? true : nil }
            // libcurl does not take this for the end.
            connection.answer(status: 408)
            ended.update { $0 = connection.number }
            connection.waitForEnd()
        }
        let upstream = try Upstream(serve)
        defer { upstream.stop() }
        try await withClient { client, shard in
            for number in 1...600 {
                let outcome = await client.outcome(OutgoingRequest(upstream.url, deadline: .seconds(60)))
                try #require(outcome.text == "\(number)", "\(outcome)")
                // The loop sees the next request first.
                shard.post {
                    mayEnd.update { $0 = number }
                    _ = ended.wait { $0 == number ? true : nil }
                }
            }
        }
    }

    @Test(
        "A second answer that arrives while its connection is idle closes the connection", arguments: [true, false],
        [0, 150_000, 300_000, 1_000_000])
    func lateAnswer(isReset: Bool, padding: Int) async throws {
        let (idle, closed, isRead) = (Event(), Event(), Watched(false))
        let padding = String(repeating: " ", count: padding)
        let serve: @Sendable (Upstream.Connection) -> Void = { connection in
            while let head = connection.request() {
                connection.write(Self.answer(Self.path(head) + padding))
                guard connection.number == 1 else { continue }
                // The connection is idle once the client has its answer.
                _ = isRead.wait { $0 ? true : nil }
                connection.write(Self.answer("/late"))
                idle.occur()
            }
            if connection.number == 1 { closed.occur() }
        }
        try await withUpstream(serve) { client, upstream in
            #expect(await client.outcome(OutgoingRequest("\(upstream.url)/1")).text == "/1" + padding)
            isRead.update { $0 = true }
            await idle.wait()
            if isReset { await closed.wait() }
            for number in 2..<20 {
                let outcome = await client.outcome(OutgoingRequest("\(upstream.url)/\(number)"))
                #expect(outcome.text == "/\(number)" + padding)
            }
            if !isReset { await closed.wait() }
            #expect(!Task.isCancelled)
        }
    }

    @Test("A second answer that arrives while the body is still being decoded reaches nobody")
    func decoding() async throws {
        // 24 KB as gzip: each half is less than the 16 KiB that libcurl offers at once.
        let zeros = [UInt8](repeating: 0, count: 24 << 20)
        var packed = [UInt8](repeating: 0, count: weir_gzip_bound(zeros.count))
        packed.removeLast(packed.count - weir_gzip(zeros, zeros.count, &packed, packed.count, 9))
        let body = packed
        // The second half arrives while the first one is decoded.
        let (decoded, isSent, surplus) = (Watched(0), Watched(false), Event())
        let serve: @Sendable (Upstream.Connection) -> Void = { connection in
            while let head = connection.request() {
                guard Self.path(head) == "/1" else {
                    connection.write(Self.answer(Self.path(head)))
                    continue
                }
                connection.write("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(body.count)\r\n\r\n")
                connection.write(Array(body[..<(body.count / 2)]))
                _ = decoded.wait { $0 > 0 ? true : nil }
                connection.write(Array(body[(body.count / 2)...]))
                _ = decoded.wait { $0 > 14 << 20 ? true : nil }
                connection.write(Self.answer("/late"))
                isSent.update { $0 = true }
                surplus.occur()
            }
        }
        try await withUpstream(serve) { client, upstream in
            var first = OutgoingRequest("\(upstream.url)/1", maximumBodyBytes: 64 << 20)
            first.reserveBody = { count in
                decoded.update { $0 = count }
                // The loop decodes on when the second answer has been sent.
                if count > 14 << 20 { _ = isSent.wait { $0 ? true : nil } }
                return true
            }
            let request = first
            let task = Task { await client.outcome(request) }
            await surplus.wait()
            for number in 2..<6 {
                #expect(await client.outcome(OutgoingRequest("\(upstream.url)/\(number)")).text == "/\(number)")
            }
            let outcome = await task.value
            #expect(outcome.text?.utf8.count == zeros.count)
        }
    }

    @Test("The connections of an upstream that has sent surplus bytes once are not reused")
    func suspicion() async throws {
        let serve: @Sendable (Upstream.Connection) -> Void = { connection in
            while let head = connection.request() {
                let text = Self.answer(Self.path(head))
                connection.write(connection.number == 1 ? text + text : text)
            }
        }
        try await withUpstream(serve) { client, upstream in
            for number in 1...10 {
                #expect(await client.outcome(OutgoingRequest("\(upstream.url)/\(number)")).text == "/\(number)")
            }
            #expect(upstream.connectionCount == 10)
        }
    }

    @Test("A 408 on a reused connection is not an answer to the request, which is repeated on a new connection")
    func requestTimeout() async throws {
        let idle = Event()
        let serve: @Sendable (Upstream.Connection) -> Void = { connection in
            while let head = connection.request() {
                if connection.number == 1, Self.path(head) != "/1" {
                    connection.answer(status: 408, "Connection: close\r\n", text: "too slow")
                    return
                }
                connection.write(Self.answer(Self.path(head)))
            }
            idle.occur()
        }
        try await withUpstream(serve) { client, upstream in
            for number in 1...3 {
                #expect(await client.outcome(OutgoingRequest("\(upstream.url)/\(number)")).text == "/\(number)")
            }
            // A 408 does not make the upstream suspect.
            #expect(upstream.connectionCount == 2)
        }
    }

    @Test("A 408 on a new connection is the answer, and the next request takes another one")
    func immediateRequestTimeout() async throws {
        let requests = Atomic(0)
        let serve: @Sendable (Upstream.Connection) -> Void = { connection in
            while connection.request() != nil {
                requests.add(1, ordering: .relaxed)
                connection.answer(status: 408, text: "too slow")
            }
        }
        try await withUpstream(serve) { client, upstream in
            for count in 1...2 {
                let response = try await client.fetch(OutgoingRequest(upstream.url))
                #expect(response.status == 408)
                #expect(upstream.connectionCount == count)
                #expect(requests.load(ordering: .relaxed) == count)
            }
        }
    }

    @Test(
        "A request is repeated if reused connections are closed or reset without an answer", arguments: [true, false])
    func closedBeforeAnswer(isReset: Bool) async throws {
        let (together, closed) = (Event(), Event())
        let isClosing = Atomic<Bool>(false)
        let gate = Gate()
        let serve: @Sendable (Upstream.Connection) -> Void = { connection in
            while let head = connection.request() {
                if isClosing.load(ordering: .relaxed), connection.number <= 12 {
                    if isReset { connection.reset() }
                    return closed.occur()
                }
                if Self.path(head) == "/together" { together.occur() }
                gate.pass(seconds: 600)
                connection.write(Self.answer(Self.path(head)))
            }
        }
        try await withUpstream(serve) { client, upstream in
            let tasks = (0..<12).map { _ in
                Task { await client.outcome(OutgoingRequest("\(upstream.url)/together")).text }
            }
            await together.wait(12)
            isClosing.store(true, ordering: .relaxed)
            gate.open()
            for task in tasks { #expect(await task.value == "/together") }
            #expect(await client.outcome(OutgoingRequest("\(upstream.url)/next")).text == "/next")
            #expect(upstream.connectionCount == 13)
        }
    }
}
