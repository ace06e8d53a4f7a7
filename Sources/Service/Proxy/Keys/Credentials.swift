import Operations
package import API
package import HTTPCore
import Synchronization

/// What authorizes requests to an upstream.
///
/// Indirect: every request copies it several times, and its largest payload has ten texts to retain.
package indirect enum Credentials: Sendable, Equatable {
    case none
    case key(Secret, KeyLocation)
    case oauth1(OAuth1)
    /// Tokens that a token endpoint gives for these.
    case oauth2(ClientCredentials)
    /// Tokens that this maker signs.
    case jwt(JSONWebToken)

    /// The texts that must not be shown.
    package var secrets: [Secret] {
        switch self {
        case .none, .jwt: []
        // An upstream could repeat the password without the user.
        case .key(let key, .basic): [key, key.map { String($0.drop { $0 != ":" }.dropFirst()) }, key.base64]
        case .key(let key, _): [key]
        case .oauth1(let oauth): [oauth.consumerKey, oauth.consumerSecret, oauth.token, oauth.tokenSecret]
        case .oauth2(let client): client.secrets
        }
    }
}

extension Credentials {
    /// A digest of the account at the upstream, which separates the documents of accounts in the cache; empty without one.
    ///
    /// The account's own texts are the key of the digest (HMAC), because snapshots have it, and have no keys.
    var account: String {
        let texts: [Secret] =
            switch self {
            case .none: []
            case .key(let key, _): [key]
            case .oauth1(let oauth): [oauth.consumerKey, oauth.token]
            case .oauth2(let client): [client.id, Secret(client.scope ?? "")]
            case .jwt(let token): [Secret(token.account)]
            }
        if texts.isEmpty { return "" }
        let key = texts.map { $0.withExposedText(\.self) }.joined(separator: "\0")
        return Base64.encode(HMAC.sha1(of: Array("weir account".utf8), key: Array(key.utf8)))
    }
}

extension Secret {
    /// The base64 of a user and a password, for Basic authentication (RFC 7617 §2).
    var base64: Secret { map { Base64.encode(Array($0.utf8)) } }
}

/// The credentials of an upstream for all shards, which change if their files have changed when it answers 401.
package final class CredentialStore: Sendable {
    /// The credentials for a request, and the scrubber for its response.
    package struct Current: Sendable {
        package let credentials: Credentials
        let scrubber: KeyScrubber
    }

    private let upstream: String
    /// Reads the credentials again from their files, if they have files and can be used.
    private let reread: @Sendable () -> Credentials?
    /// The secrets in the upstream's base URL.
    private let others: [Secret]
    /// The keys that the upstream has had, with former configurations too.
    private let known: KnownKeys
    private let state: Mutex<Current>
    let account: AccountChecksum
    private let log: Log

    init(
        _ credentials: Credentials, of upstream: String, others: [Secret], known: KnownKeys, log: Log,
        reread: @escaping @Sendable () -> Credentials?
    ) {
        (self.upstream, self.others, self.known, self.log, self.reread) = (upstream, others, known, log, reread)
        let scrubber = KeyScrubber(known.add(credentials.secrets + others))
        state = Mutex(Current(credentials: credentials, scrubber: scrubber))
        account = AccountChecksum(credentials)
    }

    package var current: Current { state.withLock { $0 } }

    /// A scrubber for the responses to requests with a token, which is known from now on.
    func scrubber(for credentials: Credentials, token: Secret) -> KeyScrubber {
        KeyScrubber(known.add(credentials.secrets + others, token: token))
    }

    /// A scrubber that also removes secrets of a client, which are not remembered.
    func scrubber(also secrets: [Secret]) -> KeyScrubber {
        KeyScrubber(known.add(current.credentials.secrets + others) + secrets)
    }

    /// Reads the files of the credentials again, unless that has happened since `used` were current; it blocks.
    ///
    /// A file that does not exist, or cannot be used, changes nothing.
    /// - Returns: whether the current credentials are others than `used`.
    func renew(after used: Credentials) -> Bool {
        if current.credentials != used { return true }
        guard let credentials = reread(), credentials != used else { return false }
        let scrubber = KeyScrubber(known.add(credentials.secrets + others))
        let isFirst = state.withLock { state in
            guard state.credentials == used else { return false }
            state = Current(credentials: credentials, scrubber: scrubber)
            account.take(credentials)
            return true
        }
        if isFirst { log.write(.info, "upstream key replaced", ["upstream": upstream]) }
        return true
    }
}

/// The keys and the tokens that an upstream has had lately, over reloads: it may repeat one after it was replaced.
final class KnownKeys: Sendable {
    /// Several rotations of the credentials with the most secrets, OAuth 1.0a with four.
    static let maximumCount = 24
    /// Apart from the keys, because tokens are replaced more often.
    static let maximumTokens = 4

    private let state = Mutex<(keys: [Secret], tokens: [Secret])>(([], []))

    /// Adds what is used now, and returns it with the latest former keys and tokens.
    func add(_ current: [Secret], token: Secret? = nil) -> [Secret] {
        state.withLock { state in
            let former = state.keys.filter { !current.contains($0) }
            state.keys = former.suffix(max(0, Self.maximumCount - current.count)) + current
            if let token { state.tokens = (state.tokens.filter { $0 != token } + [token]).suffix(Self.maximumTokens) }
            return state.keys + state.tokens
        }
    }
}

/// A checksum of the account at an upstream, which separates the documents of accounts in the cache; 0 without an account.
package final class AccountChecksum: Sendable {
    private let stored: Atomic<UInt64>

    init(_ credentials: Credentials) { stored = Atomic(Self.checksum(of: credentials)) }

    package var value: UInt64 { stored.load(ordering: .relaxed) }

    /// Takes over other credentials, perhaps of another account.
    func take(_ credentials: Credentials) { stored.store(Self.checksum(of: credentials), ordering: .relaxed) }

    private static func checksum(of credentials: Credentials) -> UInt64 {
        credentials.account.isEmpty ? 0 : DocumentKey.address(credentials.account)
    }
}
