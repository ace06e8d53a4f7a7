import EventLoop
import HTTPCore

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

    /// Adds bytes behind those that wait.
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
            (proxiedClient, awaitsProxyHeader) = (client, false)
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

    /// Ends the connection without an answer.
    func drop(_ refusal: Refusal) {
        var exchange = ExchangeRecord(start: host.shard.now.nanoseconds)
        (exchange.client, exchange.end) = (client, exchange.start)
        exchange.outcome = .refused(refusal)
        host.finish(exchange)
        close(.refused(refusal))
    }

    /// Sends the response that a task has made, and answers the requests that have arrived since.
    func sendAnswer() {
        guard let answering, let response = answering.response else { return }
        self.answering = nil
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
        if waiting == .room, unsent == nil { waitForTurn() }
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
            if unsentCount(work) >= Self.maximumBacklog {
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
        var answered = AnsweredRequest(
            request, from: host.trustedProxies.client(of: request.headers, from: client), work.progress)
        work.progress = RequestProgress()
        if isReserved || requests >= host.options.maximumRequestsPerConnection {
            answered.keepsAlive = false
            answered.leavesInput = true
        }
        let reply = host.handler.reply(to: request, on: host.shard)
        switch consume reply {
        case .now(let response): write(response, to: answered, &work)
        case .stored(let response, let age, let note): write(response, age: age, note, to: answered, &work)
        case .later(let makeResponse, let note):
            state = .answering
            let answering = Answering(answered, note, on: self)
            self.answering = answering
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

// TLS.
extension Connection {
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
