import Dispatch
import EventLoop
import TestSupport
import Testing

/// Runs `body` with a running shard and stops it afterwards.
private func withShard<Result>(_ body: (Shard) async throws -> Result) async throws -> Result {
    let shard = try Shard(index: 0)
    shard.start()
    let stopped = Event()
    defer { shard.stop { stopped.occur() } }
    return try await body(shard)
}

@Suite("Event loop", .timeLimit(.minutes(10)))
struct ShardTests {
    @Test("Work posted by many threads runs in the order of each thread")
    func posts() async throws {
        let (threads, posts) = (8, 2000)
        let posted = try await withShard { shard in
            let arrivals = Arrivals<(thread: Int, number: Int)>()
            for thread in 0..<threads {
                DispatchQueue(label: "poster \(thread)").async {
                    for number in 0..<posts { shard.post { arrivals.add((thread, number)) } }
                }
            }
            return await arrivals.next(threads * posts)
        }
        for thread in 0..<threads {
            #expect(posted.filter { $0.thread == thread }.map(\.number) == Array(0..<posts))
        }
    }

    @Test("Work posted before the start and by other work runs")
    func earlyPosts() async throws {
        let shard = try Shard(index: 3)
        let arrivals = Arrivals<Int>()
        shard.post {
            arrivals.add(1)
            shard.post { arrivals.add(2) }
        }
        shard.start()
        #expect(await arrivals.next(2) == [1, 2])
        shard.stop()
    }

    @Test("The loop wakes for every post at any moment of its turns")
    func wakeUps() async throws {
        try await withShard { shard in
            for number in 0..<5000 {
                let answer = await withCheckedContinuation { continuation in
                    shard.post { continuation.resume(returning: number) }
                }
                #expect(answer == number)
            }
        }
    }

    @Test("A shard recognizes its own thread")
    func currentThread() async throws {
        try await withShard { shard in
            #expect(!shard.isCurrent)
            let inside = await withCheckedContinuation { continuation in
                shard.post { continuation.resume(returning: shard.isCurrent) }
            }
            #expect(inside)
        }
    }

    @Test("Timers fire in the order of their times, never early, and not if cancelled")
    func timers() async throws {
        try await withShard { shard in
            let arrivals = Arrivals<(delay: Int, late: Duration)>()
            shard.post {
                for delay in [25, 5, 15, 0, 10, 20] {
                    let deadline = MonotonicTime.now + .milliseconds(delay)
                    let timer = shard.schedule(at: deadline) { arrivals.add((delay, MonotonicTime.now - deadline)) }
                    if delay == 10 { timer.cancel() }
                }
            }
            let fired = await arrivals.next(5)
            #expect(fired.map(\.delay) == [0, 5, 15, 20, 25])
            #expect(fired.allSatisfy { $0.late >= .zero })
        }
    }

    @Test("Timers that an earlier timer of the same turn sets or cancels take effect")
    func timersOfTimers() async throws {
        try await withShard { shard in
            let arrivals = Arrivals<String>()
            shard.post {
                let now = MonotonicTime.now
                var victim: ShardTimer?
                shard.schedule(at: now) {
                    arrivals.add("first")
                    victim?.cancel()
                    shard.schedule(at: now + .milliseconds(2)) { arrivals.add("last") }
                }
                victim = shard.schedule(at: now + .nanoseconds(1)) { arrivals.add("cancelled") }
            }
            #expect(await arrivals.next(2) == ["first", "last"])
        }
    }

    @Test("The loop sleeps while its only timer is beyond the clock's range")
    func farTimer() async throws {
        try await withShard { shard in
            let watcher = try Shard(index: 1)
            watcher.start()
            defer { watcher.stop() }
            let busy = await withCheckedContinuation { continuation in
                shard.post {
                    shard.schedule(at: .now + .seconds(Int64.max)) {}
                    let start = ProcessorTime.ofThread
                    let measure: @Sendable () -> Void = {
                        continuation.resume(returning: ProcessorTime.ofThread - start)
                    }
                    watcher.post { watcher.schedule(at: .now + .milliseconds(300)) { shard.post(measure) } }
                }
            }
            #expect(busy < .milliseconds(150))
        }
    }

    @Test("A task that prefers the loop runs on its thread after each await")
    func executor() async throws {
        try await withShard { shard in
            let places = await Task(executorPreference: shard) {
                var places = [shard.isCurrent]
                await Task.yield()
                places.append(shard.isCurrent)
                let sum = await WorkPool.run { (1...100).reduce(0, +) }
                places.append(shard.isCurrent && sum == 5050)
                async let child = shard.isCurrent
                places.append(await child)
                await withCheckedContinuation { continuation in
                    DispatchQueue.global().async { continuation.resume() }
                }
                places.append(shard.isCurrent)
                return places
            }.value
            #expect(places == Array(repeating: true, count: 5))
        }
    }

    @Test("Posts and timers run while a task yields repeatedly")
    func fairness() async throws {
        try await withShard { shard in
            let task = Task(executorPreference: shard) {
                while !Task.isCancelled { await Task.yield() }
            }
            let arrivals = Arrivals<String>()
            shard.post {
                arrivals.add("post")
                shard.schedule(at: .now + .milliseconds(1)) { arrivals.add("timer") }
            }
            #expect(await arrivals.next(2) == ["post", "timer"])
            task.cancel()
            await task.value
        }
    }

    @Test("Work that is ready runs before the loop stops")
    func stop() async throws {
        let shard = try Shard(index: 0)
        let arrivals = Arrivals<Int>()
        for number in 0..<100 { shard.post { arrivals.add(number) } }
        shard.post { shard.runBeforeWaiting { arrivals.add(100) } }
        shard.stop {
            #expect(shard.isCurrent)
            arrivals.add(101)
        }
        shard.start()
        #expect(await arrivals.next(102) == Array(0...101))
    }

    @Test("A stopped shard is released, together with work that was posted too late")
    func release() async throws {
        weak var gone: Shard?
        let stopped = Event()
        let (stream, late) = AsyncStream<Void>.makeStream()
        do {
            let shard = try Shard(index: 0)
            gone = shard
            shard.start()
            shard.stop { stopped.occur() }
            #expect(await stopped.next(1).count == 1)
            let token = Token { late.finish() }
            shard.post { withExtendedLifetime((shard, token)) {} }
        }
        // The stream ends when the token is released; otherwise the time limit ends the wait.
        for await _ in stream {}
        #expect(!Task.isCancelled)
        // The loop's thread may not have finished yet.
        while gone != nil, !Task.isCancelled { await Task.yield() }
        #expect(gone == nil)
    }
}

/// Calls a closure when it is released.
private final class Token: Sendable {
    private let whenGone: @Sendable () -> Void
    init(_ whenGone: @escaping @Sendable () -> Void) { self.whenGone = whenGone }
    deinit { whenGone() }
}
