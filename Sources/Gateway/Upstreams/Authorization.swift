import Contracts
import HTTPClient
import HTTPCore

/// How a request carries the upstream's key: the only place where a key enters a request.
///
/// OAuth 1.0a (RFC 5849 §3.4), which signs the method and the whole URL, belongs here as a case of its own.
enum Authorization: Sendable {
    /// The upstream takes no key, or there is none, as with samples.
    case none
    /// In the path, in place of `{key}`.
    case path(Secret)
    /// In a header field of its own.
    case field(name: String, Secret)
    /// As a bearer token (RFC 6750 §2.1).
    case bearer(Secret)

    /// The values that the setting `authorization` accepts.
    static let configurable = ["bearer"]
    /// The values that it will accept, with their names.
    static let planned = ["oauth1": "OAuth 1.0a"]

    init(_ place: Dialect.KeyPlace, _ key: Secret?) {
        self =
            switch (place, key) {
            case (.path, let key?): .path(key)
            case (.header(let name), let key?): .field(name: name, key)
            case (.bearer, let key?): .bearer(key)
            default: .none
            }
    }

    /// Returns a request for `target`, which starts with `/`, at `baseURL`.
    func request(for target: String, at baseURL: String) -> OutgoingRequest {
        var pathKey = Secret("-")
        if case .path(let key) = self { pathKey = key }
        var request = OutgoingRequest(
            url: pathKey.map { key in
                // Targets are percent-encoded, so that no value of a client contains a brace.
                baseURL
                    + target.replacing(
                        "{key}", with: PercentCoding.encode(key, allowing: .pathSegment), maxReplacements: 1)
            })
        switch self {
        case .none, .path: break
        case .field(let name, let key): request.headers = [(name, key)]
        case .bearer(let key): request.headers = [("Authorization", key.map { "Bearer " + $0 })]
        }
        return request
    }
}

extension Secret {
    /// Returns `text` with the key replaced by `***`, both as it is and as it is written in a URL.
    func scrubbed(from text: String) -> String {
        withExposedText { key in
            let forms = [PercentCoding.encode(key, allowing: .pathSegment), key].filter { !$0.isEmpty }
            return forms.reduce(text) { $0.replacing($1, with: "***") }
        }
    }
}
