package import Records
/// The requests that an upstream may get, in the periods of UTC.
package struct QuotaConfiguration: Record {
    package var perSecond: Int?, perMinute: Int?, perHour: Int?, perDay: Int?, perMonth: Int?
    package var refreshPercent = 0
    package var weights: QuotaWeights?

    package init() {}

    package static let schema = Schema<QuotaConfiguration>(.exact, .defaulted) {
        Field(\.perSecond, .plausible(1...1_000_000_000), .example("10"), .note("The requests in a second."))
        Field(\.perMinute, .plausible(1...1_000_000_000), .example("600"), .note("The requests in a minute."))
        Field(\.perHour, .plausible(1...1_000_000_000), .example("5000"), .note("The requests in an hour."))
        Field(\.perDay, .plausible(1...1_000_000_000), .example("10000"), .note("The requests in a day."))
        Field(\.perMonth, .plausible(1...1_000_000_000), .example("300000"), .note("The requests in a month."))
        Field(
            \.refreshPercent, .plausible(0...90), .example("10"),
            .note(
                "The part of each of these that is kept for refreshing documents that are kept and out of "
                    + "date, in percent, also while a client waits for the new one. Other requests do not get "
                    + "it."))
        Field(
            \.weights, .takes(orElse: "1 each"), .example(#"{"search": 5}"#),
            .note("The weight of a request of each kind."))
    }
}

/// What a request of each kind counts in an upstream's quota.
package struct QuotaWeights: Record {
    package var forecast: Int?, tweet: Int?, timeline: Int?, search: Int?, lookup: Int?

    package init() {}

    package static let schema = Schema<QuotaWeights>(.exact, .defaulted) {
        Field(
            \.forecast, .plausible(0...1_000_000), .takes(orElse: "1"), .example("2"),
            .note("The weight of a forecast."))
        Field(
            \.tweet, .plausible(0...1_000_000), .takes(orElse: "1"), .example("1"),
            .note("The weight of a tweet."))
        Field(
            \.timeline, .plausible(0...1_000_000), .takes(orElse: "1"), .example("2"),
            .note("The weight of a timeline."))
        Field(
            \.search, .plausible(0...1_000_000), .takes(orElse: "1"), .example("5"),
            .note("The weight of a search."))
        Field(
            \.lookup, .plausible(0...1_000_000), .takes(orElse: "1"), .example("0"),
            .note("The weight of the look-up of a user."))
    }
}
