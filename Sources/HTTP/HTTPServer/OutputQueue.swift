package import EventLoop
import HTTPCore

/// Bytes that the other end has not taken yet; bodies of responses are shared with whoever else holds them, not copied.
package struct OutputQueue {
    /// A chunk from this size on gets no further bytes, so that what has been sent is released.
    private static let fullChunk = 64 << 10

    private var chunks: [[UInt8]] = []
    /// The number of bytes of the first chunk that are sent.
    private var sent = 0
    /// Whether bytes may be appended to the last chunk, because nothing else holds it.
    private var isLastOwned = false
    /// The number of bytes that are not sent.
    package private(set) var count = 0

    package init() {}

    package var isEmpty: Bool { count == 0 }

    /// Copies `bytes` to the end.
    package mutating func append(copying bytes: ArraySlice<UInt8>) {
        if bytes.isEmpty { return }
        if isLastOwned, let last = chunks.indices.last, chunks[last].count < Self.fullChunk {
            chunks[last] += bytes
        } else {
            chunks.append(Array(bytes))
            isLastOwned = true
        }
        count += bytes.count
    }

    /// Adds `bytes` from `start` on to the end; `start` is 0 unless the queue is empty.
    mutating func append(sharing bytes: [UInt8], from start: Int = 0) {
        guard start < bytes.count else { return }
        precondition(start == 0 || isEmpty, "only the first chunk can be sent in part")
        chunks.append(bytes)
        isLastOwned = false
        if start > 0 { sent = start }
        count += bytes.count - start
    }

    /// Sends bytes of the first chunk.
    package mutating func send(to transport: Transport) -> Socket.Outcome {
        guard let first = chunks.first else { return .bytes(0) }
        let outcome = transport.send(first, from: sent)
        guard case .bytes(let taken) = outcome else { return outcome }
        sent += taken
        count -= taken
        if sent == first.count {
            chunks.removeFirst()
            sent = 0
        }
        return outcome
    }
}

/// The buffers that the connections of a shard share, because they handle their events one after another.
struct Workspace {
    /// The buffer for reading from any connection's socket.
    var input = [UInt8](repeating: 0, count: 64 << 10)
    /// A parser without input, between two events.
    var parser: RequestParser
    /// The responses that one connection has written since its event.
    var output: [UInt8] = []
    /// The exchanges in `output`.
    var exchanges: [UnsentExchange] = []
    /// The request that `parser` reads.
    var progress = RequestProgress()

    init(limits: RequestLimits) { parser = RequestParser(limits: limits) }
}

/// How far a request has arrived; times are on CLOCK_MONOTONIC, in nanoseconds.
struct RequestProgress {
    /// The time of the first byte; 0 before.
    var start: UInt64 = 0
    /// The time at which the head was complete; 0 before.
    var headComplete: UInt64 = 0
    /// The number of bytes that have been taken.
    var bytes = 0
}
