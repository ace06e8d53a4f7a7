import LenientCoding

extension WeatherKit {
    /// The data set `forecastNextHour`: minutes, and the periods that tell what falls.
    struct NextHour: DataSet {
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
        /// Its words and its icon are those of the type of precipitation in the minute with the most of it.
        func block(from now: Double?) -> DataBlock? {
            guard let minutes else { return nil }
            let points = minutes.map(point)
            var block = DataBlock()
            block.data = now.map { now in Array(points.filter { $0.time.seconds > now - 60 }.prefix(61)) } ?? points
            let strongest = block.data?.filter { $0.precipType != nil }
                .max { $0.precipIntensity ?? 0 < $1.precipIntensity ?? 0 }
            if case .known(let type)? = strongest?.precipType {
                block.summary = type.rawValue.prefix(1).uppercased() + type.rawValue.dropFirst()
                block.icon = OpenEnum(type.rawValue)
            }
            return block
        }

        private func point(_ minute: Minute) -> DataPoint {
            var point = DataPoint()
            point.time = minute.start.time
            point.precipProbability = minute.chance
            let kind = periods?.last { $0.contains(minute.start.time) }?.kind
            Precipitation(kind, nil, water: minute.intensity, snow: nil).setRates(of: &point)
            return point
        }
    }
}
