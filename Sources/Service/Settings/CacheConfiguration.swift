package import HTTPCore
package import Records

/// The cache of documents.
package struct CacheConfiguration: Record {
    /// The range of `maximumBytes` other than 0; with less, most documents would be too large to be kept.
    package static let leastBytes = 1 << 20, mostBytes = 1 << 36

    package var maximumBytes = 64 << 20
    package var snapshotFile: String?
    package var snapshotSeconds = 60
    package var weather = CacheRouteConfiguration(
        defaultSeconds: 300, ceilingSeconds: 3600, staleIfErrorSeconds: 86_400)
    package var history = CacheRouteConfiguration(
        defaultSeconds: 86_400, ceilingSeconds: 604_800, staleIfErrorSeconds: 604_800)
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
        Field(\.weather, .example(#"{"defaultSeconds": 300}"#), .note("How forecasts are kept."))
        Field(
            \.history, .example(#"{"defaultSeconds": 86400}"#),
            .note("How weather of the past is kept, which `historyURL` and `archiveURL` have."))
        Field(\.tweets, .example(#"{"defaultSeconds": 30}"#), .note("How tweets, timelines and searches are kept."))
    }
}

extension CacheConfiguration {
    /// Sets what a route of the file does not set to the defaults of that route.
    ///
    /// Documents may take up half of the container's memory beyond what the service needs itself.
    mutating func settle(given: JSONValue?, _ memoryLimit: Int?) {
        if given?[\Self.maximumBytes] == nil {
            maximumBytes = min(maximumBytes, max(Self.leastBytes, Configuration.freeBytes(memoryLimit) / 2))
        }
        let standard = CacheConfiguration()
        for route in [\CacheConfiguration.weather, \.history, \.tweets] {
            var settled = standard[keyPath: route]
            settled.take(self[keyPath: route])
            self[keyPath: route] = settled
        }
    }
}

/// How the documents of a route are kept, in seconds; what is nil has a default.
package struct CacheRouteConfiguration: Record {
    package var floorSeconds: Int?
    var defaultSeconds: Int?
    var guessesLifetime: Bool?
    package var ceilingSeconds: Int?
    var negativeSeconds: Int?
    var staleWhileRevalidateSeconds: Int?, staleIfErrorSeconds: Int?
    package var obeysUpstream: Bool?
    var obeysClients: Bool?

    package init(defaultSeconds: Int, ceilingSeconds: Int, staleIfErrorSeconds: Int) {
        (floorSeconds, self.defaultSeconds, self.ceilingSeconds) = (0, defaultSeconds, ceilingSeconds)
        (negativeSeconds, staleWhileRevalidateSeconds, self.staleIfErrorSeconds) = (60, 30, staleIfErrorSeconds)
        (guessesLifetime, obeysUpstream, obeysClients) = (false, true, false)
    }

    package init() {}

    package static let schema = Schema<CacheRouteConfiguration>(.exact, .defaulted) {
        Field(
            \.floorSeconds, .plausible(0...2_147_483_648), .example("60"),
            .note("A document is fresh for at least so long, unless the upstream forbids to keep it."))
        Field(
            \.defaultSeconds, .plausible(0...2_147_483_648), .example("60"),
            .note("A document is fresh for so long if the upstream does not say."))
        Field(
            \.guessesLifetime, .example("true"),
            .note(
                "Whether a tenth of the time since `Last-Modified` counts instead of `defaultSeconds`, a day "
                    + "at most (RFC 9111 §4.2.2)."))
        Field(
            \.ceilingSeconds, .plausible(0...2_147_483_648), .example("600"),
            .note("A document is fresh for at most so long."))
        Field(
            \.negativeSeconds, .plausible(0...2_147_483_648), .example("10"),
            .note(
                "The time for which a 404 is remembered, unless the answer says how long: the upstream is not "
                    + "asked again."))
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

    /// Takes over what `other` sets; a ceiling that it does not set is at least its floor.
    package mutating func take(_ other: CacheRouteConfiguration) {
        floorSeconds = other.floorSeconds ?? floorSeconds
        defaultSeconds = other.defaultSeconds ?? defaultSeconds
        guessesLifetime = other.guessesLifetime ?? guessesLifetime
        ceilingSeconds = other.ceilingSeconds ?? max(ceilingSeconds ?? 0, floorSeconds ?? 0)
        negativeSeconds = other.negativeSeconds ?? negativeSeconds
        staleWhileRevalidateSeconds = other.staleWhileRevalidateSeconds ?? staleWhileRevalidateSeconds
        staleIfErrorSeconds = other.staleIfErrorSeconds ?? staleIfErrorSeconds
        obeysUpstream = other.obeysUpstream ?? obeysUpstream
        obeysClients = other.obeysClients ?? obeysClients
    }

    package var policy: CachePolicy {
        CachePolicy(
            floor: floorSeconds ?? 0, ceiling: ceilingSeconds ?? CacheControl.longest,
            defaultLifetime: defaultSeconds ?? 0, usesHeuristics: guessesLifetime == true && obeysUpstream != false,
            negativeLifetime: negativeSeconds ?? 60,
            staleWhileRevalidate: staleWhileRevalidateSeconds ?? 0, staleIfError: staleIfErrorSeconds ?? 0,
            countsClientDirectives: obeysClients ?? false, obeysUpstream: obeysUpstream ?? true)
    }
}
