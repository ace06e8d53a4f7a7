import EventLoop
import HTTPCore

/// The buffers that the connections of a shard share, because they handle their events one after another.
struct Workspace {
    /// The buffer for reading from any connection's socket.
    var input = [UInt8](repeating: 0, count: 64 << 10)
    /// A parser without input, between two events.
    var parser: RequestParser
    /// The responses that one connection has written since its event.
    var output: [UInt8] = []
    var exchanges: [PendingExchange] = []
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

/// The input of a connection that no response has been made for: a request that is incomplete, or that waits.
final class ArrivingRequest {
    var parser: RequestParser
    var progress = RequestProgress()
    /// The received bytes that the parser has not taken, from `start` on.
    private var bytes: [UInt8] = []
    private var start = 0

    init(limits: RequestLimits) { parser = RequestParser(limits: limits) }

    var hasBytes: Bool { count > 0 }
    /// The number of bytes that the parser has not taken.
    var count: Int { bytes.count - start }

    func append(_ more: Span<UInt8>) {
        if start > bytes.count / 2 {
            bytes.removeFirst(start)
            start = 0
        }
        bytes.append(copying: more)
    }

    /// Passes the waiting bytes to `take`, which returns the number of bytes that it has taken.
    ///
    /// The other bytes are not moved, so that many waiting requests take linear time.
    func take(_ take: (Span<UInt8>) -> Int) {
        var taken: [UInt8] = []
        swap(&taken, &bytes)
        start += take(taken.span.extracting(start...))
        if start == taken.count {
            start = 0
        } else {
            swap(&taken, &bytes)
        }
    }
}

/// An exchange whose response is written and not sent completely.
struct PendingExchange {
    var exchange: ExchangeRecord
    let size: Int
    /// The number of bytes from the start of the output to the end of the response.
    let end: Int

    /// Completes the record.
    ///
    /// `sent` is how much of the output has been sent, in bytes.
    mutating func complete(sent: Int, _ outcome: ExchangeRecord.Outcome, at time: MonotonicTime) {
        exchange.bytesSent = min(size, max(0, size - (end - sent)))
        exchange.end = time.nanoseconds
        if case .completed = exchange.outcome { exchange.outcome = outcome }
    }
}

/// The output of a connection whose client takes responses slower than they are made.
final class PendingOutput {
    var queue = OutputQueue()
    /// The exchanges in `queue`; their ends count from the start of this output.
    var exchanges: [PendingExchange] = []
    /// The number of bytes that the client has taken.
    private(set) var sent = 0
    /// The outputs that are not sent completely, each with its end from the start of this one: a body, or else a number of bytes.
    private var held: [(end: Int, bytes: Int, body: [UInt8])] = []
    private let untaken: UntakenOutput
    private let start: MonotonicTime
    /// The time at which the client has gone too long without taking a byte.
    private var stallDeadline: MonotonicTime
    /// The time at which the client has taken too long for all of the output, or for as much as `progress` says.
    private var answerDeadline: MonotonicTime
    /// The value of `sent` at which the client gets more time for the rest.
    private var progress: Int

    /// Output for which the time-outs of `options` begin at `now`, after `sent` bytes of it.
    init(_ options: ServerOptions, _ untaken: UntakenOutput, sent: Int, at now: MonotonicTime) {
        (stallDeadline, answerDeadline) = (now + options.writeTimeout, now + options.answerTimeout)
        progress = sent + Connection.maximumBacklog
        (self.untaken, start) = (untaken, now)
        untaken.change(connections: 1)
    }

    deinit {
        for entry in held { release(entry.bytes, entry.body) }
        untaken.change(connections: -1)
    }

    /// Adds the bytes of `output` and of `body` behind the first `count`, which are sent.
    func append(_ output: [UInt8], _ body: [UInt8], sent count: Int) {
        let head = min(count, output.count)
        queue.append(copying: output[head...])
        sent += count
        if head < output.count {
            held.append((end, output.count - head, []))
            untaken.change(by: output.count - head)
        }
        queue.append(sharing: body, from: count - head)
        if count - head < body.count {
            held.append((end, 0, body))
            untaken.change(body, holders: 1)
        }
    }

    private func release(_ bytes: Int, _ body: [UInt8]) {
        if body.isEmpty { untaken.change(by: -bytes) } else { untaken.change(body, holders: -1) }
    }

    /// Notes that the client has taken `count` bytes more.
    func take(_ count: Int) {
        sent += count
        while let first = held.first, first.end <= sent {
            release(first.bytes, first.body)
            held.removeFirst()
        }
    }

    /// The bytes that the client has taken in a second.
    func rate(at now: MonotonicTime) -> Double { Double(sent) / max(1, Double(now.nanoseconds - start.nanoseconds)) }

    /// The time at which the connection ends unless the client takes bytes.
    var deadline: MonotonicTime { min(stallDeadline, answerDeadline) }

    /// The number of bytes from the start of the output to its end.
    var end: Int { sent + queue.count }

    /// Gives the client more time, because it has taken bytes.
    func extendDeadlines(_ options: ServerOptions, at now: MonotonicTime) {
        stallDeadline = now + options.writeTimeout
        if sent >= progress {
            progress = sent + Connection.maximumBacklog
            answerDeadline = now + options.answerTimeout
        }
    }

    /// Removes and returns the exchanges whose last byte the client has taken.
    func takeComplete() -> [PendingExchange] {
        let complete = exchanges.prefix { $0.end <= sent }
        exchanges.removeFirst(complete.count)
        return Array(complete)
    }
}
