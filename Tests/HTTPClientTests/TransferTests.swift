import EventLoop
import Glibc
import HTTPClient
import HTTPCore
import Synchronization
import Testing

@Suite("A client", .timeLimit(.minutes(10)))
struct TransferTests {
    /// Answers every request.
    private static let answering: @Sendable (Upstream.Line) -> Void = { line in
        while line.request() != nil { line.answer(text: "yes") }
    }

    /// Answers no request, and tells of each.
    private static func silent(_ asked: Event) -> @Sendable (Upstream.Line) -> Void {
        { line in
            while line.request() != nil { asked.happen() }
        }
    }

    @Test("uses its connection again, from wherever it is asked")
    func reuse() async throws {
        let upstream = try Upstream(Self.answering)
        defer { upstream.stop() }
        try await withClient { client, shard in
            for _ in 0..<10 { #expect(await client.outcome(OutgoingRequest(upstream.url)).text == "yes") }
            await Task(executorPreference: shard) {
                for _ in 0..<10 { #expect(await client.outcome(OutgoingRequest(upstream.url)).text == "yes") }
            }.value
            #expect(upstream.connections == 1)
        }
    }

    @Test("asks again on a new connection when the upstream has closed the old one between two requests")
    func closedBetween() async throws {
        let talk: @Sendable (Upstream.Line) -> Void = { line in
            _ = line.request()
            line.answer(text: "\(line.number)")
        }
        try await withUpstream(talk) { client, upstream in
            for number in 1...20 {
                #expect(await client.outcome(OutgoingRequest(upstream.url)).text == "\(number)")
            }
        }
    }

    @Test("answers 300 fetches at a time over no more than 32 connections, each with its own answer")
    func concurrency() async throws {
        let busy = Atomic<Int>(0)
        let most = Mutex(0)
        let talk: @Sendable (Upstream.Line) -> Void = { line in
            while let head = line.request() {
                let count = busy.add(1, ordering: .sequentiallyConsistent).newValue
                most.withLock { $0 = max($0, count) }
                let path = head.split(separator: " ")[1]
                _ = busy.subtract(1, ordering: .sequentiallyConsistent)
                line.answer(text: String(path))
            }
        }
        try await withUpstream(talk) { client, upstream in
            let right = await withTaskGroup { group in
                for number in 0..<300 {
                    group.addTask {
                        await client.outcome(OutgoingRequest("\(upstream.url)/\(number)")).text == "/\(number)"
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(right == 300)
            #expect(upstream.connections <= Client.maximumActive)
            #expect(most.withLock { $0 } <= Client.maximumActive)
        }
    }

    @Test("takes a deadline further away than the clock counts")
    func farDeadline() async throws {
        try await withUpstream(Self.answering) { client, upstream in
            let request = OutgoingRequest(upstream.url, deadline: .seconds(Int64.max))
            #expect(await client.outcome(request).text == "yes")
        }
    }

    @Test("gives up at the deadline at once where that has passed", arguments: [Duration.zero, .seconds(-1)])
    func passedDeadline(deadline: Duration) async throws {
        try await withUpstream(Self.answering) { client, upstream in
            #expect(await client.outcome(OutgoingRequest(upstream.url, deadline: deadline)).error == .tooSlow)
        }
    }

    @Test(
        "gives up at the deadline while it waits for an answer, or for the rest of one",
        arguments: ["", "HTTP/1.1 200 OK\r\nContent-", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"])
    func slowAnswer(bytes: String) async throws {
        let talk: @Sendable (Upstream.Line) -> Void = { line in
            _ = line.request()
            line.write(bytes)
            line.waitForEnd()
        }
        try await withUpstream(talk) { client, upstream in
            let start = MonotonicTime.now
            let request = OutgoingRequest(upstream.url, deadline: .milliseconds(100))
            #expect(await client.outcome(request).error == .tooSlow)
            #expect(MonotonicTime.now - start >= .milliseconds(98))
        }
    }

    @Test("gives up at the deadline while it connects")
    func slowConnect() async throws {
        let (upstream, fillers) = try Upstream.full()
        try await withClient { client, _ in
            let request = OutgoingRequest(upstream.url, deadline: .milliseconds(100))
            #expect(await client.outcome(request).error == .tooSlow)
        }
        for filler in fillers { close(filler) }
    }

    @Test("gives up at the deadline while it waits for its turn, and goes on with the others")
    func slowQueue() async throws {
        let asked = Event()
        let released = Mutex(false)
        let talk: @Sendable (Upstream.Line) -> Void = { line in
            while let head = line.request() {
                if head.hasPrefix("GET /quick") {
                    line.answer(text: "quick")
                } else {
                    asked.happen()
                    if released.withLock({ $0 }) { line.answer(text: "slow") }
                }
            }
        }
        try await withUpstream(talk) { client, upstream in
            let slow = (0..<Client.maximumActive).map { _ in
                Task { await client.outcome(OutgoingRequest(upstream.url)) }
            }
            await asked.wait(Client.maximumActive)
            let queued = OutgoingRequest(upstream.url + "/quick", deadline: .milliseconds(50))
            #expect(await client.outcome(queued).error == .tooSlow)
            let patient = Task { await client.outcome(OutgoingRequest(upstream.url + "/quick")) }
            slow[7].cancel()
            #expect(await patient.value.text == "quick")
            for task in slow { task.cancel() }
            for task in slow { #expect(await task.value.error == .cancelled) }
        }
    }

    @Test("refuses what would have to wait behind more than it queues")
    func fullQueue() async throws {
        let asked = Event()
        try await withUpstream(Self.silent(asked)) { client, upstream in
            let room = Client.maximumActive + Client.maximumWaiting
            let tasks = (0..<room + 3).map { _ in
                Task {
                    let error = await client.outcome(OutgoingRequest(upstream.url)).error
                    if error == .queueFull { asked.happen() }
                    return error
                }
            }
            await asked.wait(Client.maximumActive + 3)
            client.stop()
            var errors: [TransferError?] = []
            for task in tasks { errors.append(await task.value) }
            #expect(errors.count { $0 == .queueFull } == 3)
            #expect(errors.count { $0 == .cancelled } == room)
        }
    }

    @Test("lets go of a fetch whose task is cancelled, and of its connection")
    func cancellation() async throws {
        let (asked, closed) = (Event(), Event())
        let talk: @Sendable (Upstream.Line) -> Void = { line in
            while line.request() != nil { asked.happen() }
            closed.happen()
        }
        try await withUpstream(talk) { client, upstream in
            let task = Task { await client.outcome(OutgoingRequest(upstream.url)) }
            await asked.wait()
            task.cancel()
            #expect(await task.value.error == .cancelled)
            await closed.wait()
            #expect(!Task.isCancelled)
        }
    }

    @Test("does not begin a fetch whose task has been cancelled before", arguments: [true, false])
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

    @Test("survives cancellations that fall on every moment of a fetch")
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

    @Test("ends all fetches when it stops, and begins none after")
    func stop() async throws {
        let asked = Event()
        try await withUpstream(Self.silent(asked)) { client, upstream in
            let tasks = (0..<50).map { _ in Task { await client.outcome(OutgoingRequest(upstream.url)) } }
            await asked.wait(Client.maximumActive)
            client.stop()
            for task in tasks { #expect(await task.value.error == .cancelled) }
            #expect(await client.outcome(OutgoingRequest(upstream.url)).error == .cancelled)
        }
    }

    @Test("closes its connections when it goes", arguments: [true, false])
    func release(isStopped: Bool) async throws {
        let closed = Event()
        let talk: @Sendable (Upstream.Line) -> Void = { line in
            while line.request() != nil { line.answer(text: "yes") }
            closed.happen()
        }
        let upstream = try Upstream(talk)
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

    @Test("uses many upstreams side by side, also when their descriptors' numbers come back")
    func manyUpstreams() async throws {
        let upstreams = try (0..<8).map { number in
            try Upstream { line in
                while line.request() != nil {
                    line.answer(text: "\(number)")
                    // Every other one closes each time, so that numbers are free again all the time.
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
