import EventLoop
import HTTPClient
import HTTPCore
import Synchronization
import TestSupport
import Testing

@Suite("HTTP client", .timeLimit(.minutes(10)))
struct ClientTests {
    /// Answers every request.
    private static let answering: @Sendable (Upstream.Connection) -> Void = { connection in
        while connection.request() != nil { connection.answer(text: "yes") }
    }

    /// Answers no request and reports each.
    private static func silent(_ asked: Event) -> @Sendable (Upstream.Connection) -> Void {
        { connection in
            while connection.request() != nil { asked.occur() }
        }
    }

    @Test("A connection is reused from the event loop and from other threads")
    func reuse() async throws {
        let upstream = try Upstream(Self.answering)
        defer { upstream.stop() }
        try await withClient { client, shard in
            for _ in 0..<10 { #expect(await client.outcome(OutgoingRequest(upstream.url)).text == "yes") }
            await Task(executorPreference: shard) {
                for _ in 0..<10 { #expect(await client.outcome(OutgoingRequest(upstream.url)).text == "yes") }
            }.value
            #expect(upstream.connectionCount == 1)
        }
    }

    @Test("A request has nothing of the request to the same upstream before it")
    func nothingKept() async throws {
        let serve: @Sendable (Upstream.Connection) -> Void = { connection in
            while let head = connection.request() { connection.answer("ETag: \"v1\"\r\n", text: head) }
        }
        try await withUpstream(serve) { client, upstream in
            let (sent, reserved) = (Watched(0), Watched(0))
            var request = OutgoingRequest("\(upstream.url)/1", deadline: .seconds(600))
            request.headers = [("Authorization", Secret("Bearer key"))]
            request.validators = Validators(HeaderFields([("ETag", "\"v0\"")]))
            request.noteSent = { sent.update { $0 += 1 } }
            request.reserveBody = { _ in
                reserved.update { $0 += 1 }
                return true
            }
            (request.minimumRate, request.maximumHeadBytes) = (1, 4096)
            for _ in 0..<2 {
                let head = try #require(await client.outcome(request).text)
                #expect(head.hasPrefix("GET /1 HTTP/1.1\r\n") && head.contains("Authorization: Bearer key\r\n"))
                #expect(head.contains("If-None-Match: \"v0\"\r\n"))
            }
            let before = (sent.current, reserved.current)
            let plain = try await client.fetch(OutgoingRequest("\(upstream.url)/2"))
            let head = String(decoding: plain.body, as: UTF8.self)
            #expect(head.hasPrefix("GET /2 HTTP/1.1\r\nHost: ") && plain.isReused)
            #expect(
                Array(head.split(separator: "\r\n").dropFirst(2)) == [
                    "Accept: application/json", "User-Agent: weir", "Accept-Encoding: gzip, br",
                ])
            #expect((sent.current, reserved.current) == before)
            #expect(before.0 == 2)
        }
    }

    @Test("A request on a connection that the upstream has closed is repeated on a new connection")
    func closedConnection() async throws {
        let serve: @Sendable (Upstream.Connection) -> Void = { connection in
            _ = connection.request()
            connection.answer(text: "\(connection.number)")
        }
        try await withUpstream(serve) { client, upstream in
            for number in 1...20 {
                #expect(await client.outcome(OutgoingRequest(upstream.url)).text == "\(number)")
            }
        }
    }

    @Test("300 concurrent requests use at most 32 connections, and each gets its own response")
    func concurrency() async throws {
        let busy = Atomic<Int>(0)
        let maximum = Mutex(0)
        let serve: @Sendable (Upstream.Connection) -> Void = { connection in
            while let head = connection.request() {
                let count = busy.add(1, ordering: .sequentiallyConsistent).newValue
                maximum.withLock { $0 = max($0, count) }
                let path = head.split(separator: " ")[1]
                _ = busy.subtract(1, ordering: .sequentiallyConsistent)
                connection.answer(text: String(path))
            }
        }
        let upstream = try Upstream(serve)
        defer { upstream.stop() }
        try await withClient(maximumHostConnections: 32) { client, _ in
            let right = await withTaskGroup { group in
                for number in 0..<300 {
                    group.addTask {
                        await client.outcome(OutgoingRequest("\(upstream.url)/\(number)")).text == "/\(number)"
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(right == 300)
            #expect(upstream.connectionCount <= 32)
            #expect(maximum.withLock { $0 } <= 32)
        }
    }

    @Test("A deadline beyond the range of the clock is accepted")
    func farDeadline() async throws {
        try await withUpstream(Self.answering) { client, upstream in
            let request = OutgoingRequest(upstream.url, deadline: .seconds(Int64.max))
            #expect(await client.outcome(request).text == "yes")
        }
    }

    @Test("A request with a deadline in the past fails at once", arguments: [Duration.zero, .seconds(-1)])
    func passedDeadline(deadline: Duration) async throws {
        try await withUpstream(Self.answering) { client, upstream in
            #expect(await client.outcome(OutgoingRequest(upstream.url, deadline: deadline)).error == .tooSlow)
        }
    }

    @Test(
        "A request fails at its deadline while it waits for a response or the rest of one",
        arguments: ["", "HTTP/1.1 200 OK\r\nContent-", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"])
    func slowAnswer(bytes: String) async throws {
        let serve: @Sendable (Upstream.Connection) -> Void = { connection in
            _ = connection.request()
            connection.write(bytes)
            connection.waitForEnd()
        }
        try await withUpstream(serve) { client, upstream in
            let start = MonotonicTime.now
            let request = OutgoingRequest(upstream.url, deadline: .milliseconds(bytes.isEmpty ? 100 : 1000))
            #expect(await client.outcome(request).error == (bytes.isEmpty ? .tooSlow : .unfinished))
            #expect(MonotonicTime.now - start >= .milliseconds(bytes.isEmpty ? 98 : 998))
        }
    }

    @Test("A request fails at its deadline while it connects")
    func slowConnect() async throws {
        let (upstream, fillers) = try Upstream.full()
        try await withClient { client, _ in
            let request = OutgoingRequest(upstream.url, deadline: .milliseconds(100))
            #expect(await client.outcome(request).error == .tooSlow)
        }
        for filler in fillers { filler.close() }
    }

    @Test("A connection that takes longer than the connect timeout fails as such, long before the deadline")
    func connectTimeout() async throws {
        let (upstream, fillers) = try Upstream.full()
        try await withClient { client, _ in
            var request = OutgoingRequest(upstream.url)
            #expect(OutgoingRequest(url: Secret("")).connectTimeout == .seconds(1))
            request.connectTimeout = .milliseconds(100)
            #expect(await client.outcome(request).error == .connectTimedOut)
        }
        for filler in fillers { filler.close() }
    }

    @Test("A connection that is made in time has the whole deadline for its answer")
    func slowAfterConnect() async throws {
        let serve: @Sendable (Upstream.Connection) -> Void = { connection in connection.waitForEnd() }
        try await withUpstream(serve) { client, upstream in
            var request = OutgoingRequest(upstream.url, deadline: .milliseconds(1500))
            request.connectTimeout = .seconds(1)
            #expect(await client.outcome(request).error == .tooSlow)
        }
    }

    @Test("The deadline holds for a request that is made again after its connection has ended")
    func deadlineOfRepetition() async throws {
        let serve: @Sendable (Upstream.Connection) -> Void = { connection in
            guard connection.request() != nil, connection.number == 1 else { return connection.waitForEnd() }
            connection.answer(text: "first")
            // Half of the next request's time, and then the end of the connection.
            if connection.request() != nil { _ = Gate().pass(seconds: 3) }
        }
        try await withUpstream(serve) { client, upstream in
            #expect(await client.outcome(OutgoingRequest(upstream.url)).text == "first")
            let start = MonotonicTime.now
            #expect(await client.outcome(OutgoingRequest(upstream.url, deadline: .seconds(6))).error == .tooSlow)
            // It was 9 seconds.
            #expect(MonotonicTime.now - start < .seconds(8))
            #expect(upstream.connectionCount == 2)
        }
    }

    @Test("A request waits for one of the connections to its host as long as for a new one")
    func fullHost() async throws {
        let (gate, begun) = (Gate(), Event())
        let upstream = try Upstream { connection in
            while connection.request() != nil {
                begun.occur()
                gate.pass(seconds: 600)
                connection.answer(text: "yes")
            }
        }
        defer { upstream.stop() }
        try await withClient(maximumHostConnections: 1) { client, _ in
            let first = Task { await client.outcome(OutgoingRequest(upstream.url)).text }
            await begun.wait()
            var request = OutgoingRequest(upstream.url)
            request.connectTimeout = .milliseconds(50)
            #expect(await client.outcome(request).error == .connectTimedOut)
            (request.connectTimeout, request.deadline) = (.seconds(60), .milliseconds(20))
            #expect(await client.outcome(request).error == .tooSlow)
            gate.open()
            #expect(await first.value == "yes")
        }
    }

    @Test("An answer below the minimum rate fails as such")
    func minimumRate() async throws {
        let serve: @Sendable (Upstream.Connection) -> Void = { connection in
            _ = connection.request()
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\nx")
            connection.waitForEnd()
        }
        try await withUpstream(serve) { client, upstream in
            var request = OutgoingRequest(upstream.url)
            request.minimumRate = 1000
            #expect(await client.outcome(request).error == .stalled)
        }
    }

    @Test("A cancelled task ends its request and closes the connection")
    func cancellation() async throws {
        let (asked, closed) = (Event(), Event())
        let serve: @Sendable (Upstream.Connection) -> Void = { connection in
            while connection.request() != nil { asked.occur() }
            closed.occur()
        }
        try await withUpstream(serve) { client, upstream in
            let task = Task { await client.outcome(OutgoingRequest(upstream.url)) }
            await asked.wait()
            task.cancel()
            #expect(await task.value.error == .cancelled)
            await closed.wait()
            #expect(!Task.isCancelled)
        }
    }

    @Test("A request of a task that is already cancelled is not sent", arguments: [true, false])
    func cancelledBefore(isOnShard: Bool) async throws {
        let upstream = try Upstream(Self.silent(Event()))
        defer { upstream.stop() }
        try await withClient { client, shard in
            let fetch: @Sendable () async -> TransferError? = {
                withUnsafeCurrentTask { $0?.cancel() }
                return await client.outcome(OutgoingRequest(upstream.url)).error
            }
            let task = isOnShard ? Task(executorPreference: shard, operation: fetch) : Task(operation: fetch)
            #expect(await task.value == .cancelled)
        }
    }

    @Test("Cancellation at any moment of a request is safe")
    func cancellationRaces() async throws {
        try await withUpstream(Self.answering) { client, upstream in
            await withTaskGroup { group in
                for number in 0..<500 {
                    group.addTask {
                        let task = Task { await client.outcome(OutgoingRequest(upstream.url)) }
                        for _ in 0..<(number % 50) { await Task.yield() }
                        task.cancel()
                        let outcome = await task.value
                        #expect(outcome.text == "yes" || outcome.error == .cancelled)
                    }
                }
            }
            #expect(await client.outcome(OutgoingRequest(upstream.url)).text == "yes")
        }
    }

    @Test("Stopping the client ends all requests, and later ones are not sent")
    func stop() async throws {
        let asked = Event()
        try await withUpstream(Self.silent(asked)) { client, upstream in
            let tasks = (0..<50).map { _ in Task { await client.outcome(OutgoingRequest(upstream.url)) } }
            await asked.wait(50)
            client.stop()
            for task in tasks { #expect(await task.value.error == .cancelled) }
            #expect(await client.outcome(OutgoingRequest(upstream.url)).error == .cancelled)
        }
    }

    @Test("A released client closes its connections", arguments: [true, false])
    func release(isStopped: Bool) async throws {
        let closed = Event()
        let serve: @Sendable (Upstream.Connection) -> Void = { connection in
            while connection.request() != nil { connection.answer(text: "yes") }
            closed.occur()
        }
        let upstream = try Upstream(serve)
        defer { upstream.stop() }
        let shard = try Shard(index: 0)
        shard.start()
        for _ in 0..<20 {
            do {
                let client = Client(on: shard)
                #expect(await client.outcome(OutgoingRequest(upstream.url)).text == "yes")
                if isStopped { client.stop() }
            }
            await closed.wait()
        }
        #expect(!Task.isCancelled)
        shard.stop()
    }

    @Test("Several upstreams are used at the same time, also if descriptor numbers are reused")
    func manyUpstreams() async throws {
        let upstreams = try (0..<8).map { number in
            try Upstream { connection in
                while connection.request() != nil {
                    connection.answer(text: "\(number)")
                    // Half of the upstreams close after each response, so that descriptor numbers are reused.
                    if number % 2 == 0 { return }
                }
            }
        }
        defer { for upstream in upstreams { upstream.stop() } }
        try await withClient { client, _ in
            await withTaskGroup { group in
                for number in 0..<400 {
                    group.addTask {
                        let url = upstreams[number % 8].url
                        #expect(await client.outcome(OutgoingRequest(url)).text == "\(number % 8)")
                    }
                }
            }
        }
    }
}
