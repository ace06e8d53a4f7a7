import API
package import HTTPClient
import HTTPCore

/// The only code that puts keys into a request; `KeyScrubber` removes them from what the upstream answers.
package enum Authorization {
    /// Returns a request for `target`, which starts with `/`, at `baseURL`, with `credentials` in their place.
    ///
    /// A signature has the time `now`, in unix seconds.
    package static func request(
        for target: String, at baseURL: String, with credentials: Credentials, now: Int
    ) -> OutgoingRequest {
        // Targets are percent-encoded: no value of a client contains a brace.
        func url(_ key: String) -> String {
            let url = baseURL + target
            return url.utf8.contains(UInt8(ascii: "{")) ? url.replacing("{key}", with: key) : url
        }
        let plain = url("-")
        var request = OutgoingRequest(url: Secret(plain))
        func authorize(_ value: Secret) { request.headers = [("Authorization", value)] }
        switch credentials {
        // A request carries their tokens, as keys.
        case .none, .key(_, .none), .oauth2, .jwt: break
        case .key(let key, .path): request.url = key.map { url(PercentCoding.encode($0, allowing: .pathSegment)) }
        case .key(let key, .query(let name)):
            request.url = key.map { plain + (plain.contains("?") ? "&" : "?") + "\(name)=\(PercentCoding.encode($0))" }
        case .key(let key, .header(let name)): request.headers = [(name, key)]
        case .key(let key, .bearer): authorize(key.map { "Bearer " + $0 })  // RFC 6750 §2.1
        case .key(let key, .basic): authorize(key.base64.map { "Basic " + $0 })
        case .oauth1(let oauth):
            request.sign = {
                [("Authorization", oauth.authorization(url: plain, nonce: OAuth1.nonce(), timestamp: now))]
            }
        }
        return request
    }
}
