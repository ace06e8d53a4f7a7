import API
import Records

extension WeatherKit {
    /// Where a data set is from.
    struct Metadata: Record {
        var latitude: Double?, longitude: Double?, units: String?, isUnavailable: Bool?
        var attributionURL: String?, providerName: String?, readTime: ISODate?

        static let schema = Schema<Metadata>(.absent("")) {
            Field("latitude", \.latitude, .plausible(-90...90))
            Field("longitude", \.longitude, .plausible(-180...180))
            Field("units", \.units)
            Field("temporarilyUnavailable", \.isUnavailable)
            Field("attributionURL", \.attributionURL, .or("attributionUrl"))
            Field("providerName", \.providerName)
            Field("readTime", \.readTime)
            Ignored("expireTime", "language", "providerLogo", "reportedTime", "sourceType", "version")
        }
    }

    /// The data set `currentWeather`.
    struct Current: Record {
        var metadata: Metadata?, time: ISODate?, weather = Weather()

        static let schema = Schema<Current> {
            Field("metadata", \.metadata)
            Field("asOf", \.time)
            Included(\.weather)
            Ignored("name")
        }

        /// The current weather in one row; nil if it has no time.
        var series: Series? {
            guard let time else { return nil }
            var series = Series(times: [time.time.seconds], variables: Variable.ofMoments, hours: 1)
            weather.set(0, of: &series, isSpan: false)
            return series
        }
    }

    /// The data set `forecastNextHour`: minutes, and the periods that tell what falls.
    struct NextHour: Record {
        var metadata: Metadata?, minutes: [Minute]?, periods: [Period]?

        static let schema = Schema<NextHour> {
            Field("metadata", \.metadata)
            Field("minutes", \.minutes, .dropInvalid, .atMost(300))
            Field("summary", \.periods, .dropInvalid, .atMost(100))
            Ignored("name", "forecastStart", "forecastEnd")
        }

        /// A minute.
        struct Minute: Record {
            var start = ISODate(time: UnixSeconds(0))
            var chance: Double?, intensity: Double?

            static let schema = Schema<Minute>(.absent(-999)) {
                Field("startTime", \.start)
                Field("precipitationChance", \.chance, .plausible(0...1))
                Field("precipitationIntensity", \.intensity, .plausible(0...3000))
                Ignored("perceivedPrecipitationIntensity")
            }
        }

        /// A span with one type of precipitation; the last one has no end.
        struct Period: Record {
            var start = ISODate(time: UnixSeconds(0)), end: ISODate?, kind: OpenEnum<Kind>?

            static let schema = Schema<Period>(.absent("")) {
                Field("startTime", \.start)
                Field("endTime", \.end)
                Field("condition", \.kind, .or("precipitationType"))
                Ignored("precipitationChance", "precipitationIntensity")
            }

            func contains(_ time: UnixSeconds) -> Bool { start.time <= time && end.map { time < $0.time } ?? true }
        }

        /// Returns the block `minutely`: 61 minutes from `now`, or all of them if it is nil.
        ///
        /// Its words and its icon are those of the type of precipitation in the minute with the most of it, or else those of
        /// the `current` weather.
        func block(from now: Double?, _ series: ForecastSeries, current: DataPoint?) -> DataBlock? {
            guard let minutes else { return nil }
            let selected = now.map { now in Array(minutes.filter { $0.start.time.seconds > now - 60 }.prefix(61)) }
            let rows = rows(selected ?? minutes)
            var block = DataBlock()
            let points = rows.rows.map { series.moment(rows, $0, accumulates: false) }
            block.data = points
            let strongest = points.indices.filter { points[$0].precipType != nil }
                .max { points[$0].precipIntensity ?? 0 < points[$1].precipIntensity ?? 0 }
            if let strongest, case .known(let type)? = points[strongest].precipType {
                block.summary = type.rawValue.prefix(1).uppercased() + type.rawValue.dropFirst()
                block.icon = OpenEnum(type.rawValue)
            } else {
                (block.summary, block.icon) = (current?.summary, current?.icon)
            }
            return block
        }

        /// Whether there are minutes in the hour from `start` on.
        func hasMinutes(from start: Double) -> Bool {
            minutes?.contains { start..<start + 3600 ~= $0.start.time.seconds } ?? false
        }

        private func rows(_ minutes: [Minute]) -> Series {
            var rows = Series(
                times: minutes.map(\.start.time.seconds), variables: Variable.ofMoments, hours: 1.0 / 60)
            for (row, minute) in minutes.enumerated() {
                rows[.precipProbability, row] = minute.chance ?? .nan
                let kind = periods?.last { $0.contains(minute.start.time) }?.kind
                Description(kind: kind, water: minute.intensity).set(row, of: &rows, hasRates: true, hasDepths: false)
                rows[.code, row] = .nan
            }
            return rows
        }
    }

    /// The severity of an alert.
    enum Severity: String, CaseIterable, Sendable {
        case extreme, severe, moderate, minor, unknown
    }

    /// An alert of the data set `weatherAlerts`; its text is at another address of the API.
    struct AlertSummary: Record {
        private var alert = Alert()
        private var area: String?, severity: OpenEnum<Severity>?
        private var issued: ISODate?, effective: ISODate?, expires: ISODate?, end: ISODate?

        static let schema = Schema<AlertSummary>(.absent("")) {
            Field("description", \.alert.title)
            Field("areaName", \.area)
            Field("severity", \.severity)
            Field("issuedTime", \.issued)
            Field("effectiveTime", \.effective)
            Field("expireTime", \.expires)
            Field("eventEndTime", \.end)
            Field("detailsUrl", \.alert.uri)
            Ignored(
                "area", "areaId", "attributionURL", "certainty", "countryCode", "eventOnsetTime", "eventSource",
                "id",
                "importance", "messages", "name", "phenomenon", "precedence", "responses", "significance", "source",
                "token", "urgency")
        }

        /// The alert of the contract; severities have the spelling of Pirate Weather.
        var model: Alert {
            var alert = alert
            alert.regions = area.map { [$0] }
            alert.severity = severity.map { severity in
                guard case .known(let known) = severity else { return OpenEnum(severity.rawValue) }
                return OpenEnum(known.rawValue.prefix(1).uppercased() + known.rawValue.dropFirst())
            }
            alert.time = issued?.time ?? effective?.time
            // Until `expireTime`, the text of the alert is the last one.
            alert.expires = end?.time ?? expires?.time
            return alert
        }
    }
}
