import EventLoop
import HTTPCore

/// Response bytes that a client has not taken yet; bodies are shared with whoever else holds them, not copied.
struct OutputQueue {
    /// A chunk from this size on gets no further bytes, so that what has been sent is released.
    private static let fullChunk = 64 << 10

    private var chunks: [[UInt8]] = []
    /// The number of bytes of the first chunk that are sent.
    private var sent = 0
    /// Whether bytes may be appended to the last chunk, because nothing else holds it.
    private var isLastOwned = false
    /// The number of bytes that are not sent.
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// Copies `bytes` to the end.
    mutating func append(copying bytes: ArraySlice<UInt8>) {
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
    mutating func send(to transport: Transport) -> Socket.Outcome {
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

/// An exchange whose response is written and not sent completely.
struct UnsentExchange {
    var exchange: Exchange
    /// The size of the response.
    let size: Int
    /// The number of bytes, from the first one that is not sent, to the end of the response.
    let end: Int

    /// Completes the record of the exchange, of whose output `sent` bytes are sent.
    mutating func complete(sent: Int, _ outcome: Exchange.Outcome, at time: MonotonicTime) {
        exchange.bytesSent = min(size, max(0, size - (end - sent)))
        exchange.end = time.nanoseconds
        if case .completed = exchange.outcome { exchange.outcome = outcome }
    }
}

/// The output of a connection whose client takes it slower than it is made.
final class UnsentOutput {
    var queue = OutputQueue()
    /// The exchanges in `queue`; their ends count from the start of this output.
    var exchanges: [UnsentExchange] = []
    /// The number of bytes that the client has taken.
    var sent = 0
    /// The time at which the client has gone too long without taking a byte.
    var stallDeadline: MonotonicTime
    /// The time at which the client has taken too long for all of the output, or for as much as `progress` says.
    var answerDeadline: MonotonicTime
    /// The value of `sent` at which the client gets more time for the rest.
    var progress: Int

    init(stallDeadline: MonotonicTime, answerDeadline: MonotonicTime, progress: Int) {
        (self.stallDeadline, self.answerDeadline, self.progress) = (stallDeadline, answerDeadline, progress)
    }
}

/// What the connections of a shard share, because they handle their events one after another.
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
    /// The number of bytes that the parser has taken.
    var bytes = 0
    /// Of these, the bytes of the body.
    var bodyBytes = 0
}
