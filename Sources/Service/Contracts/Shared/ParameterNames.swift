// The names of the parameters that requests have: a key cannot have one of them.
extension Dialect {
    /// The names of the parameters in requests to all sites, found in requests with every option.
    public var parameterNames: Set<String> {
        let moment: Int64 = 1_767_290_400
        var query = ForecastQuery(latitude: 1, longitude: 2)
        (query.language, query.extendsHourly, query.model) = ("de", true, "icon_seamless")
        (query.timeZone, query.countryCode) = ("Europe/Berlin", "DE")
        var past = query
        past.time = .unix(moment)
        return names(
            ofParametersIn: ForecastSite.allCases.flatMap { site in
                [query, past].map { target(for: $0, at: site, now: moment) }
            })
    }
}

extension TweetDialect {
    /// The names of the parameters in requests of all kinds, in all vocabularies.
    public var parameterNames: Set<String> {
        let queries: [TweetQuery] = [
            .tweet(id: "1"), .timeline(screenName: "weir", count: 10, maxId: "2"),
            .search(text: "rain", count: 10, maxId: "2"), .search(text: "#rain", count: 10, maxId: "2"),
        ]
        return names(
            ofParametersIn: queries.flatMap { query in
                (0..<vocabularies).map { target(for: query, vocabulary: $0) }
                    + (lookup(for: query).map { [$0.target] } ?? [])
            })
    }
}

/// Returns the names in the queries of targets, which need no decoding.
private func names(ofParametersIn targets: [String]) -> Set<String> {
    let queries = targets.compactMap { $0.split(separator: "?", maxSplits: 1).dropFirst().first }
    return Set(queries.flatMap { $0.split(separator: "&") }.map { String($0.prefix { $0 != "=" }) })
}
