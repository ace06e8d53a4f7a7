package import Records
/// The requests that an upstream may get, in the periods of UTC.
package struct QuotaConfiguration: Record {
    package var perSecond: Int?, perMinute: Int?, perHour: Int?, perDay: Int?, perMonth: Int?
    package var refreshPercent = 0
    package var weights: [String: Int]?

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
