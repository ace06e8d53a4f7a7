import Synchronization

/// The memory of answers that clients have not taken, on all shards of a server.
///
/// A server closes the connections that take their answers slowest when this memory exceeds the maximum.
public final class UntakenOutput: Sendable {
    private struct State {
        /// The connections that wait to send an array, by its address: those of one document share its memory.
        var holders: [UInt: Int] = [:]
        var bytes = 0
        /// The connections with an output that clients have not taken.
        var connections = 0
        /// Whether the connections have been asked to make room.
        var isMakingRoom = false
    }

    /// The maximum in bytes.
    public let maximum: Int
    private let state = Mutex(State())
    private let changed: @Sendable (_ bytes: Int) -> Void

    /// A count of up to `maximum` bytes; `changed` gets each difference.
    public init(maximum: Int = .max, changed: @escaping @Sendable (_ bytes: Int) -> Void = { _ in }) {
        (self.maximum, self.changed) = (maximum, changed)
    }

    /// The bytes now.
    public var bytes: Int { state.withLock(\.bytes) }

    /// Whether connections hold more than `maximum`, and more than one of them does: a large answer is none too many.
    func exceeds(_ maximum: Int) -> Bool { state.withLock { $0.bytes > maximum && $0.connections > 1 } }

    /// Counts a connection with an output, with 1, or without one, with -1.
    func change(connections: Int) { state.withLock { $0.connections += connections } }

    /// Counts bytes that one connection alone has; the number is negative when they are sent or given up.
    func change(by bytes: Int) {
        state.withLock { $0.bytes += bytes }
        changed(bytes)
    }

    /// Counts a body that a connection waits to send, with 1, or has sent or given up, with -1.
    func change(_ body: [UInt8], holders: Int) {
        let address = body.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
        let isCounted = state.withLock { state in
            let before = state.holders[address, default: 0]
            state.holders[address] = before + holders == 0 ? nil : before + holders
            return before > 0 && before + holders > 0
        }
        // The first one to hold the array, or the last one.
        if !isCounted { change(by: holders * body.count) }
    }

    /// Whether connections must be asked to make room: there is too much, and they were not asked yet.
    func needsRoom() -> Bool {
        state.withLock { state in
            guard state.bytes > maximum, state.connections > 1, !state.isMakingRoom else { return false }
            state.isMakingRoom = true
            return true
        }
    }

    /// Notes that there is room again, as far as connections could make any.
    func madeRoom() { state.withLock { $0.isMakingRoom = false } }
}
