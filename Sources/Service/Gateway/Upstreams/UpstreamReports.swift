import Telemetry

// What requests report, and the lines that the log has once for each change.
extension Upstream {
    /// Blocks the endpoint for `seconds`, if any.
    func note(
        _ limit: RateLimit, pause seconds: Int?, isOutage: Bool, _ endpoint: Endpoint, _ scrubber: KeyScrubber,
        _ context: FetchContext
    ) {
        guard let pause = seconds.map(limit.limited) else { return }
        // Clients and the log read this number, which an upstream can choose: it could be a key of digits.
        let requests = limit.limit.flatMap { scrubber.scrubbed("\($0)") == "\($0)" ? $0 : nil }
        let quota = state.quotas.note(
            limit: requests, seconds: pause, isOutage: isOutage, of: endpoint, now: context.now)
        if let quota { log(quota, endpoint) }
    }

    /// Counts a request that is about to be made.
    func takeQuota(of endpoint: Endpoint, _ context: FetchContext) throws(Failure) {
        let outcome = state.quotas.take(
            endpoint, for: context.purpose, now: context.now, wallClock: context.clock.seconds)
        switch outcome {
        case .admitted(let exhausted): if let exhausted { log(exhausted, endpoint) }
        case .refused(let quota): throw .spent(quota)
        }
    }

    /// Counts the requests that the client has sent beyond the one that was counted before; redirects are no retries.
    func noteFurther(_ sent: SentRequests, _ endpoint: Endpoint, _ context: FetchContext) {
        guard sent.count > 1 else { return }
        state.noteRetries(sent.repetitions)
        let exhausted = state.quotas.add(
            sent.count - 1, endpoint, for: context.purpose, wallClock: context.clock.seconds)
        if let exhausted { log(exhausted, endpoint) }
    }

    func log(_ quota: SpentQuota, _ endpoint: Endpoint) {
        log.write(
            .warning, quota.isOutage ? "upstream pauses" : "upstream quota used up",
            ["upstream": name, "requests": endpoint.rawValue, "detail": quota.sentence(of: name)])
    }

    func logSurplus() {
        log.write(
            .warning, "upstream sends surplus bytes",
            [
                "upstream": name,
                "detail":
                    "It sends bytes that belong to no answer, or the answer to another request. Its connections are "
                    + "not reused for five minutes, or another request could get them.",
            ])
    }

    func permit(for endpoint: Endpoint, _ context: FetchContext) throws(Failure) -> CircuitBreaker.Permit {
        switch state.admit(endpoint, now: context.now) {
        case .refused(let seconds): throw .suspended(seconds: seconds)
        case .admitted(let permit, let change):
            log(change, endpoint)
            return permit
        }
    }

    func note(
        _ verdict: CircuitBreaker.Verdict, _ permit: CircuitBreaker.Permit, _ endpoint: Endpoint,
        _ context: FetchContext
    ) {
        log(state.note(verdict, permit, endpoint, now: context.now), endpoint)
    }

    func log(_ change: CircuitBreaker.Change?, _ endpoint: Endpoint) {
        guard let change else { return }
        let (level, state, detail): (Log.Level, String, String) =
            switch change {
            case .opened(let seconds):
                (.warning, "open", "Too many requests fail; the next may be made within \(seconds) s.")
            case .halfOpened: (.info, "half-open", "One request shows whether the others may be made.")
            case .closed: (.info, "closed", "The requests are made again.")
            }
        log.write(
            level, "circuit breaker",
            ["upstream": name, "requests": endpoint.rawValue, "state": state, "detail": detail])
    }
}
