package import HTTPCore
package import Records

/// The cache of documents.
package struct CacheConfiguration: Record {
    /// The range of `maximumBytes` other than 0; with less, most documents would be too large to be kept.
    package static let leastBytes = 1 << 20, mostBytes = 1 << 36

    package var maximumBytes = 64 << 20
    package var snapshotFile: String?
    package var snapshotSeconds = 60
    package var credentialKey: KeyConfiguration?
    package var weather = CacheRouteConfiguration(
        defaultSeconds: 300, ceilingSeconds: 3600, staleIfErrorSeconds: 86_400)
    package var tweets = CacheRouteConfiguration(defaultSeconds: 30, ceilingSeconds: 600, staleIfErrorSeconds: 3600)

    package init() {}

    package static let schema = Schema<CacheConfiguration>(.exact, .defaulted) {
        Field(
            \.maximumBytes, .plausible(0...68_719_476_736), .takes("0, or 1048576 to 68719476736"), .fixed,
            .example("134217728"),
            .note(
                "The memory for documents, answers and bookkeeping, over all event loops. 0 keeps no documents. The "
                    + "default is less in a container with [little memory](operating.md#memory)."))
        Field(
            \.snapshotFile, .takes("a path"), .fixed, .example(#""/var/lib/weir/documents""#),
            .note(
                "The file that keeps documents over restarts, relative to the configuration file; one for each process."
            ))
        Field(
            \.snapshotSeconds, .plausible(1...86_400), .fixed, .example("10"),
            .note("The time between two snapshots. Another one is made at the end."))
        Field(
            \.credentialKey, .takes("a source", orElse: "such answers are not kept"),
            .example(#"{"environment": "WEIR_CACHE_KEY"}"#),
            .note(
                "The secret under which a digest stands for [credentials of clients](routes.md#credentials-of-clients)."
            ))
        Field(\.weather, .example(#"{"defaultSeconds": 300}"#), .note("How forecasts are kept."))
        Field(\.tweets, .example(#"{"defaultSeconds": 30}"#), .note("How tweets, timelines and searches are kept."))
    }
}

extension CacheConfiguration {
    /// How weather of the past is kept, which does not change.
    package static let ofHistory = CacheRouteConfiguration(
        defaultSeconds: 86_400, ceilingSeconds: 604_800, staleIfErrorSeconds: 604_800)

    /// Sets what a route of the file does not set to the defaults of that route.
    ///
    /// Documents may take up half of the container's memory beyond what the service needs itself.
    mutating func settle(given: JSONValue?, _ memoryLimit: Int?) {
        if given?[\Self.maximumBytes] == nil {
            maximumBytes = min(maximumBytes, max(Self.leastBytes, Configuration.freeBytes(memoryLimit) / 2))
        }
        let standard = CacheConfiguration()
        for route in [\CacheConfiguration.weather, \.tweets] {
            var settled = standard[keyPath: route]
            settled.take(self[keyPath: route])
            self[keyPath: route] = settled
        }
    }
}

/// How the documents of a route are kept, in seconds; what is nil has a default.
package struct CacheRouteConfiguration: Record {
    var defaultSeconds: Int?
    var staleWhileRevalidateSeconds: Int?, staleIfErrorSeconds: Int?
    package var obeysUpstream: Bool?
    var obeysClients: Bool?
    /// A document is fresh for at most so long, or for `defaultSeconds` if that is longer, whatever the upstream says.
    var ceilingSeconds = CacheControl.longest
    /// Whether a tenth of the time since `Last-Modified` counts instead of `defaultSeconds` (RFC 9111 §4.2.2).
    ///
    /// APIs write the time of the request there, or that of a deployment, so nothing follows from it.
    var guessesLifetime = false

    package init(defaultSeconds: Int, ceilingSeconds: Int, staleIfErrorSeconds: Int) {
        (self.defaultSeconds, self.ceilingSeconds) = (defaultSeconds, ceilingSeconds)
        (staleWhileRevalidateSeconds, self.staleIfErrorSeconds) = (30, staleIfErrorSeconds)
        (obeysUpstream, obeysClients) = (true, false)
    }

    package init() {}

    package static let schema = Schema<CacheRouteConfiguration>(.exact, .defaulted) {
        Field(
            \.defaultSeconds, .plausible(0...2_147_483_648), .example("60"),
            .note("A document is fresh for so long if the upstream does not say, or if `obeysUpstream` is `false`."))
        Field(
            \.staleWhileRevalidateSeconds, .plausible(0...2_147_483_648), .example("0"),
            .note("A stale document serves for so long during its refresh, unless the upstream says how long."))
        Field(
            \.staleIfErrorSeconds, .plausible(0...2_147_483_648), .example("3600"),
            .note("A stale document serves for so long if the upstream fails, unless the upstream says how long."))
        Field(
            \.obeysUpstream, .example("false"),
            .note(
                "Whether `Cache-Control`, `Expires`, `Age` and `Vary` of the upstream count. X forbids to keep "
                    + "anything."))
        Field(
            \.obeysClients, .example("true"),
            .note(
                "Whether `Cache-Control` and `Pragma` of clients count. Then any client can make Weir ask the "
                    + "upstream."))
    }

    /// Takes over what `other` sets.
    package mutating func take(_ other: CacheRouteConfiguration) {
        defaultSeconds = other.defaultSeconds ?? defaultSeconds
        staleWhileRevalidateSeconds = other.staleWhileRevalidateSeconds ?? staleWhileRevalidateSeconds
        staleIfErrorSeconds = other.staleIfErrorSeconds ?? staleIfErrorSeconds
        obeysUpstream = other.obeysUpstream ?? obeysUpstream
        obeysClients = other.obeysClients ?? obeysClients
    }

    /// What an upstream does not have is not asked for again for a minute, unless the answer says how long.
    package var policy: CachePolicy {
        CachePolicy(
            ceiling: max(ceilingSeconds, defaultSeconds ?? 0), defaultLifetime: defaultSeconds ?? 0,
            usesHeuristics: guessesLifetime && obeysUpstream != false,
            staleWhileRevalidate: staleWhileRevalidateSeconds ?? 0, staleIfError: staleIfErrorSeconds ?? 0,
            countsClientDirectives: obeysClients ?? false, obeysUpstream: obeysUpstream ?? true)
    }
}
