package import EventLoop
import Synchronization

/// A result for which any number of tasks wait, each of them until its own end.
package final class Promise<Value: Sendable>: Sendable {
    private typealias Waiter = CheckedContinuation<Value?, Never>

    private struct State {
        var value: Value?
        var waiters: [Int: Waiter] = [:]
        var next = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// Gives the result to all who wait for it, and to those who will; call it once.
    package func finish(_ value: Value) {
        let waiters = state.withLock { state in
            state.value = value
            defer { state.waiters = [:] }
            return state.waiters.values
        }
        for waiter in waiters { waiter.resume(returning: value) }
    }

    /// Returns the result; nil if `end` comes first or the task is cancelled.
    package func wait(until end: MonotonicTime, on shard: Shard) async -> Value? {
        let number = state.withLock { state in
            defer { state.next += 1 }
            return state.next
        }
        let timer = CrossThreadTimer(on: shard)
        let value = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.value == nil, !Task.isCancelled { state.waiters[number] = continuation }
                    return state.waiters[number] == nil
                }
                if isOver { return continuation.resume(returning: state.withLock { $0.value }) }
                timer.set(at: end) { [self] in stopWaiting(number) }
            }
        } onCancel: {
            stopWaiting(number)
        }
        timer.cancel()
        return value
    }

    private func stopWaiting(_ number: Int) {
        let waiter = state.withLock { $0.waiters.removeValue(forKey: number) }
        waiter?.resume(returning: nil)
    }
}
