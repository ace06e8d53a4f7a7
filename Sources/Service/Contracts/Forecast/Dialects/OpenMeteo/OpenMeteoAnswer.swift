import JSONText
import LenientCoding

extension OpenMeteo {
    /// Reads an answer as the contract's forecast; if it is an array for several places, its first element.
    ///
    /// - Throws: `ContractError` if there is no object, or its coordinates or its time zone are missing or wrong.
    static func read(
        _ root: JSONNode, answering query: ForecastQuery?
    ) throws(ContractError) -> (record: Forecast, drift: DriftReport) {
        var reader = RecordReader()
        var answer = Answer(tellsHail: tellsHail(query?.model))
        if root.kind == .array, root.count > 0 {
            reader.atElements(of: root) { index, place, reader in
                if index == 0 { answer.read(place, &reader) } else { reader.note(.dropped, .tooMany) }
            }
        } else {
            answer.read(root, &reader)
        }
        try reader.check()
        return (answer.forecast(answering: query), reader.drift)
    }

    /// The members of an answer that Weir knows.
    private struct Members {
        /// The last three have no counterpart in the contract.
        private static let known: Set<String> = [
            "latitude", "longitude", "timezone", "utc_offset_seconds", "elevation", "current_units", "current",
            "current_weather_units", "current_weather", "minutely_15_units", "minutely_15", "hourly_units", "hourly",
            "daily_units", "daily",
            "generationtime_ms", "timezone_abbreviation", "location_id",
        ]
        private var values: [String: JSONNode] = [:]

        /// The members of an object; of duplicates, the last one.
        init(_ node: JSONNode, _ reader: inout RecordReader) {
            for (key, value) in node.members {
                guard let name = key.string, Self.known.contains(name) else {
                    reader.at(key) { $0.note(.unexpectedKey, .unknownKey) }
                    continue
                }
                if values.updateValue(value, forKey: name) != nil {
                    reader.at(key) { $0.note(.duplicateKey, .duplicate) }
                }
            }
        }

        /// Reads a member by `read`, unless it is absent or null.
        func read<Value>(
            _ name: StaticString, _ reader: inout RecordReader, by read: (JSONNode, inout RecordReader) -> Value?
        ) -> Value? {
            guard let node = values[name.description], !node.isNull else { return nil }
            return reader.at(name) { read(node, &$0) }
        }

        /// Reads a member by the rules of a field; it is a failure of the document if the member is missing or wrong.
        func require<Value>(
            _ name: StaticString, as field: SchemaField<Value>, _ reader: inout RecordReader
        ) -> Value? {
            reader.at(name) { $0.require(values[name.description], as: field) }
        }
    }

    /// An answer for one place.
    private struct Answer {
        private let tellsHail: Bool
        /// The coordinates, the time zone and the elevation; no blocks.
        private var place = Forecast()
        private var clock = LocalClock(offset: nil, rules: nil)
        private var current: Series?, quarters: Series?, hours: Series?, days: Series?

        init(tellsHail: Bool) { self.tellsHail = tellsHail }

        mutating func read(_ node: JSONNode, _ reader: inout RecordReader) {
            guard reader.requireObject(node) else { return }
            let members = Members(node, &reader)
            readPlace(members, &reader)
            let blocks = BlockReader(units: Self.units(members, &reader), clock: clock, tellsHail: tellsHail)
            current = members.read("current", &reader) { blocks.moment($0, of: .current, &$1) }
            // `current_weather` is the older name of `current`.
            let hasCurrent = current != nil
            let older = members.read("current_weather", &reader) { node, reader in
                if !hasCurrent { return blocks.moment(node, of: .currentWeather, &reader) }
                reader.note(.duplicateKey, .duplicate)
                return nil
            }
            current = current ?? older
            quarters = members.read("minutely_15", &reader) { blocks.rows($0, of: .minutely, &$1) }
            hours = members.read("hourly", &reader) { blocks.rows($0, of: .hourly, &$1) }
            days = members.read("daily", &reader) { blocks.rows($0, of: .daily, &$1) }
            if reader.hasFailures { return }
            derive()
        }

        private mutating func readPlace(_ members: Members, _ reader: inout RecordReader) {
            let fields = Forecast.schema
            place.latitude = members.require("latitude", as: fields.field(\.latitude), &reader) ?? 0
            place.longitude = members.require("longitude", as: fields.field(\.longitude), &reader) ?? 0
            place.timezone = members.require("timezone", as: fields.field(\.timezone), &reader) ?? ""
            place.elevation = members.read("elevation", &reader) { $1.read($0, as: fields.field(\.elevation)) }
            let hours = Conversion.Step(scale: 1 / 3600, places: 10)
            place.offset = members.read("utc_offset_seconds", &reader) {
                $1.number($0, as: fields.field(\.offset), converted: hours)
            }
            let isUTC = ["GMT", "UTC", "Etc/GMT", "Etc/UTC"].contains(place.timezone)
            clock = LocalClock(
                offset: place.offset.map { ($0 * 3600).rounded() } ?? (isUTC ? 0 : nil),
                rules: ZoneRules.named(place.timezone))
        }

        private static func units(_ members: Members, _ reader: inout RecordReader) -> Units {
            var units = Units()
            let blocks: [(name: StaticString, block: Block)] = [
                ("current_units", .current), ("current_weather_units", .currentWeather),
                ("minutely_15_units", .minutely), ("hourly_units", .hourly), ("daily_units", .daily),
            ]
            for (name, block) in blocks {
                _ = members.read(name, &reader) { units.read($0, of: block, &$1) }
            }
            return units
        }

        /// Computes values from others, all in the columns.
        private mutating func derive() {
            days?.correctDays(clock)
            if let labels = hours?.times { hours?.times = labels.map(clock.hour) }
            hours?.alignSpans()
            if let quarters { current?.complete(fromQuarters: quarters) }
            quarters?.alignSpans()
            current?.derive(at: place.elevation)
            quarters?.derive(at: nil)
            hours?.derive(at: place.elevation)
            let calendar = Calendar(days ?? .none, clock)
            days?.completeDays(from: hours, calendar, clock)
        }

        /// Returns the part of the answer that `query` requests, as the contract's forecast; without a query, all of it.
        func forecast(answering query: ForecastQuery?) -> Forecast {
            let language = SummaryLanguage.named(query?.language)
            let calendar = Calendar(days ?? .none, clock)
            let selection = Selection(query, now: current?.times[0], calendar, clock)
            let maker = PointMaker(calendar: calendar, clock: clock, language: language)
            var forecast = place
            forecast.currently = currently(selection, maker)
            if let moment = forecast.currently?.time.seconds, let offset = clock.rules?.offset(at: moment) {
                forecast.offset = Conversion.Step(scale: 1 / 3600, places: 10)(offset)
            }
            if selection.isCurrent, let quarters, let start = current?.times[0] ?? quarters.times.first {
                forecast.minutely = maker.minutes(from: start, quarters, hours)
            }
            forecast.hourly = hours.map { hours in
                let rows = selection.rows(ofHours: hours)
                let points = rows.map { maker.moment(hours, $0, accumulates: true) }
                return maker.block(points, of: hours, rows, byNight: true)
            }
            forecast.daily = days.map { days in
                let rows = selection.rows(ofDays: days)
                return maker.block(rows.map { maker.day(days, $0) }, of: days, rows, byNight: false)
            }
            var flags = Flags()
            flags.sources = ["open-meteo"]
            flags.units = .known(.si)
            if forecast.minutely != nil { flags.minutelyStep = 15 }
            if query?.language != nil { flags.lang = language.code }
            forecast.flags = flags
            return forecast
        }

        /// Returns the current weather, or the hour of a historical query; what the first lacks is that of its hour.
        private func currently(_ selection: Selection, _ maker: PointMaker) -> DataPoint? {
            guard selection.isCurrent else {
                guard let hours, let (row, time) = selection.moment(among: hours) else { return nil }
                var point = maker.moment(hours, row, accumulates: true)
                point.time = UnixSeconds(time)
                return point
            }
            guard let current else { return nil }
            var point = maker.moment(current, 0, accumulates: false)
            if let hours, point.precipProbability == nil,
                let hour = hours.rows.last(where: {
                    (hours.times[$0]..<hours.times[$0] + 3600).contains(current.times[0])
                })
            {
                point.precipProbability = hours.number(.precipProbability, hour)
            }
            return point
        }
    }
}
