/// The requests that an upstream may get, in the periods of UTC.
package struct QuotaConfiguration: Codable, Sendable {
    package var perSecond: Int?, perMinute: Int?, perHour: Int?, perDay: Int?, perMonth: Int?
    /// The part of each limit that is kept for refreshing documents that are out of date.
    package var refreshPercent = 0
    /// What a request of each kind counts; 1 unless it is given.
    package var weights: QuotaWeights?

    package init() {}

    package init(from decoder: any Decoder) throws {
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
}

/// What a request of each kind counts in an upstream's quota.
package struct QuotaWeights: Codable, Sendable {
    package var forecast: Int?, tweet: Int?, timeline: Int?, search: Int?, lookup: Int?

    package init() {}

    package init(from decoder: any Decoder) throws {
        var settings = try SettingsReader<CodingKeys>(decoder)
        forecast = settings.optional(.forecast, in: 0...1_000_000)
        tweet = settings.optional(.tweet, in: 0...1_000_000)
        timeline = settings.optional(.timeline, in: 0...1_000_000)
        search = settings.optional(.search, in: 0...1_000_000)
        lookup = settings.optional(.lookup, in: 0...1_000_000)
        try settings.finish()
    }
}
