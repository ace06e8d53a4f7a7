/// Signs requests as OAuth 1.0a does (RFC 5849 §3), with HMAC-SHA1, for a client and the user who gave it a token.
public struct OAuth1: Sendable, Equatable {
    /// The identifier of the client and its secret.
    public let consumerKey: Secret, consumerSecret: Secret
    /// The token of the user and its secret.
    public let token: Secret, tokenSecret: Secret

    /// Signs with these credentials.
    public init(consumerKey: Secret, consumerSecret: Secret, token: Secret, tokenSecret: Secret) {
        (self.consumerKey, self.consumerSecret) = (consumerKey, consumerSecret)
        (self.token, self.tokenSecret) = (token, tokenSecret)
    }

    /// Returns a text that no other request has, 128 random bits in hexadecimal.
    public static func nonce() -> String {
        var digits: [UInt8] = []
        digits.append(hexadecimal: .random(in: .min ... .max))
        return String(decoding: digits, as: UTF8.self)
    }

    /// Returns the value of `Authorization` (§3.5.1) for a GET of `url`, whose query is well-formed.
    ///
    /// `timestamp` is the current time in seconds since 1970, and `nonce` differs from those of other requests in that
    /// second.
    public func authorization(url: String, nonce: String, timestamp: Int) -> Secret {
        var parameters = [
            ("oauth_consumer_key", consumerKey.withExposedText(\.self)), ("oauth_nonce", nonce),
            ("oauth_signature_method", "HMAC-SHA1"), ("oauth_timestamp", "\(timestamp)"),
            ("oauth_token", token.withExposedText(\.self)), ("oauth_version", "1.0"),
        ]
        parameters.append(("oauth_signature", signature(method: "GET", url: url, parameters: parameters)))
        return Secret("OAuth " + parameters.map { "\($0)=\"\(Self.encode($1))\"" }.joined(separator: ", "))
    }

    /// Returns the signature in base64 (§3.4.2); `parameters` are those of the protocol and of a form in the body.
    func signature(method: String, url: String, parameters: [(String, String)]) -> String {
        let base = Self.baseString(method: method, url: url, parameters: parameters)
        let key = [consumerSecret, tokenSecret].map { $0.withExposedText(Self.encode) }.joined(separator: "&")
        return Base64.encode(HMAC.sha1(of: Array(base.utf8), key: Array(key.utf8)))
    }

    /// Returns the text that is signed (§3.4.1).
    static func baseString(method: String, url: String, parameters: [(String, String)]) -> String {
        let url = url.prefix { $0 != "#" }
        let address = url.prefix { $0 != "?" }
        let query = Query(String(url[address.endIndex...].dropFirst()))?.pairs.map { ($0.name, $0.value) } ?? []
        // Encoded names and values are ASCII, which Swift orders by its bytes (§3.4.1.3.2).
        let pairs = (query + parameters).map { (encode($0), encode($1)) }.sorted { $0 < $1 }
        let parts = [method, baseURI(of: address), pairs.map { "\($0)=\($1)" }.joined(separator: "&")]
        return parts.map(encode).joined(separator: "&")
    }

    /// Returns an address without its query in the form that is signed (§3.4.1.2).
    private static func baseURI(of address: Substring) -> String {
        let scheme = address.prefix { $0 != ":" }.lowercased()
        let rest = address.dropFirst(scheme.count + "://".count)
        var authority = rest.prefix { $0 != "/" }.lowercased()
        let path = rest.dropFirst(authority.count)
        let defaultPort = scheme == "https" ? ":443" : ":80"
        if authority.hasSuffix(defaultPort) { authority.removeLast(defaultPort.count) }
        return "\(scheme)://\(authority)\(path.isEmpty ? "/" : path)"
    }

    private static func encode(_ text: String) -> String { PercentCoding.encode(text, allowing: .unreserved) }
}
