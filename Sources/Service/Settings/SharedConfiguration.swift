package import HTTPCore
package import Records

/// The store that replicas of the service share.
package struct SharedConfiguration: Record {
    package var redis = ""
    package var user: String?
    package var password: KeyConfiguration?
    package var caFile: String?
    package var sentinel: SentinelConfiguration?
    package var timeoutMilliseconds = 20
    package var prefix = "weir:"
    package var replicas = 2
    package var onLoss = "share"

    package init() {}

    package static let schema = Schema<SharedConfiguration>(.exact, .defaulted) {
        Field(
            \.redis, .required, .takes("`redis://HOST:PORT/DATABASE`, `rediss://…` with TLS, or `unix:PATH`"),
            .example(#""rediss://redis.example:6379/0""#),
            .note(
                "The address of Redis. The port is 6379 and the database 0 unless they are written. With `sentinel`, "
                    + "only the scheme, the database and, for the certificate, the host count."))
        Field(
            \.user, .takes("a name without spaces"), .example(#""weir""#),
            .note("The user of Redis's access lists; without one, Redis's `default`."))
        Field(
            \.password, .takes("a source, like `upstreams[].key`"), .example(#"{"file": "/run/secrets/redis"}"#),
            .note("The password. After Redis has refused the password, its file is read again."))
        Field(
            \.caFile, .takes("a path", orElse: "the system's authorities"), .example(#""/etc/weir/redis-ca.pem""#),
            .note("The certificates to trust for `rediss`, in PEM."))
        Field(\.sentinel)
        Field(
            \.timeoutMilliseconds, .plausible(1...10_000), .example("50"),
            .note("The time for a call. When it has passed, the replica goes on as if there were no Redis."))
        Field(
            \.prefix, .takes("up to 64 characters of visible ASCII"), .example(#""weather:""#),
            .note("The beginning of each key and channel, so that services can share a Redis."))
        Field(
            \.replicas, .plausible(1...10_000), .example("3"),
            .note("The largest number of replicas, for `onLoss`."))
        Field(
            \.onLoss, .oneOf(["share", "deny", "allow"]), .example(#""deny""#),
            .note(
                "The rule for [quotas](scaling.md#when-something-fails) while Redis does not answer: `share` gives each "
                    + "replica its part of the rest, `deny` refuses requests, `allow` makes all requests."))
    }
}

/// The sentinels that name the master.
package struct SentinelConfiguration: Record {
    package var addresses: [String] = []
    package var master = ""
    package var password: KeyConfiguration?

    package init() {}

    package static let schema = Schema<SentinelConfiguration>(.exact, .defaulted) {
        Field(
            \.addresses, .required, .takes("a list of 1 to 16 `HOST:PORT`"),
            .example(#"["sentinel-1:26379", "sentinel-2:26379"]"#),
            .note("The sentinels, in the order in which they are asked for the address of the master."))
        Field(
            \.master, .required, .takes("a name without spaces"), .example(#""mymaster""#),
            .note("The name of the master."))
        Field(
            \.password, .takes("a source, like `upstreams[].key`"), .example(#"{"environment": "SENTINEL_PASSWORD"}"#),
            .note("The password of the sentinels."))
    }
}

/// The address of Redis in `shared.redis`.
package struct RedisURL {
    package let address: SocketAddress
    package let usesTLS: Bool
    package let database: Int

    /// - Throws: A fault that does not quote the text, which may contain a password by mistake.
    package init(_ text: String) throws(BaseURL.Fault) {
        if text.hasPrefix("unix:") {
            guard let address = SocketAddress(text) else { throw BaseURL.Fault("must name a path of up to 107 bytes") }
            (self.address, usesTLS, database) = (address, false, 0)
            return
        }
        guard let match = text.wholeMatch(of: /(redis|rediss):\/\/([^\/]+)(?:\/([0-9]{0,4}))?/) else {
            throw BaseURL.Fault("must be redis://HOST:PORT/DATABASE, rediss://… or unix:PATH")
        }
        let authority = String(match.2)
        if authority.contains("@") { throw BaseURL.Fault("must not hold a user or a password, which have settings") }
        let hasPort = authority.last != "]" && authority.contains(":")
        guard authority.first != ":", let address = SocketAddress(hasPort ? authority : authority + ":6379") else {
            throw BaseURL.Fault("must have a host, and a port from 1 to 65535")
        }
        (self.address, usesTLS) = (address, match.1 == "rediss")
        database = match.3.flatMap { Int($0) } ?? 0
    }
}
