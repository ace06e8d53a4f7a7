import EventLoop
import HTTPCore

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

    /// Reads the header in which a proxy names the client; then `arriving` holds what follows it.
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

    /// Ends the connection without an answer to what has arrived.
    func drop(_ refusal: Refusal) {
        var exchange = Exchange(start: host.shard.now.nanoseconds)
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

    /// Sends what has been written, and takes the parser back if its request is incomplete.
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
            case .needsMore(let consumed):
                work.progress.bytes += consumed
                if work.progress.headComplete > 0 { work.progress.bodyBytes += consumed }
                if !work.parser.hasStarted { work.progress.start = 0 }
                return start + consumed
            case .head(let request, let consumed):
                start += consumed
                work.progress.bytes += consumed
                work.progress.headComplete = host.shard.now.nanoseconds
                if !expectBody(of: request, followedBy: bytes.count - start, &work) { return bytes.count }
            case .request(let request, let consumed):
                start += consumed
                work.progress.bytes += consumed
                if work.progress.headComplete == 0 { work.progress.headComplete = host.shard.now.nanoseconds }
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

    /// Prepares for the body of `request`, of which `count` bytes are there; returns false if it is not read, because there
    /// is an answer already.
    private func expectBody(of request: Request, followedBy count: Int, _ work: inout Workspace) -> Bool {
        let maximum = host.handler.maximumBodyBytes(of: request)
        if maximum <= 0 {
            work.progress.bytes += count
            answer(request, &work, leavesBody: true)
            return false
        }
        do throws(RequestFailure) {
            try work.parser.limitBody(to: maximum)
        } catch {
            work.progress.bytes += count
            refuse(error, Refusal(error), RefusedRequest(request), &work)
            return false
        }
        if work.parser.takeContinueExpectation() { work.output += "HTTP/1.1 100 Continue\r\n\r\n".utf8 }
        return true
    }

    private func answer(_ request: Request, _ work: inout Workspace, leavesBody: Bool = false) {
        requests += 1
        if isReserved, !host.handler.isReserved(request) {
            return refuse(host.limitFailure(.connectionLimit), .connectionLimit, RefusedRequest(request), &work)
        }
        var answered = AnsweredRequest(
            request, from: host.trustedProxies.client(of: request.headers, from: client), work.progress)
        work.progress = RequestProgress()
        if leavesBody || isReserved || requests >= host.options.maximumRequestsPerConnection {
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
