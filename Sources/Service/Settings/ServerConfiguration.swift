package import HTTPCore
import Operations
package import Records

/// The limits for clients; sizes are in bytes.
///
/// `ServerOptions` has the constants beside them.
package struct ServerConfiguration: Record {
    package var maximumConnections = 10_000
    package var maximumConnectionsPerClient: Int?
    package var idleTimeoutMilliseconds = 75_000
    package var trustedProxies: [String] = [], forwardedField = TrustedProxies.Field.xForwardedFor.rawValue
    package var readsProxyHeader = false
    package var hosts: [String] = []
    package var pathPrefix = ""
    package var socketMode: String?
    package var drainDelayMilliseconds = 0
    package var drainTimeoutMilliseconds = 30_000
    package var operationsListen: String?
    package var operationsOnListen = false
    package var tls: ServerTLSConfiguration?
    package var accessLogFormat = AccessLogSettings.Format.json.rawValue
    /// The origins whose scripts may read answers.
    package var origins: [String] = []
    package var limits: [LimitConfiguration] = []
    package var hasPages = true, showsUpstream = false, showsStatus = false

    package init() {}

    package static let schema = Schema<ServerConfiguration>(.exact, .defaulted) {
        Field(
            \.maximumConnections, .plausible(1...1_000_000), .fixed, .example("500"),
            .note(
                "Open connections. A further one gets 503. If the process may not open that many files, there "
                    + "are fewer, and the log says so."))
        Field(
            \.maximumConnectionsPerClient, .plausible(1...1_000_000), .takes(orElse: "no limit"), .fixed,
            .example("100"),
            .note(
                "Open connections of one client: an IPv4 address or an IPv6 network of 64 bits. A further one "
                    + "gets 503. With `server.readsProxyHeader`, the client is the one that the header names. "
                    + "Connections from `server.trustedProxies` are not counted: they carry requests of many "
                    + "clients, and the proxy must limit those."))
        Field(
            \.limits, .takes(orElse: "none"), .example(#"[{"by": "address", "requests": 10, "burst": 20}]"#),
            .note("The [limits of the requests of each client](#serverlimits)."))
        Field(
            \.idleTimeoutMilliseconds, .plausible(10...3_600_000), .fixed, .example("90000"),
            .note("The time that a connection may wait for its next request. Use more than the proxy does."))
        Field(
            \.trustedProxies, .takes("addresses, networks such as `10.0.0.0/8`, or `unix`"), .fixed,
            .example(#"["10.0.0.0/8", "unix"]"#),
            .note(
                "The proxies that name the client of a request. The client is the last hop that is not one of them. "
                    + "Hops are read from the end, where proxies write, so text that a client put before cannot hide "
                    + "them."))
        Field(
            \.hosts, .takes("names of hosts without ports"), .example(#"["weir.example"]"#),
            .note(
                "The names under which browsers reach the paths for operators (`/-/…`, `/metrics` and health), besides "
                    + "addresses and `localhost`. A browser's request at another host gets 421, so that a name that leads "
                    + "to the service's address cannot command the service. Scrapers and probes may use any name."))
        Field(
            \.pathPrefix, .takes("a path such as `/api`, without `/` at its end"), .example(#""/weir""#),
            .note(
                "The path below which a proxy serves the service, and which the proxy removes. `Link` and the `servers` of "
                    + "the OpenAPI document begin with the path; the pages need nothing."))
        Field(
            \.forwardedField, .oneOf(TrustedProxies.Field.allCases.map(\.rawValue)), .fixed,
            .example(#""Forwarded""#),
            .note("The field to which these proxies add the client. Not the other one, which clients could write."))
        Field(
            \.readsProxyHeader, .fixed, .example("true"),
            .note(
                "Whether each connection to `listen` starts with a header of the PROXY protocol, version 1 or "
                    + "2. One without it is closed. Only if nobody but the proxy can reach `listen`."))
        Field(
            \.socketMode, .takes("octal digits", orElse: "as the umask leaves it"), .fixed, .example(#""0660""#),
            .note("The permissions of the Unix sockets at `listen`."))
        Field(
            \.drainDelayMilliseconds, .plausible(0...3_600_000), .example("2000"),
            .note("After SIGTERM: how long the service continues while `/readyz` answers 503."))
        Field(
            \.drainTimeoutMilliseconds, .plausible(0...3_600_000), .fixed, .example("10000"),
            .note("While draining: how long requests in flight may take before they are cut."))
        Field(
            \.operationsListen, .takes("`HOST:PORT`, `unix:PATH` or `fd:NUMBER`"), .example(#""127.0.0.1:9090""#),
            .note(
                "An address for operators: `/livez`, `/readyz`, `/healthz`, `/metrics` and the "
                    + "[commands for operators](operating.md#commands) below `/-/`. Its connections do not count against "
                    + "`server.maximumConnections`, and `listen` has neither `/healthz` nor `/metrics` then. The "
                    + "address must not overlap an address of `listen`. Whoever reaches the address may give commands.")
        )
        Field(
            \.operationsOnListen, .example("true"),
            .note(
                "Whether `listen` has all routes for operators, too. Only if nobody but operators can reach `listen`: "
                    + "the routes below `/-/` ask for no key."))
        Field(\.tls, .takes(orElse: "none: plain HTTP"), .note("The [certificate](#servertls) for `listen`."))
        Field(
            "accessLog.format", \.accessLogFormat, .oneOf(AccessLogSettings.Format.allCases.map(\.rawValue)), .fixed,
            .example(#""none""#),
            .note("The form of the [access log](operating.md#access-log) on standard output."))
        Field(
            "cors.origins", \.origins, .takes("origins such as `https://app.example`, or `*`"),
            .example(#"["https://app.example"]"#),
            .note("The origins whose scripts may [read answers](api.md#browsers)."))
        Field(
            "pages.enabled", \.hasPages, .example("false"),
            .note(
                "Whether `/` is the [explorer](pages.md) and `/docs` the reference. A configured route with the path "
                    + "`/docs` takes the place of that page."))
        Field(
            "pages.showsUpstream", \.showsUpstream, .example("true"),
            .note(
                "Whether `explain` takes the word `raw`, which adds the upstream's document to the answer, without "
                    + "keys. The explorer then shows that document beside the answer."))
        Field(
            "pages.status", \.showsStatus, .example("true"),
            .note(
                "Whether the [status page](pages.md#status) is at the addresses in `listen`, too, for all clients. The page "
                    + "shows errors of upstreams and lines of the log."))
    }

    /// While draining: the time that an idle connection stays open for one more request.
    ///
    /// A second beside 30 seconds for requests under way: more than a request needs to arrive.
    package var drainGrace: Duration { .milliseconds(drainTimeoutMilliseconds / 30) }

    /// The indices of origins that are no origins (RFC 6454 §6.2).
    package var originFaults: [Int] {
        origins.indices.filter { index in
            origins[index] != "*"
                && origins[index].wholeMatch(of: /https?:\/\/(?:[a-z0-9.\-]+|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?/) == nil
        }
    }

    package var options: ServerOptions {
        var options = ServerOptions()
        options.maximumConnections = maximumConnections
        options.maximumConnectionsPerClient = maximumConnectionsPerClient ?? .max
        options.idleTimeout = .milliseconds(idleTimeoutMilliseconds)
        options.drainGrace = drainGrace
        options.drainTimeout = .milliseconds(drainTimeoutMilliseconds)
        return options
    }

    /// The number that `socketMode` writes; nil if it has another form.
    package var mode: UInt32? {
        guard let socketMode, socketMode.wholeMatch(of: /0?[0-7]{3}/) != nil else { return nil }
        return UInt32(socketMode, radix: 8)
    }
}

/// The certificate of the service; paths are relative to the configuration file.
package struct ServerTLSConfiguration: Record {
    package var certificateFile = ""
    package var keyFile: String?
    package var minimumVersion = TLSVersion.tls12.rawValue

    package init() {}

    package static let schema = Schema<ServerTLSConfiguration>(.exact, .defaulted) {
        Field(
            \.certificateFile, .required, .takes("a path"), .example(#""/run/secrets/weir.pem""#),
            .note("The certificate, followed by those that lead to its authority."))
        Field(
            \.keyFile, .takes("a path", orElse: "that of the certificate"), .example(#""/run/secrets/weir.key""#),
            .note("The file with the key of that certificate, without a passphrase."))
        Field(
            \.minimumVersion, .oneOf(TLSVersion.allCases.map(\.rawValue)), .example(#""1.3""#),
            .note("The lowest version of TLS that is accepted."))
    }
}
