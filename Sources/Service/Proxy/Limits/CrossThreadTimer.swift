import EventLoop

/// An action at a moment, on a shard; unlike a `ShardTimer`, any thread can set and cancel it.
final class CrossThreadTimer: Sendable {
    private final class Slot {
        var timer: ShardTimer?
        var isCancelled = false
    }

    private let slot: ShardBound<Slot>

    init(on shard: Shard) { slot = ShardBound(Slot(), to: shard) }

    /// Runs `action` at `moment`, or never if the timer is cancelled first; call it once.
    func set(at moment: MonotonicTime, _ action: @escaping @Sendable () -> Void) {
        let shard = slot.shard
        slot.run { slot in
            if !slot.isCancelled { slot.timer = shard.schedule(at: moment, action) }
        }
    }

    func cancel() {
        slot.run { slot in
            slot.isCancelled = true
            slot.timer?.cancel()
            slot.timer = nil
        }
    }
}
