import Settings
import API
import EventLoop
import HTTPClient
import HTTPCore
import Operations
import TestSupport
import Testing

@testable import Proxy

@Suite(.timeLimit(.minutes(10)))
struct BoundedExecutorTests {
    private static let far = MonotonicTime.now + .seconds(3600)

    @Test func aDocumentIsRead() async throws {
        try await withShard { shard in
            let seven = try await BoundedExecutor(threads: 1).run(until: Self.far, on: shard) { _ in 7 }
            #expect(seven == 7)
        }
    }

    @Test func theWaitEndsAtTheDeadlineAndTheReaderNoticesIt() async throws {
        try await withShard { shard in
            let pool = BoundedExecutor(threads: 1)
            let noticed = Event()
            await #expect(throws: Admission.Failure.tooLate) {
                try await pool.run(until: .now + .milliseconds(500), on: shard) { limit in
                    while !limit.hasPassed {}
                    noticed.occur()
                }
            }
            await noticed.wait()
            let seven = try await pool.run(until: Self.far, on: shard) { _ in 7 }
            #expect(seven == 7)
        }
    }

    @Test func theWaitEndsWhenTheTaskIsCancelledAndTheReaderNoticesIt() async throws {
        try await withShard { shard in
            let (started, noticed) = (Event(), Event())
            let task = Task {
                try await BoundedExecutor(threads: 1).run(until: Self.far, on: shard) { limit in
                    started.occur()
                    while !limit.hasPassed {}
                    noticed.occur()
                }
            }
            await started.wait()
            task.cancel()
            await #expect(throws: Admission.Failure.cancelled) { try await task.value }
            await noticed.wait()
        }
    }

    @Test func documentsAreReadWhileKeyFilesHang() async throws {
        try await withShard { shard in
            let (started, gate, registry) = (Event(), Gate(), UpstreamRegistry(log: Log()))
            defer { gate.open() }
            let context = FetchContext(
                client: Client(on: shard), shard: shard, clock: .system, end: Self.far)
            // The work pool takes a second for each further thread.
            for number in 0..<64 {
                var configuration = UpstreamConfiguration()
                configuration.name = "\(number)"
                let upstream = Upstream(
                    configuration, baseURL: "http://host.invalid", credentials: .key(Secret("refused"), .bearer),
                    reread: {
                        started.occur()
                        gate.pass()
                        return nil
                    }, log: Log(), registry: registry)
                Task(executorPreference: shard) {
                    let access = try await upstream.access(until: Self.far, context)
                    _ = await upstream.isReplaced(access, context)
                }
            }
            await started.wait()
            // Behind those tasks.
            await Task(executorPreference: shard) {}.value
            let seven = try await registry.pool.run(until: .now + .seconds(20), on: shard) { _ in 7 }
            #expect(seven == 7)
        }
    }

    @Test func documentsOfAnUpstreamDoNotWaitBehindThoseOfAnother() async throws {
        try await withShard { shard in
            let (started, gate, registry) = (Event(), Gate(), UpstreamRegistry(log: Log()))
            defer { gate.open() }
            var (slow, other) = (UpstreamConfiguration(), UpstreamConfiguration())
            (slow.name, other.name) = ("slow", "other")
            for _ in 0...Processors.available {
                // As for each of its addresses, and for each configuration.
                let pool = registry.state(for: slow).pool
                Task(executorPreference: shard) {
                    try await pool.run(until: Self.far, on: shard) { _ in
                        started.occur()
                        gate.pass()
                    }
                }
            }
            await started.wait()
            // Behind those tasks.
            await Task(executorPreference: shard) {}.value
            let seven = try await registry.state(for: other).pool.run(until: .now + .seconds(20), on: shard) { _ in 7 }
            #expect(seven == 7)
        }
    }

    /// One thread is busy: of those that wait, one is cancelled and one comes too late; neither is read.
    @Test func aDocumentThatNobodyWaitsForIsNotRead() async throws {
        try await withShard { shard in
            let pool = BoundedExecutor(threads: 1)
            let (started, gate) = (Event(), Gate())
            let read = Watched<[Int]>([])
            let busy = Task {
                try await pool.run(until: Self.far, on: shard) { _ in
                    started.occur()
                    gate.pass()
                }
            }
            await started.wait()
            let cancelled = Task {
                try await pool.run(until: Self.far, on: shard) { _ in read.update { $0.append(1) } }
            }
            cancelled.cancel()
            await #expect(throws: Admission.Failure.cancelled) { try await cancelled.value }
            await #expect(throws: Admission.Failure.tooLate) {
                try await pool.run(until: .now + .milliseconds(20), on: shard) { _ in read.update { $0.append(2) } }
            }
            let patient = Task {
                try await pool.run(until: Self.far, on: shard) { _ in read.update { $0.append(3) } }
            }
            gate.open()
            try await patient.value
            _ = try await busy.value
            #expect(read.current == [3])
        }
    }
}
