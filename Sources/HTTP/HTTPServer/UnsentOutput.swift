import EventLoop
import HTTPCore

/// An exchange whose response is written and not sent completely.
struct UnsentExchange {
    var exchange: ExchangeRecord
    /// The size of the response.
    let size: Int
    /// The number of bytes, from the first one that is not sent, to the end of the response.
    let end: Int

    /// Completes the record of the exchange, of whose output `sent` bytes are sent.
    mutating func complete(sent: Int, _ outcome: ExchangeRecord.Outcome, at time: MonotonicTime) {
        exchange.bytesSent = min(size, max(0, size - (end - sent)))
        exchange.end = time.nanoseconds
        if case .completed = exchange.outcome { exchange.outcome = outcome }
    }
}

/// The output of a connection whose client takes responses slower than they are made.
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

// Writing responses.
extension Connection {
    /// The number of response bytes that are not sent.
    func unsentCount(_ work: borrowing Workspace) -> Int { work.output.count + (unsent?.queue.count ?? 0) }

    /// Writes a response to `request`, which decides the state that follows.
    func write(_ response: Response, to request: AnsweredRequest, _ work: inout Workspace) {
        let omitsBody = enterState(after: request, response.status, bodySize: response.body.count)
        let start = work.output.count
        response.serialize(
            into: &work.output, date: host.date(), version: request.version, keepsAlive: state.isReading,
            omittingBody: omitsBody != .no)
        let exchange = request.exchange(response.status, response.note)
        note(exchange, from: start, &work, omitsBody == .large ? response.body : [])
    }

    /// Writes a stored response to `request`, which decides the state that follows.
    func write(
        _ response: StoredResponse, age: Int?, _ note: consuming ExchangeNote, to request: AnsweredRequest,
        _ work: inout Workspace
    ) {
        let omitsBody = enterState(after: request, response.status, bodySize: response.body.count)
        let start = work.output.count
        response.serialize(
            into: &work.output, date: host.date(), age: age, version: request.version, keepsAlive: state.isReading,
            omittingBody: omitsBody != .no)
        let exchange = request.exchange(response.status, note)
        self.note(exchange, from: start, &work, omitsBody == .large ? response.body : [])
    }

    /// Why the body is not in the output behind the head.
    private enum Omission {
        case no
        /// The response has none.
        case absent
        /// The body is sent from its own array.
        case large
    }

    /// Enters the state after the response to `request`, and decides how its body is sent.
    private func enterState(after request: AnsweredRequest, _ status: Status, bodySize: Int) -> Omission {
        if !request.keepsAlive {
            state = .closing(lingering: request.leavesInput)
        } else {
            state = host.isDraining ? .closing(lingering: true) : .reading
        }
        if request.method == .head || status.forbidsContent { return .absent }
        return bodySize >= (transport.isSecure ? Self.largeSecureBody : Self.largeBody) ? .large : .no
    }

    /// Notes the exchange whose response is in the output from `start` on, followed by `body`, which is sent at once.
    private func note(_ exchange: consuming ExchangeRecord, from start: Int, _ work: inout Workspace, _ body: [UInt8]) {
        let size = work.output.count - start + body.count
        let before = (unsent?.sent ?? 0) + (unsent?.queue.count ?? 0)
        work.exchanges.append(
            UnsentExchange(exchange: exchange, size: size, end: before + work.output.count + body.count))
        if !body.isEmpty { flush(&work, body) }
    }

    /// Sends the output and then `body`; keeps the bytes that the client does not take.
    func flush(_ work: inout Workspace, _ body: [UInt8] = []) {
        let total = work.output.count + body.count
        // The end of a stream for HTTP/1.0 has no bytes.
        if total == 0, work.exchanges.isEmpty { return }
        var sent = 0
        if unsent == nil, total > 0 {
            switch body.isEmpty ? transport.send(work.output, from: 0) : transport.send(work.output, then: body) {
            case .bytes(let count): sent = count
            case .wouldBlock: break
            case .end, .failed: return lose(&work)
            }
        }
        if unsent == nil, sent == total {
            host.finish(&work.exchanges, sent: total, .completed)
        } else {
            keep(&work, body, sent: sent)
        }
        work.output.removeAll(keepingCapacity: work.output.capacity <= 2 * Self.maximumBacklog)
    }

    /// Keeps the bytes behind the first `sent` bytes of the output.
    private func keep(_ work: inout Workspace, _ body: [UInt8], sent: Int) {
        let now = host.shard.now
        let unsent =
            unsent
            ?? UnsentOutput(
                stallDeadline: now + host.options.writeTimeout, answerDeadline: now + host.options.answerTimeout,
                progress: sent + Self.maximumBacklog)
        let head = min(sent, work.output.count)
        unsent.queue.append(copying: work.output[head...])
        unsent.queue.append(sharing: body, from: sent - head)
        unsent.exchanges += work.exchanges
        work.exchanges.removeAll(keepingCapacity: true)
        unsent.sent += sent
        self.unsent = unsent
        reportSent()
    }

    /// Ends the connection, which is broken, and the exchanges in `work`.
    private func lose(_ work: inout Workspace) {
        host.finish(&work.exchanges, sent: 0, .clientLeft)
        work.output.removeAll(keepingCapacity: true)
        close(.clientLeft)
    }

    /// Sends more of the unsent bytes, and answers requests that waited for the client to take them.
    func sendUnsent() {
        guard let unsent else { return }
        let before = unsent.sent
        while !unsent.queue.isEmpty {
            switch unsent.queue.send(to: transport) {
            case .bytes(let count): unsent.sent += count
            case .wouldBlock:
                if unsent.sent > before { extendDeadlines(of: unsent) }
                reportSent()
                return settle()
            case .end, .failed: return close(.clientLeft)
            }
        }
        reportSent()
        self.unsent = nil
        answering?.resume()
        if waiting == .room { continueAnswering() } else { settle() }
    }

    /// Gives the client more time, because it has taken bytes.
    private func extendDeadlines(of unsent: UnsentOutput) {
        let now = host.shard.now
        unsent.stallDeadline = now + host.options.writeTimeout
        if unsent.sent >= unsent.progress {
            unsent.progress = unsent.sent + Self.maximumBacklog
            unsent.answerDeadline = now + host.options.answerTimeout
        }
    }

    /// Reports the exchanges whose last byte the client has taken.
    private func reportSent() {
        guard let unsent else { return }
        let count = unsent.exchanges.prefix { $0.end <= unsent.sent }.count
        if count == 0 { return }
        var complete = Array(unsent.exchanges[..<count])
        unsent.exchanges.removeFirst(count)
        host.finish(&complete, sent: unsent.sent, .completed)
    }
}
