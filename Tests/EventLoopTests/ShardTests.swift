import Dispatch
import EventLoop
import Glibc
import Testing

/// Runs `body` with a running shard and stops it afterwards.
private func withShard<Result>(_ body: (Shard) async throws -> Result) async throws -> Result {
    let shard = try Shard(index: 0)
    shard.start()
    let stopped = Gathering<Void>()
    defer { shard.stop { stopped.add(()) } }
    return try await body(shard)
}

@Suite("An event loop", .timeLimit(.minutes(10)))
struct ShardTests {
    @Test("runs what many threads post, each thread's in its order")
    func posts() async throws {
        let (threads, posts) = (8, 2000)
        let arrivals = try await withShard { shard in
            let gathering = Gathering<(thread: Int, number: Int)>()
            for thread in 0..<threads {
                DispatchQueue(label: "poster \(thread)").async {
                    for number in 0..<posts { shard.post { gathering.add((thread, number)) } }
                }
            }
            return await gathering.first(threads * posts)
        }
        for thread in 0..<threads {
            #expect(arrivals.filter { $0.thread == thread }.map(\.number) == Array(0..<posts))
        }
    }

    @Test("runs what is posted before it starts, and what it posts itself")
    func earlyPosts() async throws {
        let shard = try Shard(index: 3)
        let gathering = Gathering<Int>()
        shard.post {
            gathering.add(1)
            shard.post { gathering.add(2) }
        }
        shard.start()
        #expect(await gathering.first(2) == [1, 2])
        shard.stop()
    }

    @Test("wakes for every post, however they fall between its turns")
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

    @Test("knows its own thread")
    func currentThread() async throws {
        try await withShard { shard in
            #expect(!shard.isCurrent)
            let inside = await withCheckedContinuation { continuation in
                shard.post { continuation.resume(returning: shard.isCurrent) }
            }
            #expect(inside)
        }
    }

    @Test("fires timers in the order of their times, never early, and not the cancelled ones")
    func timers() async throws {
        try await withShard { shard in
            let gathering = Gathering<(delay: Int, late: Duration)>()
            shard.post {
                for delay in [25, 5, 15, 0, 10, 20] {
                    let deadline = MonotonicTime.now + .milliseconds(delay)
                    let timer = shard.schedule(at: deadline) { gathering.add((delay, MonotonicTime.now - deadline)) }
                    if delay == 10 { timer.cancel() }
                }
            }
            let fired = await gathering.first(5)
            #expect(fired.map(\.delay) == [0, 5, 15, 20, 25])
            #expect(fired.allSatisfy { $0.late >= .zero })
        }
    }

    @Test("fires timers that an earlier timer of the same turn has set or cancelled as asked")
    func timersOfTimers() async throws {
        try await withShard { shard in
            let gathering = Gathering<String>()
            shard.post {
                let now = MonotonicTime.now
                var victim: ShardTimer?
                shard.schedule(at: now) {
                    gathering.add("first")
                    victim?.cancel()
                    shard.schedule(at: now + .milliseconds(2)) { gathering.add("last") }
                }
                victim = shard.schedule(at: now + .nanoseconds(1)) { gathering.add("cancelled") }
            }
            #expect(await gathering.first(2) == ["first", "last"])
        }
    }

    @Test("sleeps while its only timer is further away than the clock counts")
    func farTimer() async throws {
        try await withShard { shard in
            let watcher = try Shard(index: 1)
            watcher.start()
            defer { watcher.stop() }
            let busy = await withCheckedContinuation { continuation in
                shard.post {
                    shard.schedule(at: .now + .seconds(Int64.max)) {}
                    let start = threadTime()
                    let measure: @Sendable () -> Void = { continuation.resume(returning: threadTime() - start) }
                    watcher.post { watcher.schedule(at: .now + .milliseconds(300)) { shard.post(measure) } }
                }
            }
            #expect(busy < .milliseconds(30))
        }
    }

    @Test("runs a task that prefers it on its own thread after each await")
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

    @Test("lets posts and timers through while a task yields without end")
    func fairness() async throws {
        try await withShard { shard in
            let task = Task(executorPreference: shard) {
                while !Task.isCancelled { await Task.yield() }
            }
            let gathering = Gathering<String>()
            shard.post {
                gathering.add("post")
                shard.schedule(at: .now + .milliseconds(1)) { gathering.add("timer") }
            }
            #expect(await gathering.first(2) == ["post", "timer"])
            task.cancel()
            await task.value
        }
    }

    @Test("runs what is ready before it stops")
    func stop() async throws {
        let shard = try Shard(index: 0)
        let gathering = Gathering<Int>()
        for number in 0..<100 { shard.post { gathering.add(number) } }
        shard.post { shard.runBeforeWaiting { gathering.add(100) } }
        shard.stop {
            #expect(shard.isCurrent)
            gathering.add(101)
        }
        shard.start()
        #expect(await gathering.first(102) == Array(0...101))
    }

    @Test("goes when it has stopped, with what was posted too late")
    func release() async throws {
        weak var gone: Shard?
        let stopped = Gathering<Void>()
        let (stream, late) = AsyncStream<Void>.makeStream()
        do {
            let shard = try Shard(index: 0)
            gone = shard
            shard.start()
            shard.stop { stopped.add(()) }
            #expect(await stopped.first(1).count == 1)
            let token = Token { late.finish() }
            shard.post { withExtendedLifetime((shard, token)) {} }
        }
        // Ends when the token goes; else the time limit does.
        for await _ in stream {}
        #expect(!Task.isCancelled)
        // The loop's thread may still be on its way out.
        while gone != nil, !Task.isCancelled { await Task.yield() }
        #expect(gone == nil)
    }
}

/// Tells when it goes.
private final class Token: Sendable {
    private let whenGone: @Sendable () -> Void
    init(_ whenGone: @escaping @Sendable () -> Void) { self.whenGone = whenGone }
    deinit { whenGone() }
}

/// The processor time that this thread has taken.
private func threadTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
