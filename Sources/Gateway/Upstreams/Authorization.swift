import Contracts
import HTTPClient
import HTTPCore

/// The only code that puts a key into a request; `KeyScrubber` removes it from what the upstream answers.
///
/// OAuth 1.0a (RFC 5849 §3.4), which signs the method and the URL, belongs here too.
enum Authorization {
    /// Returns a request for `target`, which starts with `/`, at `baseURL`, with `key` in its place.
    static func request(
        for target: String, at baseURL: String, key: Secret?, in place: KeyLocation
    ) -> OutgoingRequest {
        // Targets are percent-encoded: no value of a client contains a brace.
        func url(_ key: String) -> String { baseURL + target.replacing("{key}", with: key, maxReplacements: 1) }
        var request = OutgoingRequest(url: Secret(url("-")))
        guard let key else { return request }
        switch place {
        case .none: break
        case .path: request.url = key.map { url(PercentCoding.encode($0, allowing: .pathSegment)) }
        case .header(let name): request.headers = [(name, key)]
        case .bearer: request.headers = [("Authorization", key.map { "Bearer " + $0 })]  // RFC 6750 §2.1
        }
        return request
    }
}
