import EventLoop
import HTTPCore

// Input.
extension Connection {
    /// Reads once per event, so that one client cannot starve the others.
    func receive() {
        if awaitsProxyHeader, transport.isSecure { return receiveProxyHeader() }
        var outcome = Socket.Outcome.wouldBlock
        host.withWorkspace { work in
            // Swaps, so that the buffer has one owner while it is written to; a second owner would make the array copy it.
            var input: [UInt8] = []
            swap(&input, &work.input)
            defer { swap(&input, &work.input) }
            outcome = transport.receive(into: &input)
            guard case .bytes(let count) = outcome else { return }
            if state.isReading {
                take(input.span.extracting(..<count), &work)
            } else if state.isAnswering {
                keep(input.span.extracting(..<count))
            }
        }
        switch outcome {
        case .bytes: break
        case .end: peerFinished()
        case .wouldBlock: if transport.isSecure { updateInterest() }
        case .failed: transportFailed()
        }
    }

    /// Reads the header in which a proxy names the client, which precedes the handshake, and no byte of the handshake.
    func receiveProxyHeader() {
        host.withWorkspace { work in
            var input: [UInt8] = []
            swap(&input, &work.input)
            defer { swap(&input, &work.input) }
            switch transport.socket.peek(into: &input) {
            case .bytes(let count):
                takeProxyHeader(input.span.extracting(..<count), &work)
                // An incomplete header is taken too: otherwise its bytes would be reported again and again.
                let surplus = awaitsProxyHeader ? 0 : arriving?.count ?? 0
                if !awaitsProxyHeader { arriving = nil }
                var header = [UInt8](repeating: 0, count: count - surplus)
                _ = transport.socket.receive(into: &header)
            case .wouldBlock: break
            case .end, .failed: close(.clientLeft)
            }
        }
    }

    /// Ends the connection, which has failed; a client that speaks plain HTTP in place of TLS gets a 400.
    func transportFailed() {
        guard let session = transport.session, session.isOpen, !session.isEstablished else { return close(.clientLeft) }
        guard session.isPlainHTTP else { return drop(.handshake) }
        session.release()
        refuse(RequestFailure(status: .badRequest, detail: "This port takes HTTPS; the request was plain HTTP."))
    }
}

// Reading requests and having them answered.
extension Connection {
    /// Answers the complete requests in `bytes`, which have just arrived.
    func take(_ bytes: Span<UInt8>, _ work: inout Workspace) {
        if awaitsProxyHeader { return takeProxyHeader(bytes, &work) }
        begin(&work)
        if let arriving, arriving.hasBytes {
            arriving.append(bytes)
            answerWaiting(&work)
        } else {
            let consumed = answerRequests(in: bytes, &work)
            if state.isReading || state.isAnswering, consumed < bytes.count || work.parser.hasStarted {
                let arriving = arriving ?? ArrivingRequest(limits: host.options.requestLimits)
                arriving.append(bytes.extracting(consumed...))
                self.arriving = arriving
            }
        }
        end(&work)
    }

    /// Keeps `bytes` until the current request is answered.
    func keep(_ bytes: Span<UInt8>) {
        let arriving = arriving ?? ArrivingRequest(limits: host.options.requestLimits)
        self.arriving = arriving
        arriving.append(bytes)
        settle()
    }

    /// Reads the header in which a proxy names the client; `arriving` then holds the bytes behind the header.
    func takeProxyHeader(_ bytes: Span<UInt8>, _ work: inout Workspace) {
        let arriving = arriving ?? ArrivingRequest(limits: host.options.requestLimits)
        self.arriving = arriving
        arriving.append(bytes)
        var header = ProxyHeader.incomplete
        arriving.take { bytes in
            header = ProxyHeader(bytes)
            if case .complete(_, let length) = header { return length }
            return 0
        }
        switch header {
        case .incomplete: break
        case .complete(let client, _):
            awaitsProxyHeader = false
            self.client = client ?? self.client
            guard host.admitClient(of: self) else {
                if transport.isSecure { return drop(.clientConnectionLimit) }
                begin(&work)
                refuse(host.limitFailure(.clientConnectionLimit), .clientConnectionLimit, RefusedRequest(), &work)
                return end(&work)
            }
            if !transport.isSecure { continueAnswering(&work) }
        case .malformed: drop(.malformed)
        }
    }

    func drop(_ refusal: Refusal) {
        var exchange = ExchangeRecord(start: host.shard.now.nanoseconds)
        (exchange.client, exchange.end) = (client, exchange.start)
        exchange.outcome = .refused(refusal)
        host.finish(exchange)
        close(.refused(refusal))
    }

    /// Sends the response that a task has made, and answers the requests that have arrived since.
    func sendAnswer() {
        guard case .answering(let answering) = state, let response = answering.response else { return }
        host.withWorkspace { work in
            begin(&work)
            write(response, to: answering.request, &work)
            answerWaiting(&work)
            end(&work)
        }
    }

    /// Answers requests that had to wait: for other clients, or for this one to take responses.
    func continueAnswering() { host.withWorkspace { continueAnswering(&$0) } }

    private func continueAnswering(_ work: inout Workspace) {
        waiting = .no
        guard state.isReading else { return }
        begin(&work)
        answerWaiting(&work)
        end(&work)
    }

    /// Sends the response to `failure` and closes.
    func refuse(_ failure: RequestFailure, _ refusal: Refusal? = nil) {
        host.withWorkspace { work in
            begin(&work)
            var request = RefusedRequest()
            // The bytes stay where they are; nothing is read any more.
            arriving?.take { bytes in
                request = work.parser.refusedRequest(bytes)
                work.progress.bytes += bytes.count
                return 0
            }
            refuse(failure, refusal ?? Refusal(failure), request, &work)
            end(&work)
        }
    }

    /// Puts the parser of an incomplete request into `work`.
    private func begin(_ work: inout Workspace) {
        if let arriving {
            swap(&arriving.parser, &work.parser)
            work.progress = arriving.progress
        } else {
            work.progress = RequestProgress()
        }
    }

    /// Sends the responses that have been written, and takes the parser back if its request is incomplete.
    private func end(_ work: inout Workspace) {
        flush(&work)
        if waiting == .room, pending == nil { waitForTurn() }
        if let arriving {
            swap(&arriving.parser, &work.parser)
            arriving.progress = work.progress
            let isNeeded = state.isReading || state.isAnswering
            if !isNeeded || !arriving.hasBytes && !arriving.parser.hasStarted { self.arriving = nil }
        } else if !work.parser.isFresh {
            work.parser = RequestParser(limits: host.options.requestLimits)
        }
        settle()
    }

    private func waitForTurn() {
        waiting = .turn
        host.continueSoon(self)
    }

    private func answerWaiting(_ work: inout Workspace) {
        guard state.isReading, let arriving, arriving.hasBytes else { return }
        arriving.take { answerRequests(in: $0, &work) }
    }

    /// Answers the complete requests in `bytes`, one after another, and returns the number of bytes they took.
    private func answerRequests(in bytes: Span<UInt8>, _ work: inout Workspace) -> Int {
        var start = 0
        var turns = host.options.maximumPipelinedRequests
        while state.isReading, start < bytes.count {
            if pendingCount(work) >= Self.maximumBacklog {
                waiting = .room
                return start
            }
            if turns == 0 {
                waitForTurn()
                return start
            }
            if work.progress.start == 0 { work.progress.start = host.shard.now.nanoseconds }
            switch work.parser.parse(bytes.extracting(start...)) {
            case .needsMore:
                if !work.parser.hasStarted { work.progress.start = 0 }
                return start
            case .request(let request, let consumed):
                // A body is not read: its bytes are dropped, and the answer closes the connection.
                let end = request.hasBody ? bytes.count : start + consumed
                work.progress.bytes += end - start
                start = end
                work.progress.headComplete = host.shard.now.nanoseconds
                answer(request, &work)
                turns -= 1
            case .failure(let failure):
                let rest = bytes.extracting(start...)
                work.progress.bytes += rest.count
                refuse(failure, Refusal(failure), work.parser.refusedRequest(rest), &work)
                return bytes.count
            }
        }
        return start
    }

    private func answer(_ request: Request, _ work: inout Workspace) {
        requests += 1
        if isReserved, !host.handler.isReserved(request, on: host.shard) {
            return refuse(host.limitFailure(.connectionLimit), .connectionLimit, RefusedRequest(request), &work)
        }
        let source = host.trustedProxies.source(of: request.headers, from: client)
        var answered = AnsweredRequest(request, from: source.client, work.progress)
        work.progress = RequestProgress()
        if isReserved || requests >= host.options.maximumRequestsPerConnection {
            answered.keepsAlive = false
            answered.leavesInput = true
        }
        let reply = host.handler.reply(to: request, from: source, on: host.shard)
        switch consume reply {
        case .now(let response): write(response, to: answered, &work)
        case .later(let makeResponse, let note):
            let answering = Answering(answered, note, on: self)
            state = .answering(answering)
            answering.start(makeResponse)
        case .streamed(let response, let next): stream(response, next, to: answered, &work)
        }
    }

    private func refuse(
        _ failure: RequestFailure, _ refusal: Refusal, _ request: RefusedRequest, _ work: inout Workspace
    ) {
        var progress = work.progress
        if progress.start == 0 { progress.start = host.shard.now.nanoseconds }
        work.progress = RequestProgress()
        let refused = AnsweredRequest(refusedFor: refusal, request, from: client, progress)
        write(host.handler.refusal(of: failure, to: request, on: host.shard), to: refused, &work)
    }
}

// Output.
extension Connection {
    /// The number of response bytes that the client has not taken.
    private func pendingCount(_ work: borrowing Workspace) -> Int { work.output.count + (pending?.queue.count ?? 0) }

    /// Writes a response to `request`, which decides the state that follows.
    func write(_ response: Response, to request: AnsweredRequest, _ work: inout Workspace) {
        if !request.keepsAlive {
            state = .closing(lingering: request.leavesInput)
        } else {
            state = host.isDraining ? .closing(lingering: true) : .reading
        }
        let (status, body) = (response.status, response.body)
        let hasNone = request.method == .head || status.forbidsContent
        // A large body is sent from its own array.
        let isLarge = !hasNone && body.count >= (transport.isSecure ? Self.largeSecureBody : Self.largeBody)
        let start = work.output.count
        response.serialize(
            into: &work.output, date: host.date(), version: request.version, keepsAlive: state.isReading,
            omittingBody: hasNone || isLarge)
        let end = work.output.count + (isLarge ? body.count : 0)
        work.exchanges.append(
            PendingExchange(
                exchange: request.exchange(status, response.note), size: end - start, end: (pending?.end ?? 0) + end))
        if isLarge { flush(&work, body) }
    }

    /// Sends the output and then `body`; keeps the bytes that the client does not take.
    func flush(_ work: inout Workspace, _ body: [UInt8] = []) {
        let total = work.output.count + body.count
        // The end of a stream for HTTP/1.0 has no bytes.
        if total == 0, work.exchanges.isEmpty { return }
        var sent = 0
        if pending == nil, total > 0 {
            switch body.isEmpty ? transport.send(work.output, from: 0) : transport.send(work.output, then: body) {
            case .bytes(let count): sent = count
            case .wouldBlock: break
            case .end, .failed: return lose(&work)
            }
        }
        if pending == nil, sent == total {
            host.finish(&work.exchanges, sent: total, .completed)
        } else {
            keep(&work, body, sent: sent)
        }
        work.output.removeAll(keepingCapacity: work.output.capacity <= 2 * Self.maximumBacklog)
    }

    /// Keeps the bytes behind the first `sent` bytes of the output.
    private func keep(_ work: inout Workspace, _ body: [UInt8], sent: Int) {
        let pending = pending ?? PendingOutput(host.options, host.untaken, sent: sent, at: host.shard.now)
        pending.append(work.output, body, sent: sent)
        pending.exchanges += work.exchanges
        work.exchanges.removeAll(keepingCapacity: true)
        self.pending = pending
        reportSent(pending)
        host.makeRoomIfNeeded()
    }

    /// Ends the connection, which is broken, and the exchanges in `work`.
    private func lose(_ work: inout Workspace) {
        host.finish(&work.exchanges, sent: 0, .clientLeft)
        work.output.removeAll(keepingCapacity: true)
        close(.clientLeft)
    }

    /// Sends more of the pending output, and answers requests that waited for the client to take it.
    func sendPending() {
        guard let pending else { return }
        let before = pending.sent
        while !pending.queue.isEmpty {
            switch pending.queue.send(to: transport) {
            case .bytes(let count): pending.take(count)
            case .wouldBlock:
                if pending.sent > before { pending.extendDeadlines(host.options, at: host.shard.now) }
                reportSent(pending)
                return settle()
            case .end, .failed: return close(.clientLeft)
            }
        }
        reportSent(pending)
        self.pending = nil
        if case .answering(let answering) = state { answering.resume() }
        if waiting == .room { continueAnswering() } else { settle() }
    }

    /// Passes on the records of the exchanges whose last byte the client has taken.
    private func reportSent(_ pending: PendingOutput) {
        var complete = pending.takeComplete()
        host.finish(&complete, sent: pending.sent, .completed)
    }
}
