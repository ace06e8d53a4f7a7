import HTTPClient
package import HTTPCore

/// The credentials of a client that a request passes on to the upstream.
package struct PassedCredentials: Sendable {
    /// A credential with the header field or the member of the query that carries it.
    package typealias Credential = (name: String, isField: Bool, value: Secret)

    private let all: [Credential]
    /// A digest of all of them, which separates the documents of clients; nil without a key, and then no document is kept.
    let digest: String?

    /// The credentials, with a digest under `key` (HMAC).
    package init(_ all: [Credential], key: Secret?) {
        self.all = all
        // No credential has a line feed.
        let texts = all.map { name, isField, value in value.withExposedText { "\(name)\n\(isField)\n\($0)" } }
        digest = key?.withExposedText { key in
            Base64.encode(HMAC.sha1(of: Array(texts.joined(separator: "\n").utf8), key: Array(key.utf8)))
        }
    }

    /// The texts that must not be shown: an upstream could repeat one without its scheme.
    var secrets: [Secret] {
        all.flatMap { [$0.value, $0.value.map { String($0.split(separator: " ").last ?? "") }] }
    }

    /// Gives the request the credentials, in place of fields of the same names.
    func add(to request: inout OutgoingRequest) {
        for (name, isField, value) in all {
            if isField {
                request.headers.removeAll { $0.name.lowercased() == name.lowercased() }
                request.headers.append((name, value))
            } else {
                request.url = request.url.map { url in
                    let member = value.withExposedText { PercentCoding.encode(name) + "=" + PercentCoding.encode($0) }
                    return url + (url.contains("?") ? "&" : "?") + member
                }
            }
        }
    }
}

extension Fetch {
    /// Whether a failure is about the client's credentials, and so says nothing to others.
    func isOfClient(_ failure: FetchFailure) -> Bool {
        guard request.content.credentials != nil, case .status(let status, let meaning, _, _) = failure else {
            return false
        }
        return [401, 403, 429].contains(meaning ?? status)
    }

    /// Returns a failure as others may see it: without a message, which could be about the client.
    func shown(_ failure: FetchFailure) -> FetchFailure {
        if request.content.credentials == nil { return failure }
        guard case .status(let status, let meaning, _, let seconds) = failure else { return failure }
        return .status(status, meaning: meaning, message: nil, retryAfter: seconds)
    }
}
