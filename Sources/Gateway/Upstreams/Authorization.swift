import Contracts
import HTTPClient
import HTTPCore

/// How a request shows who asks: the one place where a key becomes a part of it.
///
/// OAuth 1.0a (RFC 5849 §3.4) signs the method and the whole URL. It belongs here as a case of its own, with its two
/// pairs of secrets; a configuration that asks for it is refused until then.
enum Authorization: Sendable {
    /// The upstream asks for no key, or there is none, as with samples.
    case none
    /// In the path, where the target says `{key}`.
    case path(Secret)
    /// In a header field of its own.
    case field(name: String, Secret)
    /// As a bearer token (RFC 6750 §2.1).
    case bearer(Secret)

    /// The ways that a configuration can ask for.
    static let configurable = ["bearer"]
    /// Those that it cannot ask for yet, with what they are called.
    static let planned = ["oauth1": "OAuth 1.0a"]

    /// The way of `place`, with `key` if there is one.
    init(_ place: KeyLocation, _ key: Secret?) {
        self =
            switch (place, key) {
            case (.path, let key?): .path(key)
            case (.header(let name), let key?): .field(name: name, key)
            case (.bearer, let key?): .bearer(key)
            default: .none
            }
    }

    /// A request for `target`, which starts with `/`, at `baseURL`.
    func request(for target: String, at baseURL: String) -> OutgoingRequest {
        var pathKey = Secret("-")
        if case .path(let key) = self { pathKey = key }
        var request = OutgoingRequest(
            url: pathKey.map { key in
                baseURL + Self.filling(target, with: key)
            })
        switch self {
        case .none, .path: break
        case .field(let name, let key): request.headers = [(name, key)]
        case .bearer(let key): request.headers = [("Authorization", key.map { "Bearer " + $0 })]
        }
        return request
    }

    /// The target with the key where it says `{key}`: nothing else in it has a brace.
    private static func filling(_ target: String, with key: String) -> String {
        guard let place = target.firstIndex(of: "{"), target[place...].hasPrefix("{key}") else { return target }
        let rest = target[place...].dropFirst("{key}".count)
        return target[..<place] + PercentCoding.encode(key, allowing: .pathSegment) + rest
    }
}
