import Contracts
import EventLoop
import HTTPClient
import HTTPCore
import Signatures

/// The only code that puts keys into a request; `KeyScrubber` removes them from what the upstream answers.
enum Authorization {
    /// Returns a request for `target`, which starts with `/`, at `baseURL`, with `credentials` in their place.
    static func request(for target: String, at baseURL: String, with credentials: Credentials) -> OutgoingRequest {
        // Targets are percent-encoded: no value of a client contains a brace.
        func url(_ key: String) -> String { baseURL + target.replacing("{key}", with: key, maxReplacements: 1) }
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
        case .key(let key, .basic): authorize(key.map { "Basic " + Base64.encode(Array($0.utf8)) })  // RFC 7617 §2
        case .oauth1(let oauth):
            authorize(oauth.authorization(url: plain, nonce: OAuth1.nonce(), timestamp: WallClock.seconds))
        }
        return request
    }
}
