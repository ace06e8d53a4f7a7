import API
import Settings
package import HTTPClient
package import HTTPCore
import JSONText
import Records

/// The client credentials of OAuth 2.0 (RFC 6749 §4.4): how a token is requested, and how the answer is read.
package struct ClientCredentials: Sendable, Equatable {
    /// A token as the endpoint gave it.
    struct Grant: Sendable, Equatable {
        let token: Secret
        /// The seconds for which it is valid; nil for no limit.
        let lifetime: Int?
    }

    private static let maximumBytes = 64 << 10
    /// The longest token that is accepted; a request's head has room for it.
    private static let longestToken = 8192

    package let tokenURL: String
    package let id: Secret, secret: Secret
    package let scope: String?

    package init(tokenURL: String, id: Secret, secret: Secret, scope: String?) {
        (self.tokenURL, self.id, self.secret, self.scope) = (tokenURL, id, secret, scope)
    }

    /// The user and the password of Basic authentication, which are encoded as in a form (§2.3.1).
    private var pair: Secret {
        func encoded(_ secret: Secret) -> String {
            secret.withExposedText { PercentCoding.encode($0, allowing: .unreserved) }
        }
        return Secret("\(encoded(id)):\(encoded(secret))")
    }

    /// The texts that must not be shown.
    package var secrets: [Secret] { [id, secret, pair, pair.base64] }

    /// The address of the endpoint without parts that may be keys.
    package var endpoint: String { (try? BaseURL(tokenURL))?.withoutSecrets ?? "***" }

    /// The request for a token (§4.4.2).
    package var request: OutgoingRequest {
        var request = OutgoingRequest(url: Secret(tokenURL))
        let scope = scope.map { "&scope=\(PercentCoding.encode($0))" } ?? ""
        request.content = Secret("grant_type=client_credentials\(scope)")
        request.headers = [("Authorization", pair.base64.map { "Basic " + $0 })]
        request.maximumBodyBytes = Self.maximumBytes
        return request
    }

    /// Reads the endpoint's answer (§5.1, §5.2), which arrived at `now`, in unix seconds.
    ///
    /// Header fields are read without the keys of `scrubber`: a Retry-After could repeat one that consists of digits.
    static func read(
        _ response: IncomingResponse, without scrubber: KeyScrubber, now: Int
    ) throws(TokenFault.Reason) -> Grant {
        var parser = JSONParser(options: JSONOptions(maximumBytes: maximumBytes, maximumDepth: 16))
        let members = try? parser.withDocument(response.body) { root in
            (
                token: root["access_token"]?.string, type: root["token_type"]?.string,
                lifetime: root["expires_in"].flatMap(seconds), error: root["error"]?.string
            )
        }
        guard response.status == 200 else {
            // The codes are words (§5.2); anything else could be text that belongs to nobody's eyes.
            let code = members?.error.flatMap { $0.wholeMatch(of: /[a-z_]{1,40}/) == nil ? nil : $0 }
            let head = scrubber.scrubbed(IncomingResponse(status: response.status, headers: response.headers))
            let seconds = head.flatMap { RateLimit($0.headers, now: now).retryAfter }
            throw .status(response.status, code: code.map { scrubber.scrubbed($0) }, retryAfter: seconds)
        }
        guard let members else {
            let isHTML = response.headers["Content-Type"]?.lowercased().hasPrefix("text/html") == true
            throw .unusable(isHTML ? "it is HTML" : "it is not JSON")
        }
        guard let token = members.token else { throw .unusable("it has no access_token") }
        guard members.type?.lowercased() == "bearer" else { throw .unusable("its token_type is not bearer") }
        guard token.utf8.count <= longestToken else {
            throw .unusable("its access_token is longer than \(longestToken) bytes")
        }
        guard !token.isEmpty, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .unusable("its access_token is not one word of visible ASCII")
        }
        return Grant(token: Secret(token), lifetime: members.lifetime)
    }

    /// Reads a number of seconds, also in a string as some endpoints write it; a negative one is 0.
    private static func seconds(_ node: JSONNode) -> Int? {
        let number = node.string.flatMap { PlainNumber.read($0, in: -1e9...1e9) } ?? node.double
        return number.map { Int(max(0, min($0, 1e9))) }
    }
}

/// Why there is no token.
package struct TokenFault: Error, Sendable {
    enum Reason: Error, Sendable, Equatable {
        case transfer(TransferError)
        /// The endpoint refused: its status, its error code, and the seconds to wait.
        case status(Int, code: String?, retryAfter: Int?)
        case unusable(String)
    }

    /// The address of the token endpoint, without keys.
    package let endpoint: String
    var reason: Reason
    /// Whether the request to the endpoint, if there was one, was made for another request of a client.
    package var isShared = false

    /// The same fault for a request that did not make the one to the endpoint.
    package var shared: TokenFault {
        var fault = self
        fault.isShared = true
        return fault
    }

    /// The same fault for a request during the pause that the endpoint demands, of which `left` is left.
    package func repeated(_ left: Duration) -> TokenFault {
        var fault = shared
        if case .status(let status, let code, _?) = reason {
            let seconds = max(1, Int((left / .seconds(1)).rounded(.up)))
            fault.reason = .status(status, code: code, retryAfter: seconds)
        }
        return fault
    }

    /// The reason in a word or two, or the status, as the log names the result of a try.
    package var result: String {
        switch reason {
        case .transfer(let error): "\(error)"
        case .status(let status, _, _): "\(status)"
        case .unusable: "unusable"
        }
    }

    /// The seconds for which the endpoint is not to be asked.
    package var pause: Int? {
        if case .status(let status, _, let seconds) = reason, [429, 503].contains(status) { return seconds }
        return nil
    }

    /// Whether other credentials may succeed.
    var refusesCredentials: Bool {
        if case .status(let status, _, _) = reason { return [400, 401, 403].contains(status) }
        return false
    }

    /// What the attempt policy makes of it.
    var attemptFailure: AttemptPolicy.Failure {
        switch reason {
        case .transfer(let error) where error.isOfConnection: .connection
        case .status(let status, _, let seconds): .status(status, retryAfter: seconds)
        case .transfer, .unusable: .final
        }
    }

    /// A sentence for the token endpoint of `upstream`.
    package func sentence(of upstream: String) -> String {
        let name = "token endpoint \(endpoint) of the upstream \(upstream)"
        return switch reason {
        case .transfer(let error): "The \(name) cannot be used: \(error)."
        case .status(let status, let code, _):
            "The \(name) answered with status \(status)\(code.map { ": \($0)" } ?? "")."
        case .unusable(let reason): "The answer of the \(name) cannot be used: \(reason)."
        }
    }
}
