/// The requests that an upstream may get, in the periods of UTC.
struct QuotaConfiguration: Codable, Sendable {
    var perSecond: Int?, perMinute: Int?, perHour: Int?, perDay: Int?, perMonth: Int?
    /// The part of each limit that is kept for refreshing documents that are out of date.
    var refreshPercent = 0
    /// What a request of each kind counts; 1 unless it is given.
    var weights: QuotaWeights?

    init() {}

    init(from decoder: any Decoder) throws {
        var settings = try SettingsReader<CodingKeys>(decoder)
        perSecond = settings.optional(.perSecond, in: 1...1_000_000_000)
        perMinute = settings.optional(.perMinute, in: 1...1_000_000_000)
        perHour = settings.optional(.perHour, in: 1...1_000_000_000)
        perDay = settings.optional(.perDay, in: 1...1_000_000_000)
        perMonth = settings.optional(.perMonth, in: 1...1_000_000_000)
        settings.read(&refreshPercent, .refreshPercent, in: 0...90)
        weights = settings.optional(.weights)
        try settings.finish()
    }

    var budget: QuotaBudget {
        let limits: [QuotaBudget.Period: Int?] = [
            .second: perSecond, .minute: perMinute, .hour: perHour, .day: perDay, .month: perMonth,
        ]
        return QuotaBudget(limits.compactMapValues(\.self), refreshPercent: refreshPercent)
    }
}

/// What a request of each kind counts in an upstream's quota.
struct QuotaWeights: Codable, Sendable {
    var forecast: Int?, tweet: Int?, timeline: Int?, search: Int?, lookup: Int?

    init() {}

    init(from decoder: any Decoder) throws {
        var settings = try SettingsReader<CodingKeys>(decoder)
        forecast = settings.optional(.forecast, in: 0...1_000_000)
        tweet = settings.optional(.tweet, in: 0...1_000_000)
        timeline = settings.optional(.timeline, in: 0...1_000_000)
        search = settings.optional(.search, in: 0...1_000_000)
        lookup = settings.optional(.lookup, in: 0...1_000_000)
        try settings.finish()
    }

    func weight(of endpoint: Upstream.Endpoint) -> Int {
        let weight: Int? =
            switch endpoint {
            case .forecast, .history: forecast
            case .tweet: tweet
            case .timeline: timeline
            case .search: search
            case .lookup: lookup
            }
        return weight ?? 1
    }
}
