import API
import JSONText
import Records

extension OpenMeteo {
    /// Reads an answer as the contract's forecast; if it is an array for several places, its first element.
    ///
    /// - Throws: `ContractError` if there is no object, its time zone is missing or wrong, its coordinates are wrong, or no
    ///   column that Weir knows has a value.
    static func read(
        _ root: JSONNode, answering query: ForecastQuery?, _ defaults: AnswerDefaults, into forecast: inout Forecast
    ) throws(ContractError) -> DriftReport {
        var reader = RecordReader()
        let isOfNow = query.map { $0.time == nil } ?? (root["current"] != nil)
        let requested: (Block) -> [Int] = { defaults.expectsFields ? Self.requested($0, ofNow: isOfNow) : [] }
        var answer = Answer(tellsHail: tellsHail(query?.model), requested)
        if root.kind == .array, root.count > 0 {
            reader.atElements(of: root) { index, place, reader in
                if index == 0 { answer.read(place, &reader) } else { reader.note(.dropped, .tooMany) }
            }
        } else {
            answer.read(root, &reader)
        }
        try reader.check()
        var drift = reader.drift.placed(place)
        answer.fill(&forecast, answering: query, &drift)
        return drift
    }

    /// The members of an answer beside its blocks.
    private struct Place: Record {
        var forecast = Forecast(), secondsAhead: Double?

        static let schema = Schema<Place>(.absent(-999), .absent("")) {
            Field("latitude", \.forecast.latitude, .plausible(-90...90), .mustBeValid)
            Field("longitude", \.forecast.longitude, .plausible(-180...180), .mustBeValid)
            Field("timezone", \.forecast.timezone)
            Field("utc_offset_seconds", \.secondsAhead, .plausible(-54_000...54_000))
            Field("elevation", \.forecast.elevation)
            // The last three have no counterpart in the contract.
            Ignored(
                "current_units", "current", "current_weather_units", "current_weather", "minutely_15_units",
                "minutely_15",
                "hourly_units", "hourly", "daily_units", "daily", "generationtime_ms", "timezone_abbreviation",
                "location_id")
        }
    }

    /// An answer for one place.
    private struct Answer {
        private let tellsHail: Bool
        /// Returns the columns that the answer must have, by their indices.
        private let requested: (Block) -> [Int]
        /// The coordinates, the time zone and the elevation; no blocks.
        private var place = Forecast()
        private var clock = LocalClock(offset: nil, rules: nil)
        private var current: Series?, quarters: Series?, hours: Series?, days: Series?

        init(tellsHail: Bool, _ requested: @escaping (Block) -> [Int]) {
            (self.tellsHail, self.requested) = (tellsHail, requested)
        }

        mutating func read(_ node: JSONNode, _ reader: inout RecordReader) {
            guard reader.requireObject(node), readPlace(node, &reader) else { return }
            let blocks = BlockReader(
                units: units(node, &reader), clock: clock, tellsHail: tellsHail, requested: requested)
            var series: [Block: Series] = [:]
            for block in Block.allCases {
                guard let node = node["\(block.name)"], !node.isNull else { continue }
                reader.at(block.name) { reader in
                    // `current_weather` is the older name of `current`.
                    if block == .currentWeather, series[.current] != nil {
                        return reader.note(.duplicateKey, .duplicate)
                    }
                    series[block] =
                        block.isMoment
                        ? blocks.moment(node, of: block, &reader) : blocks.rows(node, of: block, &reader)
                }
            }
            if reader.hasFailures { return }
            requireValues(series, &reader)
            current = series.removeValue(forKey: .current) ?? series.removeValue(forKey: .currentWeather)
            (quarters, hours) = (series.removeValue(forKey: .minutely), series.removeValue(forKey: .hourly))
            days = series.removeValue(forKey: .daily)
            derive()
        }

        /// Fails the document if it has rows without any value: columns of several models have other names, and so have
        /// those of other APIs, such as that of the sea.
        private func requireValues(_ series: [Block: Series], _ reader: inout RecordReader) {
            let filled = Block.allCases.filter { series[$0]?.times.isEmpty == false }
            guard let first = filled.first, !filled.contains(where: { series[$0]?.hasValues == true }) else { return }
            reader.at(first.name) {
                $0.failDocument(
                    .missing, expected: "a value of a known variable, such as temperature_2m without a model's name")
            }
        }

        /// Reads the place; false, with the failures recorded, if its time zone is missing, or if a member is wrong.
        private mutating func readPlace(_ node: JSONNode, _ reader: inout RecordReader) -> Bool {
            var sent = Place()
            guard reader.fill(&sent, from: node) else { return false }
            place = sent.forecast
            place.offset = sent.secondsAhead.map { Conversion.Step(scale: 1 / 3600, places: 10)($0) }
            let isUTC = ["GMT", "UTC", "Etc/GMT", "Etc/UTC"].contains(place.timezone)
            clock = LocalClock(
                offset: sent.secondsAhead?.rounded() ?? (isUTC ? 0 : nil), rules: ZoneRules.named(place.timezone))
            return true
        }

        private func units(_ node: JSONNode, _ reader: inout RecordReader) -> Units {
            var units = Units()
            for block in Block.allCases {
                guard let node = node["\(block.nameOfUnits)"], !node.isNull else { continue }
                reader.at(block.nameOfUnits) { units.read(node, of: block, &$0) }
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
        }

        /// Sets the part of the answer that `query` requests; without a query, all of it.
        func fill(_ forecast: inout Forecast, answering query: ForecastQuery?, _ drift: inout DriftReport) {
            let language = SummaryLanguage.named(query?.language)
            var series = ForecastSeries(
                current: current, quarters: quarters, hours: hours, days: days, clock, language)
            series.days?.completeRain()
            forecast = place
            series.fill(&forecast, series.selection(query, now: current?.times[0]), &drift)
            var flags = Flags()
            flags.sources = ["open-meteo"]
            flags.units = .known(.si)
            if forecast.minutely != nil { flags.minutelyStep = 15 }
            if query?.language != nil { flags.lang = language.code }
            forecast.flags = flags
        }
    }
}

extension Series {
    /// Moves days to their real midnights, and removes the days that do not exist and the times of a sun that does not
    /// rise or does not set.
    ///
    /// In the polar night both are the midnight that starts the day, in the polar day sunset is 24 hours later
    /// (open-meteo/open-meteo, `Sources/App/Helper/Solar/SunRiseSet.swift`).
    mutating func correctDays(_ clock: LocalClock) {
        let existing = rows.filter { clock.exists(dayLabelled: times[$0]) }
        if existing.count < times.count { self = taking(existing) }
        for day in rows {
            let label = times[day]
            times[day] = clock.midnight(ofDayLabelled: label)
            let (sunrise, sunset) = (self[.sunrise, day], self[.sunset, day])
            let isInvented = sunrise == label && [0, 86400].contains(sunset - label)
            if isInvented { self[.isDay, day] = sunset == label ? 0 : 1 }
            if isInvented || sunrise == sunset { (self[.sunrise, day], self[.sunset, day]) = (.nan, .nan) }
        }
    }
}
