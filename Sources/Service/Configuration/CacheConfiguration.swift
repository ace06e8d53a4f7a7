package import HTTPCore

/// The cache of documents.
package struct CacheConfiguration: Codable, Sendable {
    /// The range of `maximumBytes` other than 0; with less, most documents would be too large to be kept.
    package static let leastBytes = 1 << 20, mostBytes = 1 << 36

    /// The bytes that documents, their variants and the bookkeeping may take up; 0 for no cache.
    package var maximumBytes = 64 << 20
    /// The path of the file that keeps documents over restarts.
    package var snapshotFile: String?
    /// The time between two snapshots; another one is made at the end.
    package var snapshotSeconds = 60
    /// How forecasts, weather of the past and tweets are kept.
    package var weather = CacheRouteConfiguration(
        defaultSeconds: 300, ceilingSeconds: 3600, staleIfErrorSeconds: 86_400)
    package var history = CacheRouteConfiguration(
        defaultSeconds: 86_400, ceilingSeconds: 604_800, staleIfErrorSeconds: 604_800)
    package var tweets = CacheRouteConfiguration(defaultSeconds: 30, ceilingSeconds: 600, staleIfErrorSeconds: 3600)

    package init() {}

    package init(from decoder: any Decoder) throws {
        var settings = try SettingsReader<CodingKeys>(decoder)
        settings.read(&maximumBytes, .maximumBytes, in: 0...Self.mostBytes)
        snapshotFile = settings.optional(.snapshotFile)
        settings.read(&snapshotSeconds, .snapshotSeconds, in: 1...86_400)
        weather.take(settings.optional(.weather))
        history.take(settings.optional(.history))
        tweets.take(settings.optional(.tweets))
        try settings.finish()
    }

    private enum CodingKeys: String, CodingKey {
        case maximumBytes, snapshotFile, snapshotSeconds, weather, history, tweets
    }
}

/// How the documents of a route are kept, in seconds; what is nil has a default.
package struct CacheRouteConfiguration: Codable, Sendable {
    /// A document is fresh for at least so long.
    package var floorSeconds: Int?
    /// A document is fresh for so long if the upstream does not say.
    var defaultSeconds: Int?
    /// Whether a tenth of the time since Last-Modified counts in place of `defaultSeconds`, a day at most.
    var guessesLifetime: Bool?
    /// A document is fresh for at most so long.
    package var ceilingSeconds: Int?
    /// The upstream is not asked again for a document that it does not have.
    var negativeSeconds: Int?
    /// A document serves beyond that while it is refreshed, and if the upstream fails, unless the upstream says how long.
    var staleWhileRevalidateSeconds: Int?, staleIfErrorSeconds: Int?
    /// Whether Cache-Control, Expires and Age of the upstream count.
    package var obeysUpstream: Bool?
    /// Whether Cache-Control and Pragma of clients count.
    var obeysClients: Bool?

    package init(defaultSeconds: Int, ceilingSeconds: Int, staleIfErrorSeconds: Int) {
        (floorSeconds, self.defaultSeconds, self.ceilingSeconds) = (0, defaultSeconds, ceilingSeconds)
        (negativeSeconds, staleWhileRevalidateSeconds, self.staleIfErrorSeconds) = (60, 30, staleIfErrorSeconds)
        (guessesLifetime, obeysUpstream, obeysClients) = (false, true, false)
    }

    package init(from decoder: any Decoder) throws {
        let seconds = 0...CacheControl.longest
        var settings = try SettingsReader<CodingKeys>(decoder)
        floorSeconds = settings.optional(.floorSeconds, in: seconds)
        defaultSeconds = settings.optional(.defaultSeconds, in: seconds)
        guessesLifetime = settings.optional(.guessesLifetime)
        ceilingSeconds = settings.optional(.ceilingSeconds, in: seconds)
        negativeSeconds = settings.optional(.negativeSeconds, in: seconds)
        staleWhileRevalidateSeconds = settings.optional(.staleWhileRevalidateSeconds, in: seconds)
        staleIfErrorSeconds = settings.optional(.staleIfErrorSeconds, in: seconds)
        obeysUpstream = settings.optional(.obeysUpstream)
        obeysClients = settings.optional(.obeysClients)
        try settings.finish()
    }

    /// Takes over what `other` sets; a ceiling that it does not set is at least its floor.
    package mutating func take(_ other: CacheRouteConfiguration?) {
        guard let other else { return }
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
