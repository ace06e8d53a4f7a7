import HTTPClient
import HTTPCore
import TestSupport
import Testing

/// Upstreams that end, refuse and flood connections of HTTP/2.
@Suite("Faults of HTTP/2 upstreams", .timeLimit(.minutes(10)))
struct HTTP2FaultTests {
    /// Runs `body` with a client and an upstream that calls `serve` for each connection.
    private func withUpstream(
        _ serve: @escaping @Sendable (HTTP2Upstream.Connection) -> Void,
        _ body: (Client, HTTP2Upstream) async throws -> Void
    ) async throws {
        let upstream = try HTTP2Upstream(serve)
        defer { upstream.stop() }
        try await withClient { client, _ in try await body(client, upstream) }
    }

    @Test("A request that crosses the GOAWAY of an idle connection is made again on a new one")
    func goAway() async throws {
        try await withUpstream { connection in
            guard let first = connection.request() else { return }
            connection.answer(first, "\(connection.number)")
            guard connection.request() != nil else { return }
            connection.goAway(last: first)
        } _: { client, upstream in
            for number in 1...4 {
                let sent = Watched(0)
                var request = upstream.request
                request.noteSent = { sent.update { $0 += 1 } }
                #expect(await client.outcome(request).text == "\(number)")
                #expect(sent.current == (number == 1 ? 1 : 2))
            }
        }
    }

    @Test("A stream that is reset before its head is a failure of its request alone")
    func reset() async throws {
        let isOver = Watched(false)
        try await withUpstream { connection in
            guard let first = connection.request() else { return }
            connection.reset(first, code: 2)
            _ = isOver.wait { $0 ? true : nil }
            connection.ping()
            while let stream = connection.request() { connection.answer(stream, "\(connection.number)") }
        } _: { client, upstream in
            #expect(await client.outcome(upstream.request).error == .brokenOff(.stream))
            isOver.update { $0 = true }
            // The ping arrives meanwhile.
            let other = try HTTP2Upstream { connection in
                if let stream = connection.request() { connection.answer(stream, "other") }
            }
            defer { other.stop() }
            #expect(await client.outcome(other.request).text == "other")
            for _ in 0..<8 { #expect(await client.outcome(upstream.request).text == "1") }
        }
    }

    @Test("A request that crosses a GOAWAY and is refused then is sent twice")
    func refusedAfterGoAway() async throws {
        try await withUpstream { connection in
            guard let first = connection.request() else { return }
            if connection.number > 1 { return connection.reset(first, code: 7) }
            connection.answer(first, "first")
            if connection.request() != nil { connection.goAway(last: first) }
        } _: { client, upstream in
            #expect(await client.outcome(upstream.request).text == "first")
            let sent = Watched(0)
            var request = upstream.request
            request.noteSent = { sent.update { $0 += 1 } }
            #expect(await client.outcome(request).error == .brokenOff(.beforeAnswer))
            #expect(sent.current == 2)
        }
    }

    @Test("A request whose streams are refused is sent twice at most")
    func refused() async throws {
        try await withUpstream { connection in
            while let stream = connection.request() { connection.reset(stream, code: 7) }
        } _: { client, upstream in
            for _ in 0..<3 {
                let sent = Watched(0)
                var request = upstream.request
                request.noteSent = { sent.update { $0 += 1 } }
                #expect(await client.outcome(request).error == .brokenOff(.beforeAnswer))
                #expect(sent.current == 2)
            }
        }
    }

    @Test("If TLS ends and TCP does not, the requests on the connection are made again")
    func endOfTLS() async throws {
        let sent = Watched(0)
        try await withUpstream { connection in
            guard let first = connection.request() else { return }
            connection.answer(first, connection.number == 1 ? "first" : "second")
            if connection.number == 1, connection.request() != nil {
                _ = sent.wait { $0 >= 3 ? true : nil }
                connection.endTLS()
            }
            while let stream = connection.request() { connection.answer(stream, "second") }
        } _: { client, upstream in
            #expect(await client.outcome(upstream.request).text == "first")
            var request = upstream.request
            request.noteSent = { sent.update { $0 += 1 } }
            await withTaskGroup(of: Result<IncomingResponse, TransferError>.self) { [request] group in
                for _ in 0..<3 { group.addTask { await client.outcome(request) } }
                for await outcome in group { #expect(outcome.text == "second", "\(outcome)") }
            }
        }
    }

    @Test(
        "A flood of frames without an effect ends its request, and no other one",
        arguments: HTTP2Upstream.Flood.allCases)
    func flood(_ kind: HTTP2Upstream.Flood) async throws {
        let other = try Upstream { connection in
            while connection.request() != nil { connection.answer(text: "other") }
        }
        defer { other.stop() }
        try await withUpstream { connection in
            guard connection.request() != nil else { return }
            connection.flood(kind)
        } _: { client, upstream in
            async let flooded = client.outcome(upstream.request)
            #expect(await client.outcome(OutgoingRequest(other.url)).text == "other")
            let error = await flooded.error
            #expect(error == .malformed(reason: "it floods the connection"), "\(error)")
            #expect(await client.outcome(OutgoingRequest(other.url)).text == "other")
        }
    }

    @Test("A request without a first byte in time fails once, and the next one gets a new connection")
    func silentFirstByte() async throws {
        try await withUpstream { connection in
            guard let first = connection.request() else { return }
            connection.answer(first, "\(connection.number)")
            while connection.request() != nil {}
        } _: { client, upstream in
            #expect(await client.outcome(upstream.request).text == "1")
            var request = upstream.request
            request.firstByteTimeout = .milliseconds(100)
            #expect(await client.outcome(request).error == .silent)
            #expect(await client.outcome(upstream.request).text == "2")
        }
    }

    @Test("The upstream of a request that is given up does not go on with its answer", arguments: [true, false])
    func abandoned(_ isCancelled: Bool) async throws {
        let (hasBegun, isClosed) = (Gate(), Gate())
        try await withUpstream { connection in
            guard let first = connection.request() else { return }
            connection.answer(first, "first")
            guard let second = connection.request() else { return }
            connection.begin(second, "half")
            hasBegun.open()
            while connection.request() != nil {}
            isClosed.open()
        } _: { client, upstream in
            #expect(await client.outcome(upstream.request).text == "first")
            var request = upstream.request
            if !isCancelled { request.deadline = .milliseconds(300) }
            // A task of its own could wait behind other tests for longer than a connection may be idle.
            await withTaskGroup(of: TransferError?.self) { [request] group in
                group.addTask { await client.outcome(request).error }
                if isCancelled {
                    await Task.detached { _ = hasBegun.pass() }.value
                    group.cancelAll()
                }
                let error = await group.next() ?? nil
                #expect(isCancelled ? error == .cancelled : error?.isSlowAnswer == true)
            }
            #expect(await Task.detached { isClosed.pass(seconds: 60) }.value)
        }
    }

    @Test("An upstream whose first address refuses connections does not go on with an answer that is given up")
    func abandonedAtNextAddress() async throws {
        let (hasBegun, isClosed) = (Event(), Gate())
        let upstream = try HTTP2Upstream { connection in
            guard let first = connection.request() else { return }
            connection.begin(first, "half")
            hasBegun.occur()
            while connection.request() != nil {}
            isClosed.open()
        }
        defer { upstream.stop() }
        try await withClient(resolver: Resolver { _ in ["127.0.0.2", "127.0.0.1"] }) { client, _ in
            await withTaskGroup(of: TransferError?.self) { [request = upstream.localRequest()] group in
                group.addTask { await client.outcome(request).error }
                await hasBegun.wait()
                group.cancelAll()
                #expect(await group.next() == .cancelled)
            }
            #expect(await Task.detached { isClosed.pass(seconds: 60) }.value)
        }
    }

    @Test("A request that is given up leaves its connection to others, also if they write the port differently")
    func otherSpelling() async throws {
        let (arrived, isOver) = (Event(), Gate())
        let upstream = try HTTP2Upstream { connection in
            guard let first = connection.request() else { return }
            arrived.occur()
            guard connection.request() != nil else { return }
            arrived.occur()
            isOver.pass(seconds: 600)
            connection.answer(first, "yes")
            while connection.request() != nil {}
        }
        defer { upstream.stop() }
        try await withClient(resolver: Resolver { _ in ["127.0.0.1"] }) { client, _ in
            let request = upstream.localRequest()
            async let answer = client.outcome(request)
            await arrived.wait()
            await withTaskGroup(of: TransferError?.self) { group in
                group.addTask {
                    var other = request
                    other.url = request.url.map { $0.replacing("localhost:", with: "localhost:0") }
                    return await client.outcome(other).error
                }
                await arrived.wait()
                group.cancelAll()
                #expect(await group.next() == .cancelled)
            }
            isOver.open()
            #expect(await answer.text == "yes")
            #expect(upstream.connectionCount == 1)
        }
    }
}
