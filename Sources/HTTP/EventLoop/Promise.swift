package import Synchronization

/// A result for which any number of tasks wait, each of them until its own end.
package final class Promise<Value: Sendable>: Sendable {
    @usableFromInline let state = Mutex<(value: Value?, waiters: [Waiter<Value?>])>((nil, []))

    @inlinable
    package init() {}

    /// Gives the result to all who wait for it, and to those who will; call it once.
    @inlinable
    package func finish(_ value: Value) {
        let waiters = state.withLock { state in
            defer { state = (value, []) }
            return state.waiters
        }
        for waiter in waiters { waiter.finish(value) }
    }

    /// Returns the result; nil if `end` comes first or the task is cancelled.
    @inlinable
    package func wait(until end: MonotonicTime, on shard: Shard) async -> Value? {
        let waiter = Waiter<Value?>()
        let value = state.withLock { state in
            if state.value == nil { state.waiters.append(waiter) }
            return state.value
        }
        if let value { return value }
        return await waiter.wait(until: end, on: shard) { [self] _ in
            state.withLock { state in state.waiters.removeAll { $0 === waiter } }
            waiter.finish(nil)
        }
    }
}

/// The wait of one task for a result, which can come before the task waits.
package final class Waiter<Value: Sendable>: Sendable {
    @usableFromInline let state = Mutex<(value: Value?, continuation: CheckedContinuation<Value, Never>?)>((nil, nil))

    @inlinable
    package init() {}

    /// Gives the result to the task; of several results, the first one counts.
    @inlinable
    package func finish(_ value: Value) {
        let continuation = state.withLock { state -> CheckedContinuation<Value, Never>? in
            guard state.value == nil else { return nil }
            state.value = value
            return state.continuation.take()
        }
        continuation?.resume(returning: value)
    }

    /// Returns the result; `stop` is called at `end` and when the task is cancelled, and must see to it that there is one.
    @inlinable
    package func wait(
        until end: MonotonicTime, on shard: Shard, _ stop: @escaping @Sendable (_ isCancelled: Bool) -> Void
    ) async -> Value {
        let timer = WaiterTimer(on: shard)
        let value = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let early = state.withLock { state in
                    if state.value == nil { state.continuation = continuation }
                    return state.value
                }
                if let early { return continuation.resume(returning: early) }
                timer.set(at: end) { stop(false) }
            }
        } onCancel: {
            stop(true)
        }
        timer.cancel()
        return value
    }
}

/// An action at a moment, on a shard; unlike a `ShardTimer`, any thread can set and cancel it.
@usableFromInline
struct WaiterTimer: Sendable {
    private final class Slot {
        var timer: ShardTimer?
        var isCancelled = false
    }

    private let slot: ShardBound<Slot>

    @usableFromInline
    init(on shard: Shard) { slot = ShardBound(Slot(), to: shard) }

    /// Runs `action` at `moment`, or never if the timer is cancelled first; call it once.
    @usableFromInline
    func set(at moment: MonotonicTime, _ action: @escaping @Sendable () -> Void) {
        let shard = slot.shard
        slot.run { slot in
            if !slot.isCancelled { slot.timer = shard.schedule(at: moment, action) }
        }
    }

    @usableFromInline
    func cancel() {
        slot.run { slot in
            slot.isCancelled = true
            slot.timer?.cancel()
            slot.timer = nil
        }
    }
}
