import CivilDates
package import Records

/// The values that a mapping's requests for forecasts, and its shapes, can name.
package enum MappedValues {
    /// The names.
    package static let names: Set<String> = [
        "latitude", "longitude", "language", "time", "date", "nextDate", "lastDate", "timeZone", "countryCode", "model",
        "blocks",
    ]

    /// The blocks that clients can do without.
    private static let blocks: [ForecastBlock] = [.currently, .minutely, .hourly, .daily, .alerts]

    /// The values for a query at its time, of a client that does not want the blocks `excluded`.
    ///
    /// `time` is the requested moment, or that of the request, in unix seconds. `date` is its local day, `nextDate` the day
    /// after that, and `lastDate` the last day that an answer needs of the `futureDays` that the upstream knows. The zone is that of
    /// the query, or the nautical one of the longitude.
    package static func values(
        of query: ForecastQuery, futureDays: Int, excluded: Set<ForecastBlock> = []
    ) -> [String: JSONValue] {
        func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
        let (latitude, longitude) = query.coordinates
        let blocks = blocks.filter { !excluded.contains($0) }
        var values: [String: JSONValue] = [
            "latitude": .number(latitude), "longitude": .number(longitude), "language": text(query.language),
            "timeZone": text(query.timeZone), "countryCode": text(query.countryCode), "model": text(query.model),
            "blocks": .array(blocks.map { .string($0.rawValue) }),
        ]
        guard let now = query.now else { return values }
        let zone = PlaceZone(query.timeZone, longitude: query.longitude)
        let moment = query.time.flatMap { zone.clock.moment($0) } ?? Double(now)
        let start = zone.midnight(before: moment)
        func date(_ days: Int) -> JSONValue {
            let midnight = zone.midnight(days: days, after: start)
            let local = midnight + (zone.clock.offset(at: midnight) ?? 0)
            return text(ISO8601Timestamp.format(secondsSinceEpoch: local).map { String($0.prefix(10)) })
        }
        values["time"] = .number("\(Int64(moment.rounded(.down)))")
        (values["date"], values["nextDate"]) = (date(0), date(1))
        // Eight days and the night after the last one.
        values["lastDate"] = date(query.time == nil ? min(8, futureDays) : 1)
        return values
    }
}
