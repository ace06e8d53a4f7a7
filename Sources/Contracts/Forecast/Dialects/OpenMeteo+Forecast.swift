import LenientCoding

extension OpenMeteo.Document {
    /// The contract's forecast of what `query` asked for; of all that there is where that is not known.
    func forecast(askedFor query: ForecastQuery?) -> Forecast {
        let sun = OpenMeteo.Sun(days ?? [])
        let moment = current.map { $0.told(as: .current, under: sun) }
        let hours = hours?.map { $0.told(as: .hourly, under: sun) }
        let days = days.map { days in
            OpenMeteo.told(days.map { $0.told(as: .daily, under: sun) }, by: hours ?? [])
        }
        let selection = OpenMeteo.Selection(query, now: moment?.point.time.seconds, clock: clock)
        var forecast = place
        forecast.currently = selection.current(moment, among: hours ?? [])?.point
        forecast.hourly = hours.map { Self.block(selection.hours($0, among: days ?? [])) }
        forecast.daily = days.map { Self.block(selection.days($0)) }
        forecast.flags = Self.flags
        return forecast
    }

    private static var flags: Flags {
        var flags = Flags()
        flags.sources = ["open-meteo"]
        flags.units = .known(.si)
        return flags
    }

    /// A block of rows, which looks as the gravest weather in them does.
    private static func block(_ rows: [OpenMeteo.Row]) -> DataBlock {
        var block = DataBlock()
        block.data = rows.map(\.point)
        let gravest = rows.filter { $0.point.icon != nil }.max { ($0.sky.code ?? 0) < ($1.sky.code ?? 0) }
        block.summary = gravest?.point.summary
        block.icon = gravest?.point.icon
        return block
    }
}
