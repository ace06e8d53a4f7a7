import EventLoop
import Foundation
import Glibc
import HTTPCore
import HTTPServer
import TestSupport
import Testing

@Suite("Server limits", .timeLimit(.minutes(10)))
struct LimitTests {
    @Test("A connection without a request is closed without a response")
    func noRequest() async throws {
        try await Harness.run(.patient.with { $0.requestTimeout = .milliseconds(50) }) { harness in
            let peer = try harness.connect()
            #expect(try await peer.rest().isEmpty)
        }
    }

    @Test(
        "A request that does not arrive in time is refused with 408",
        arguments: [
            ("G", []), ("GET / HTTP/1.1\r\nHost: a\r\n", []),
            ("GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HT", [200]),
        ])
    func slowRequest(bytes: String, before: [Int]) async throws {
        try await Harness.run(.patient.with { $0.requestTimeout = .milliseconds(500) }) { harness in
            let peer = try harness.connect()
            try await peer.send(bytes)
            for status in before { #expect(try await peer.answer().status == status) }
            let answer = try await peer.answer()
            #expect(answer.status == 408)
            #expect(answer.isLast)
            #expect(try await peer.rest().isEmpty)
        }
    }

    @Test("Slow bytes do not extend the request time-out")
    func slowBytes() async throws {
        try await Harness.run(.patient.with { $0.requestTimeout = .milliseconds(500) }) { harness in
            let peer = try harness.connect()
            try await peer.send("GET / HTTP/1.1\r\nX: ")
            let drip = Task {
                while await !peer.hasBytes(within: 5) { try await peer.send("x") }
            }
            #expect(await peer.hasBytes(within: 30_000))
            _ = await drip.result
            #expect(try await peer.answer().status == 408)
        }
    }

    @Test("The last response that a connection may have closes it")
    func requestsPerConnection() async throws {
        try await Harness.run(.patient.with { $0.maximumRequestsPerConnection = 3 }) { harness in
            let peer = try harness.connect()
            for number in 1...3 {
                try await peer.get("/")
                #expect(try await peer.answer().isLast == (number == 3))
            }
            #expect(try await peer.rest().isEmpty)
        }
    }

    @Test("Pipelined requests of one client do not delay those of others")
    func pipelining() async throws {
        let served = Arrivals<String>()
        let answer: @Sendable (Request) -> Reply = { request in
            served.add(request.target.path)
            return Harness.echo(request)
        }
        try await Harness.run(.patient.with { $0.maximumPipelinedRequests = 4 }, answer: answer) { harness in
            let (flooder, other) = try (harness.connect(), harness.connect())
            for peer in [flooder, other] {
                try await peer.get("/first")
                #expect(try await peer.answer().status == 200)
            }
            _ = await served.next(2)
            // Both have sent their requests when the event loop continues.
            let gate = Gate()
            harness.shards[0].post { gate.pass() }
            try await flooder.send(String(repeating: "GET /flood HTTP/1.1\r\nHost: a\r\n\r\n", count: 400))
            try await other.get("/other")
            gate.open()
            #expect(try await other.answer().text == "GET /other ")
            for _ in 0..<400 { #expect(try await flooder.answer().text == "GET /flood ") }
            let order = await served.next(401)
            #expect(try #require(order.firstIndex(of: "/other")) <= 8)
        }
    }

    @Test("A reader that takes a few bytes at a time is cut after the time for the whole answer")
    func answerTimeout() async throws {
        let path = "/tmp/weir-trickle-\(getpid()).sock"
        defer { unlink(path) }
        let options = ServerOptions.patient.with { $0.answerTimeout = .milliseconds(600) }
        let cuts = Counter()
        let handler = ClosureHandler(answer: { _, _ in .now(Response(bytes: 1 << 20)) }) { exchange in
            if exchange.outcome == .timedOut { cuts.add(1) }
        }
        try await Harness.run([Listener(.unix(path: path), handler: handler)], options) { harness in
            let trickle = try harness.connect()
            try await trickle.get("/")
            var taken = 0
            while cuts.value == 0 {
                taken += try await trickle.take(4096).count
                await harness.wait(milliseconds: 50)
            }
            // After the cut, what the socket holds can still be read.
            taken += try await trickle.rest().utf8.count
            #expect(taken < 1 << 20)
        }
    }

    @Test("An idle connection is closed without a response")
    func idle() async throws {
        try await Harness.run(.patient.with { $0.idleTimeout = .milliseconds(50) }) { harness in
            let peer = try harness.connect()
            try await peer.get("/")
            #expect(try await peer.answer().status == 200)
            #expect(try await peer.rest().isEmpty)
        }
    }

    @Test(
        "A response in progress is not cut by the idle time-out",
        arguments: ["", "GET /now HTTP/1.1\r\nHost: a\r\n\r\n"])
    func idleWhileAnswering(before: String) async throws {
        let timePassed = Event()
        let answer: @Sendable (Request) -> Reply = { request in
            guard request.target.path == "/slow" else { return Harness.mixed(request) }
            return .later {
                await timePassed.wait()
                return Response("slow")
            }
        }
        try await Harness.run(.patient.with { $0.idleTimeout = .milliseconds(40) }, answer: answer) { harness in
            let peer = try harness.connect()
            try await peer.send(before + "GET /slow HTTP/1.1\r\nHost: a\r\n\r\n")
            if !before.isEmpty { #expect(try await peer.answer().text == "/now") }
            let other = try harness.connect()
            try await other.get("/")
            #expect(try await other.answer().status == 200)
            // The later connection has been closed by the idle time-out, so that has passed for the first one too.
            #expect(try await other.rest().isEmpty)
            timePassed.occur()
            #expect(try await peer.answer().text == "slow")
        }
    }

    @Test(
        "A client that does not read its responses is cut, whatever else it sends",
        arguments: ["", "GET /now HTTP/1.1\r\nHost: a\r\n\r\n", "GET /later HTTP/1.1\r\nHost: a\r\n\r\n", "GET /sl"])
    func writeTimeout(behind: String) async throws {
        let options = ServerOptions.patient.with {
            $0.writeTimeout = .milliseconds(100)
            $0.maximumConnections = 1
        }
        let answer: @Sendable (Request) -> Reply = { request in
            request.target.path == "/big" ? .now(Response(bytes: 20 << 20)) : Harness.mixed(request)
        }
        try await Harness.run(options, answer: answer) { harness in
            let peer = try harness.connect(receiveBuffer: 4096)
            try await peer.send("GET /big HTTP/1.1\r\nHost: a\r\n\r\n" + behind)
            #expect(try await peer.take(8) == Array("HTTP/1.1".utf8))
            // The only connection is available again after the cut.
            try await harness.connectUntilServed()
        }
    }

    @Test("A connection beyond the maximum gets 503 and is closed; a closed connection makes room for another")
    func maximumConnections() async throws {
        try await Harness.run(shards: 2, .patient.with { $0.maximumConnections = 2 }) { harness in
            var first: Peer? = try harness.connect()
            let second = try harness.connect()
            for peer in [first, second] {
                try await peer?.get("/")
                #expect(try await peer?.answer().status == 200)
            }
            let third = try harness.connect()
            let refusal = try await third.answer()
            #expect(refusal.status == 503)
            #expect(refusal.isLast)
            #expect(try await third.rest().isEmpty)
            first = nil
            try await harness.connectUntilServed()
            try await second.get("/")
            #expect(try await second.answer().status == 200)
        }
    }

    @Test(
        "The work for a client that disconnects is cancelled",
        arguments: [
            (SocketAddress.network(host: "127.0.0.1", port: 0), true), (.network(host: "127.0.0.1", port: 0), false),
            (.unix(path: "/tmp/weir-gone-\(getpid()).sock"), false),
        ])
    func cancellation(address: SocketAddress, isReset: Bool) async throws {
        let (begun, cancelled) = (Event(), Event())
        try await Harness.run(at: address, .patient, answer: Self.untilCancelled(begun, cancelled)) { harness in
            var peer: Peer? = try harness.connect()
            try await peer?.get("/")
            await begun.wait()
            if isReset { peer?.reset() }
            peer = nil
            await cancelled.wait()
            #expect(!Task.isCancelled)
            if case .unix(let path) = address { unlink(path) }
        }
    }

    @Test("The descriptor of a client that has left is free before its cancelled work ends")
    func descriptorOfCancelledWork() async throws {
        await #expect(processExitsWith: .success) {
            let (begun, gate) = (Event(), Event())
            let answer: @Sendable (Request) -> Reply = { request in
                if request.target.path == "/witness" { return Harness.echo(request) }
                return .later {
                    begun.occur()
                    // Work that does not notice its cancellation.
                    await Task { await gate.wait() }.value
                    return Response()
                }
            }
            try await Harness.run(.patient, answer: answer) { harness in
                // An answer and a timer, so that what the process opens once is open before the count.
                let witness = try harness.connect()
                try await witness.get("/witness")
                #expect(try await witness.answer().status == 200)
                await harness.wait(milliseconds: 5)
                let before = try Descriptors.count
                for _ in 0..<20 {
                    let peer = try harness.connect()
                    try await peer.get("/")
                    await begun.wait()
                }
                let start = MonotonicTime.now
                var count = try Descriptors.count
                while count > before {
                    try #require(MonotonicTime.now - start < .seconds(60), "\(count) descriptors, \(before) before")
                    await harness.wait(milliseconds: 5)
                    count = try Descriptors.count
                }
                for _ in 0..<20 { gate.occur() }
                withExtendedLifetime(witness) {}
            }
        }
    }

    @Test("A client that closes its sending side has left; where half-closed clients wait, it gets its answers")
    func halfClose() async throws {
        for isAllowed in [false, true] {
            let (begun, cancelled) = (Event(), Event())
            let answer: @Sendable (Request) -> Reply = { request in
                request.target.path == "/last" ? Harness.mixed(request) : Self.untilCancelled(begun, cancelled)(request)
            }
            try await Harness.run(.patient.with { $0.allowsHalfClose = isAllowed }, answer: answer) { harness in
                let peer = try harness.connect()
                try await peer.send("GET / HTTP/1.1\r\nHost: a\r\n\r\nGET /last HTTP/1.1\r\nHost: a\r\n\r\n")
                await begun.wait()
                let start = MonotonicTime.now
                peer.finishSending()
                if isAllowed {
                    #expect(await !peer.hasBytes(within: 200))
                    cancelled.occur()
                    #expect(try await peer.answer().status == 200)
                    #expect(try await peer.answer().text == "/last")
                } else {
                    await cancelled.wait()
                    #expect(MonotonicTime.now - start < .seconds(5))
                }
                #expect(try await peer.rest().isEmpty)
            }
        }
    }

    /// Answers with work that ends when it is cancelled.
    private static func untilCancelled(_ begun: Event, _ cancelled: Event) -> @Sendable (Request) -> Reply {
        { _ in
            .later {
                await withTaskCancellationHandler {
                    begun.occur()
                    await cancelled.wait()
                } onCancel: {
                    cancelled.occur()
                }
                return Response()
            }
        }
    }

    @Test("A half-closed connection with a slow reader uses no processor time")
    func slowHalfClosed() async throws {
        let path = "/tmp/weir-half-closed-\(getpid()).sock"
        defer { unlink(path) }
        // More than the socket buffers hold, and less than the output backlog at which the server stops reading.
        let answer: @Sendable (Request) -> Reply = { _ in .now(Response(bytes: 400_000)) }
        try await Harness.run(at: .unix(path: path), .patient, answer: answer) { harness in
            let peer = try harness.connect()
            try await peer.get("/")
            #expect(try await peer.take(8) == Array("HTTP/1.1".utf8))
            peer.finishSending()
            let start = await harness.loopTime()
            await harness.wait(milliseconds: 300)
            #expect(await harness.loopTime() - start < .milliseconds(150))
            #expect(try await peer.rest().utf8.count > 400_000 - 8)
        }
    }

    // In a process of its own, because other tests need memory at the same time.
    @Test("Bytes that a slow reader has received are released", .disabled(if: Sanitizer.isPresent))
    func memory() async throws {
        await #expect(processExitsWith: .success) {
            let path = "/tmp/weir-memory-\(getpid()).sock"
            defer { unlink(path) }
            let answer: @Sendable (Request) -> Reply = { _ in .now(Response(bytes: 100_000)) }
            try await Harness.run(at: .unix(path: path), .patient, answer: answer) { harness in
                let peer = try harness.connect()
                // The requests in flight exceed the socket buffers, so the server's buffer is never empty.
                for _ in 0..<4 { try await peer.get("/") }
                let before = try ProcessMemory.resident
                for _ in 0..<4000 {
                    _ = try await peer.answer()
                    try await peer.get("/")
                }
                let growth = try ProcessMemory.resident - before
                #expect(growth < 100 << 20)
                if growth >= 100 << 20 { exit(1) }
            }
        }
    }

    @Test("Without free descriptors the server waits without using processor time, and continues when there are some")
    func exhaustion() async throws {
        await #expect(processExitsWith: .success) { try await Descriptors.exhaust() }
    }
}

extension Harness {
    /// Returns the processor time that the first event loop has used.
    func loopTime() async -> Duration {
        await withCheckedContinuation { continuation in
            shards[0].post { continuation.resume(returning: ProcessorTime.ofThread) }
        }
    }

    /// Waits on the first event loop's timers.
    func wait(milliseconds: Int) async {
        await withCheckedContinuation { continuation in
            shards[0].post {
                [shard = shards[0]] in
                shard.schedule(at: .now + .milliseconds(milliseconds)) { continuation.resume() }
            }
        }
    }

    /// Connects repeatedly until a request is answered with 200.
    func connectUntilServed() async throws {
        while !Task.isCancelled {
            let peer = try connect()
            // A refused connection may close before the request is sent.
            try? await peer.get("/now")
            if try await peer.answer().status == 200 { return }
        }
        throw Failure("no connection was accepted in time")
    }
}
