import API
import EventLoop
import HTTPClient
import HTTPCore
import Operations

/// What authorizes one request, and removes it from the response.
package struct Access: Sendable {
    /// The configured credentials.
    package let source: Credentials
    /// What the request carries.
    package let credentials: Credentials
    var scrubber: KeyScrubber

    fileprivate init(_ current: CredentialStore.Current) {
        (source, credentials, scrubber) = (current.credentials, current.credentials, current.scrubber)
    }

    fileprivate init(_ source: Credentials, _ token: BearerToken) {
        (self.source, credentials, scrubber) = (source, .key(token.value, .bearer), token.scrubber)
    }
}

// What authorizes a request: the configured key, or a token.
extension Upstream {
    /// Returns what authorizes a request; if it is a token that must be fetched, the task waits for it until `end`.
    nonisolated(nonsending) func access(
        until end: MonotonicTime, _ context: FetchContext
    ) async throws(FetchFailure) -> Access {
        let current = credentials.current
        let source = current.credentials
        switch source {
        case .none, .key, .oauth1: return Access(current)
        case .jwt(let maker):
            let token = state.tokens.token(for: source, now: context.now) {
                let value = maker.token(at: context.clock.seconds)
                return BearerToken(
                    value, scrubber: credentials.scrubber(for: source, token: value), lifetime: maker.lifetime,
                    now: context.now)
            }
            return Access(source, token)
        case .oauth2(let client):
            do throws(TokenFault) {
                return Access(source, try await token(for: client, until: end, context))
            } catch {
                throw .token(error)
            }
        }
    }

    /// Returns whether there is other access than the one that the upstream refused, and time to use it.
    func isReplaced(_ refused: Access, _ context: FetchContext) async -> Bool {
        if case .oauth2 = refused.source, case .key(let token, _) = refused.credentials {
            return state.tokens.refuse(token, now: context.now)
        }
        return await renewedCredentials(after: refused.source, until: context.end, context) != nil
    }

    /// Reads the files of the credentials again, and returns the credentials if they are others than `used`.
    private func renewedCredentials(
        after used: Credentials, until end: MonotonicTime, _ context: FetchContext
    ) async -> Credentials? {
        let isRenewed = try? await keyFiles.run(until: end, on: context.shard) { [credentials] _ in
            credentials.renew(after: used)
        }
        return isRenewed == true ? credentials.current.credentials : nil
    }
}

// Tokens of OAuth 2.0: one request for all that need one.
extension Upstream {
    private func token(
        for client: ClientCredentials, until end: MonotonicTime, _ context: FetchContext
    ) async throws(TokenFault) -> BearerToken {
        let (renewal, isShared): (BearerTokens.Renewal, Bool)
        switch state.tokens.step(for: .oauth2(client), now: context.now) {
        case .use(let token): return token
        case .useAndRenew(let token, let renewal):
            fetchToken(for: client, renewal, context)
            return token
        case .wait(let started): (renewal, isShared) = (started, true)
        case .fetch(let new):
            fetchToken(for: client, new, context)
            (renewal, isShared) = (new, false)
        case .fail(let fault): throw fault
        }
        guard let outcome = await renewal.wait(until: end, on: context.shard) else {
            let error: TransferError = Task.isCancelled ? .cancelled : .tooSlow
            throw TokenFault(endpoint: client.endpoint, reason: .transfer(error), isShared: isShared)
        }
        return try outcome.mapError { isShared ? $0.shared : $0 }.get()
    }

    /// Fetches a token in a task of its own, with an end of its own: those who wait for it may go.
    private func fetchToken(
        for client: ClientCredentials, _ renewal: BearerTokens.Renewal, _ context: FetchContext
    ) {
        let end = context.now + tokenDeadline
        Task(executorPreference: context.shard) { [self] in
            var (used, outcome) = (client, await grant(for: client, until: end, context))
            if case .failure(let fault) = outcome, fault.refusesCredentials {
                state.tokens.noteRenewal(renewal)
                let renewed = await renewedCredentials(after: .oauth2(client), until: end, context)
                if case .oauth2(let other) = renewed {
                    (used, outcome) = (other, await grant(for: other, until: end, context))
                }
            }
            let token: Result<BearerToken, TokenFault>
            switch outcome {
            case .success(let grant):
                let scrubber = credentials.scrubber(for: .oauth2(used), token: grant.token)
                // The endpoint can choose this number: it could be a secret of digits.
                let seconds = grant.lifetime.flatMap { scrubber.scrubbed("\($0)") == "\($0)" ? $0 : nil }
                log.write(.info, "token fetched", ["upstream": name, "endpoint": used.endpoint, "seconds": seconds])
                token = .success(
                    BearerToken(grant.token, scrubber: scrubber, lifetime: grant.lifetime, now: context.now))
            case .failure(let fault):
                log.write(.warning, "token not fetched", ["upstream": name, "detail": fault.sentence(of: name)])
                token = .failure(fault)
            }
            state.tokens.finish(renewal, token, .oauth2(used), now: context.now)
        }
    }

    /// Asks the endpoint for a token: a try of the client's request for which the token is fetched.
    private func grant(
        for client: ClientCredentials, until end: MonotonicTime, _ context: FetchContext
    ) async -> Result<ClientCredentials.Grant, TokenFault> {
        var request = client.request
        let maximumBytes = request.maximumBodyBytes
        tokenTransfers.apply(to: &request)
        (request.maximumBodyBytes, request.redirects) = (maximumBytes, .never)
        request.deadline = end - context.now
        let attempt = Attempt()
        request.count(in: attempt, context)
        let (start, tries) = (context.now, context.trace.tries)
        let describe: @Sendable (String, IncomingResponse?) -> UpstreamTry = { [name] result, response in
            let record = attempt.record
            return UpstreamTry(
                upstream: name, requests: "token", result: result,
                milliseconds: (context.now - start).wholeMilliseconds, bytes: response?.body.count ?? record.bytes,
                sent: record.sent, isReused: response?.isReused ?? record.isReused,
                url: ["200", "under way"].contains(result) ? nil : client.endpoint)
        }
        let id = tries.begin { describe("under way", nil) }
        func fail(_ reason: TokenFault.Reason, _ response: IncomingResponse?) -> TokenFault {
            let fault = TokenFault(endpoint: client.endpoint, reason: reason)
            tries.end(id, describe(fault.result, response))
            state.noteTokenTry(reason.label)
            return fault
        }
        let response: IncomingResponse
        do {
            response = try await context.client.fetch(request)
            state.noteTokenTransfer(context.now - start, TransferDurations.Ending(status: response.status))
        } catch {
            state.noteTokenTransfer(context.now - start, TransferDurations.Ending(error))
            return .failure(fail(.transfer(error), nil))
        }
        do throws(TokenFault.Reason) {
            let grant = try ClientCredentials.read(
                response, without: credentials.current.scrubber, now: context.clock.seconds)
            tries.end(id, describe("200", response))
            state.noteTokenTry("200")
            return .success(grant)
        } catch {
            return .failure(fail(error, response))
        }
    }
}
