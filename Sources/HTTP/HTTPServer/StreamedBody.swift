import EventLoop
import HTTPCore

// Bodies that are sent while they are made.
extension Connection {
    /// Writes the head of a stream, whose pieces follow; a HEAD gets nothing more.
    func stream(
        _ response: Response, _ next: @escaping @Sendable () async -> [UInt8]?, to request: AnsweredRequest,
        _ work: inout Workspace
    ) {
        let start = work.output.count
        response.serializeStreamHead(into: &work.output, date: host.date(), version: request.version)
        let answering = Answering(request, response.note, on: self)
        var exchange = request.exchange(response.status, response.note)
        exchange.bytesSent = work.output.count - start
        answering.streamed = exchange
        if request.method == .head { return endStream(answering, &work) }
        state = .answering
        self.answering = answering
        answering.start(streaming: next)
    }

    /// Writes a piece of the stream; nil is the end.
    func send(piece: [UInt8]?) {
        guard let answering else { return }
        host.withWorkspace { work in
            // An empty chunk would end the body (RFC 9112 §7.1).
            let content = piece ?? []
            if answering.request.version == .http10 {
                work.output += content
            } else if !content.isEmpty || piece == nil {
                work.output += Array("\(String(content.count, radix: 16))\r\n".utf8) + content + Array("\r\n".utf8)
            }
            answering.streamed?.bytesSent += work.output.count
            if piece == nil { endStream(answering, &work) }
            flush(&work)
        }
        settle()
    }

    /// Ends the stream and then the connection; the exchange ends when the client has taken the last byte.
    private func endStream(_ answering: Answering, _ work: inout Workspace) {
        self.answering = nil
        state = .closing(lingering: true)
        guard let exchange = answering.streamed else { return }
        let before = (unsent?.sent ?? 0) + (unsent?.queue.count ?? 0)
        work.exchanges.append(
            UnsentExchange(exchange: exchange, size: exchange.bytesSent, end: before + work.output.count))
    }
}
