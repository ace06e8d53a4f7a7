package import API
import Contracts
import HTTPCore
import JSONText
package import Records

/// An upstream: its address, its dialect and its limits.
package struct UpstreamConfiguration: Record {
    package var name = ""
    package var dialect: String?
    package var baseURL: String?
    package var historyURL: String?, archiveURL: String?
    package var sample: String?
    package var headers: [String: String]?
    package var key: KeyConfiguration?
    package var authorization: String?
    package var keyName: String?
    package var oauth1: OAuth1Configuration?
    package var oauth2: OAuth2Configuration?
    package var jwt: JWTConfiguration?
    package var timeZone: String?, countryCode: String?
    package var model: String?
    package var deadlineMilliseconds = 5000
    package var maximumConcurrent = 64
    package var maximumWaitMilliseconds = 2000
    package var retryPercent = 20
    package var hedges = false
    package var breakerRequests = 20, breakerMilliseconds = 1000
    package var quota = QuotaConfiguration()
    package var probePath: String?, probeSeconds = 0
    package var forwardsTraceparent = false
    package var connectTimeoutMilliseconds = 1000
    package var tls = TLSConfiguration()
    package var unixSocket: String?
    package var proxy: String?
    package var redirects = "never"
    package var syntax: String?
    var allowsPrivateAddresses = false
    package var maximumBytes = 8 << 20
    /// The requests that may wait for others to end: far more than are answered in the time that they may wait.
    package var maximumWaiting = 1024

    /// The time for a try at an address for the past, and for such a request: an archive reads files of decades.
    package static let historyDeadline = Duration.seconds(30)
    /// The deepest nesting in an answer, which no known API comes near.
    package static let maximumDepth = 64

    /// The mapping that `dialect` names; nil for a dialect of Swift.
    package var mapping: (any CompiledMapping)?

    package init() {}

    /// The dialects of Swift that an upstream can have.
    package static let dialects: [any Dialect] = ForecastDialect.all + TweetDialect.all

    package static let schema = Schema<UpstreamConfiguration>(.exact, .defaulted) {
        Field(
            \.name, .required, .takes("unique text"), .example(#""openMeteo""#),
            .note("The name that routes, logs and problems use."))
        Field(
            \.dialect, .suggests(dialects.map(\.name) + EmbeddedMapping.all.map(\.name)),
            .takes("a [dialect](#dialects)", orElse: "JSON for [routes](#routes)"),
            .example(#""openMeteo""#), .note("The API of the upstream."))
        Field(
            \.baseURL,
            .takes(
                "`http` or `https`, a name or an IP address, a port from 1 to 65535; no query, user and password",
                orElse: "required, unless `sample` is set"),
            .example(#""https://api.open-meteo.com""#),
            .note("The address, with a path if the API is not at the root."))
        Field(
            \.historyURL, .takes("as `baseURL`", orElse: "that of the [public API](#forecasts-of-other-times)"),
            .example(#""https://timemachine.pirateweather.net""#),
            .note(
                "For `openMeteo` and `pirateWeather`: the address of the historical forecast, or of the time "
                    + "machine."))
        Field(
            \.archiveURL, .takes("as `baseURL`", orElse: "that of the [public API](#forecasts-of-other-times)"),
            .example(#""https://archive-api.open-meteo.com""#),
            .note("For `openMeteo`: the address of the archive."))
        Field(
            \.sample, .takes("a folder"), .example(#""samples/openMeteo""#),
            .note("A folder of sample answers to serve instead, relative to the configuration file."))
        Field(
            \.headers, .takes("an object"), .example(#"{"User-Agent": "example.org"}"#),
            .note("Header fields of all requests, without keys."))
        Field(
            \.key, .example(#"{"environment": "WEIR_WEATHER_KEY"}"#),
            .note("The [source of the key](#upstreamskey)."))
        Field(
            \.authorization, .suggests(AuthorizationScheme.allCases.map(\.rawValue)),
            .takes(orElse: "that of the [dialect](#dialects)"), .example(#""bearer""#),
            .note("[How requests are authorized](#authorization)."))
        Field(
            \.keyName, .takes("letters, digits, `-` and `_`"), .example(#""X-API-Key""#),
            .note(
                "The name of the header field or of the parameter, for `header` and `query`. A name that has "
                    + "another use in requests is refused, such as `Range`, or for `openMeteo` the parameter "
                    + "`hourly`."))
        Field(\.oauth1, .note("The [keys of OAuth 1.0a](#upstreamsoauth1), for `oauth1`."))
        Field(\.oauth2, .note("The [client credentials of OAuth 2.0](#upstreamsoauth2), for `oauth2`."))
        Field(\.jwt, .note("The [key and the claims of JSON Web Tokens](#upstreamsjwt), for `jwt`."))
        Field(
            \.timeZone, .takes("an IANA name", orElse: "by the longitude"), .example(#""America/New_York""#),
            .note(
                "For `weatherKit`: the time zone of all locations. Without it, days are those of "
                    + "[`Etc/GMT±n`](upstreams/weatherKit.md#approximations), and `flags.timezoneIsApproximate` "
                    + "is `true`."))
        Field(
            \.countryCode, .takes("two capital letters"), .example(#""US""#),
            .note("For `weatherKit`: the country of all locations (ISO 3166-1). Without it, there are no alerts."))
        Field(
            \.model, .takes("lower-case letters, digits and `_`", orElse: "the upstream's choice"),
            .example(#""icon_seamless""#),
            .note(
                "For `openMeteo`: the weather model to ask for (`models`), except of the archive. A model of "
                    + "DWD's ICON tells thunderstorms with hail."))
        Field(
            \.deadlineMilliseconds, .plausible(1...600_000), .example("2000"),
            .note(
                "The time for one try of this upstream, including waiting for a slot. A try never gets more "
                    + "than [its share](#failover) of the request's deadline."))
        Field(
            \.maximumConcurrent, .plausible(1...10_000), .example("16"),
            .note(
                "The requests that are under way at a time, over all event loops, until their answers are "
                    + "read. Requests for the past at other addresses (`historyURL`, `archiveURL`) have half of "
                    + "them, at least one. By default 4 for `https://api.open-meteo.com`, which refuses a sixth "
                    + "one."))
        Field(
            \.maximumWaitMilliseconds, .plausible(0...600_000), .example("500"),
            .note(
                "The time that a request may wait for one of those to end. Then it gets 503, as does one that finds 1024 "
                    + "waiting."))
        Field(
            \.retryPercent, .plausible(0...20), .example("10"),
            .note("The extra requests for [retries](#retries), in percent of the others. 0 turns them off."))
        Field(
            \.hedges, .example("true"),
            .note(
                "Whether a second request is made beside one that takes longer than 95 % of the recent ones. "
                    + "The second request counts as a retry and in the quota."))
        Field(
            "breaker.minimumRequests", \.breakerRequests, .plausible(1...1_000_000), .example("5"),
            .note(
                "The requests in ten seconds below which the breaker does not open. From then on it opens if half of "
                    + "them failed. 4xx other than 408 and 429 are no failures."))
        Field(
            "breaker.openMilliseconds", \.breakerMilliseconds, .plausible(1...3_600_000), .example("5000"),
            .note(
                "The time for which the breaker opens first. With each probe that fails it is twice as long, up to a "
                    + "minute, or this time if it is longer."))
        Field(
            \.quota, .takes(orElse: "no limits"), .example(#"{"perDay": 10000}"#),
            .note("The [requests that the upstream may get](#upstreamsquota)."))
        Field(
            "probe.path", \.probePath, .takes("a path, with a query if need be", orElse: "`baseURL` itself"),
            .example(#""/status?brief=1""#),
            .note(
                "The target that `weir check --probe` and the service's own probes GET, after `baseURL`. `{key}` stands "
                    + "for a key in the path. Choose an answer that is cheap and needs the key."))
        Field(
            "probe.everySeconds", \.probeSeconds, .plausible(0...86_400), .example("300"),
            .note(
                "The time without a request after which the service asks the upstream itself, so that "
                    + "[`/healthz`](operating.md#state-of-the-service) and the log show a standby that would fail. "
                    + "Such a request counts in the quota. 0 turns them off."))
        Field(
            \.forwardsTraceparent, .example("true"),
            .note(
                "Whether the upstream gets a `traceparent`: the client's trace if well-formed, or else a new "
                    + "one, with Weir's span. The `tracestate` of a trace that is continued is passed on."))
        Field(
            \.connectTimeoutMilliseconds, .plausible(1...600_000), .example("300"),
            .note(
                "The time for a connection: the look-up of the name, and then TCP and TLS. When it has passed, "
                    + "the answer is 504."))
        Field(\.tls, .example(#"{"minimumVersion": "1.3"}"#), .note("[TLS](#upstreamstls)."))
        Field(
            \.unixSocket, .takes("a path of up to 107 bytes"), .example(#""/run/weather.sock""#),
            .note(
                "A Unix domain socket to connect to, relative to the configuration file, with whose folder it "
                    + "has at most 107 bytes. Requests name the host of `baseURL`."))
        Field(
            \.proxy, .takes("`http` or `https`, a host and a port"), .example(#""http://proxy.example:3128""#),
            .note("The [proxy](#connections) for this upstream."))
        Field(
            \.redirects, .oneOf(redirectChoices), .example(#""sameHost""#),
            .note("Which [redirects](#connections) are followed; none with `oauth1`."))
        Field(
            \.syntax, .oneOf(["lenient"]), .takes(orElse: "JSON"), .example(#""lenient""#),
            .note(
                "Whether answers may have commas at the end, comments, a call around them (JSONP), `None`, `True` and "
                    + "`False`, which are reported as `coerced` with the reason `lenientSyntax`."))
        Field(
            \.allowsPrivateAddresses, .example("true"),
            .note(
                "Whether the name in `baseURL` may lead to a [private address](#private-addresses), as names "
                    + "of containers do."))
        Field(
            \.maximumBytes, .plausible(1...268_435_455), .example("1048576"),
            .note("The largest answer in bytes, after decompression."))
    }
}

extension UpstreamConfiguration {
    /// The dialect called `dialect`; nil if there is none.
    package var knownDialect: (any Dialect)? { mapping?.dialect ?? Self.dialects.first { $0.name == dialect } }

    /// Open-Meteo's free host refuses a sixth request at a time (open-meteo/open-meteo,
    /// `Sources/App/Helper/Vapor/ConcurrencyGroupLimiter.swift`).
    mutating func settle(given: JSONValue) {
        let host = baseURL.flatMap { try? BaseURL($0) }?.host
        let isFree = dialect == ForecastDialect.openMeteo.name && host == "api.open-meteo.com"
        if isFree, given[\Self.maximumConcurrent] == nil { maximumConcurrent = 4 }
    }

    /// The fault of the path; nil for a path that can be asked.
    ///
    /// The path is not quoted, because it could have a key.
    package var probeFault: String? {
        guard let path = probePath else { return nil }
        guard path.first == "/", path.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }) else {
            return "must start with / and have neither spaces nor a fragment"
        }
        let decoded = PercentCoding.decodeLeniently(String(path.prefix { $0 != "?" }))
        return DotSegments.arePresent(in: decoded) ? "must not have . or .. in its path" : nil
    }
}

/// The requests that an upstream may get, in the periods of UTC.
package struct QuotaConfiguration: Record {
    package var perSecond: Int?, perMinute: Int?, perHour: Int?, perDay: Int?, perMonth: Int?
    package var weights: [String: Int]?

    package init() {}

    package static let schema = Schema<QuotaConfiguration>(.exact, .defaulted) {
        Field(\.perSecond, .plausible(1...1_000_000_000), .example("10"), .note("The requests in a second."))
        Field(\.perMinute, .plausible(1...1_000_000_000), .example("600"), .note("The requests in a minute."))
        Field(\.perHour, .plausible(1...1_000_000_000), .example("5000"), .note("The requests in an hour."))
        Field(\.perDay, .plausible(1...1_000_000_000), .example("10000"), .note("The requests in a day."))
        Field(\.perMonth, .plausible(1...1_000_000_000), .example("300000"), .note("The requests in a month."))
        Field(
            \.weights, .plausible(0...1_000_000), .takes(orElse: "1 each"), .example(#"{"search": 5}"#),
            .note(
                "What a request counts, by its kind: "
                    + kinds.map { "`\($0.key)` (\($0.value))" }.joined(separator: ", ") + "."))
    }
}

extension QuotaConfiguration {
    /// The kinds of requests that every configuration can weigh, and what they are.
    fileprivate static let kinds: KeyValuePairs = [
        "forecast": "forecasts, also of other times", "tweet": "single tweets", "timeline": "timelines",
        "search": "searches", "lookup": "look-ups of users", "probe": "the service's own questions",
    ]
}

extension Configuration {
    /// The kinds of requests that `upstreams[].quota.weights` can weigh.
    package var weightedKinds: [String] { QuotaConfiguration.kinds.map(\.key) }
}
