import Contracts
import JSONText
import Records

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#elseif canImport(Glibc)
    import Glibc
#endif

extension OpenMeteo {
    /// Reads an answer as the contract's forecast; if it is an array for several places, its first element.
    ///
    /// - Throws: `ContractError` if there is no object, its time zone is missing or wrong, its coordinates are wrong, or no
    ///   column that Weir knows has a value.
    static func read(
        _ root: JSONNode, answering query: ForecastQuery?, _ defaults: AnswerDefaults
    ) throws(ContractError) -> (record: Forecast, drift: DriftReport) {
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
        return (answer.forecast(answering: query), reader.drift.placed(place))
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

        /// Reads a coordinate; it is a failure of the document if the member is there and wrong.
        func coordinate(_ name: StaticString, as field: SchemaField<Double>, _ reader: inout RecordReader) -> Double? {
            read(name, &reader) { node, reader in
                if field.rules.meanAbsent(node) {
                    reader.note(.defaulted, .sentinel)
                    return nil
                }
                return reader.require(node, as: field)
            }
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
            guard reader.requireObject(node) else { return }
            let members = Members(node, &reader)
            readPlace(members, &reader)
            let blocks = BlockReader(
                units: Self.units(members, &reader), clock: clock, tellsHail: tellsHail, requested: requested)
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
            requireValues(&reader)
            derive()
        }

        /// Fails the document if it has rows without any value: columns of several models have other names, and so have
        /// those of other APIs, such as that of the sea.
        private func requireValues(_ reader: inout RecordReader) {
            let blocks: [(name: StaticString, rows: Series?)] = [
                ("current", current), ("minutely_15", quarters), ("hourly", hours), ("daily", days),
            ]
            let filled = blocks.filter { $0.rows?.times.isEmpty == false }
            guard let first = filled.first, !filled.contains(where: { $0.rows?.hasValues == true }) else { return }
            reader.at(first.name) {
                $0.failDocument(
                    .missing, expected: "a value of a known variable, such as temperature_2m without a model's name")
            }
        }

        private mutating func readPlace(_ members: Members, _ reader: inout RecordReader) {
            let fields = Forecast.schema
            place.latitude = members.coordinate("latitude", as: fields.field(\.latitude), &reader)
            place.longitude = members.coordinate("longitude", as: fields.field(\.longitude), &reader)
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
            let localDays = LocalDays(days ?? .none, clock)
            days?.completeDays(from: hours, localDays, clock)
            days?.completeRain()
        }

        /// Returns the part of the answer that `query` requests, as the contract's forecast; without a query, all of it.
        func forecast(answering query: ForecastQuery?) -> Forecast {
            let language = SummaryLanguage.named(query?.language)
            let localDays = LocalDays(days ?? .none, clock)
            let selection = Selection(query, now: current?.times[0], localDays, clock)
            let maker = PointMaker(days: localDays, clock: clock, language: language)
            var forecast = place
            forecast.currently = currently(selection, maker)
            if let moment = forecast.currently?.time.seconds, let offset = clock.rules?.offset(at: moment) {
                forecast.offset = Conversion.Step(scale: 1 / 3600, places: 10)(offset)
            }
            if selection.isCurrent, let quarters, let start = current?.times[0] ?? quarters.times.first {
                forecast.minutely = maker.minutes(from: start, quarters, hours)
            }
            forecast.hourly = hours.map { hours in
                let rows = selection.rows(ofHours: hours.times)
                let points = rows.map { maker.moment(hours, $0, accumulates: true) }
                return maker.block(points, of: hours, rows, byNight: true)
            }
            forecast.daily = days.map { days in
                let rows = selection.rows(ofDays: days.times)
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
                guard let hours, let (row, time) = selection.moment(among: hours.times) else { return nil }
                var point = maker.moment(hours, row, accumulates: true)
                point.time = UnixSeconds(time)
                return point
            }
            guard let current else { return nil }
            var point = maker.moment(current, 0, accumulates: false)
            if let hours, point.precipProbability == nil, let hour = hours.times.hour(at: current.times[0]) {
                point.precipProbability = hours.number(.precipProbability, hour)
            }
            return point
        }
    }
}

// The rows of an answer.
extension Series {
    /// The variables that describe the span before a row.
    ///
    /// Source: open-meteo/open-meteo-website, `src/routes/en/docs/+page.svelte`, "Valid time".
    private static let ofSpans: [Variable] = [
        .precipIntensity, .precipProbability, .rain, .showers, .snow, .windGust, .uvIndex, .solar,
    ]

    /// Moves the values of a span to the row at which the span starts; rows without a next one lose them.
    mutating func alignSpans() {
        let followers = Timeline(times).followers(after: hours * 3600)
        let codes = rows.map { row in
            let next = followers[row] < 0 ? nil : code(followers[row])
            return WeatherCode.code(from: code(row), to: next, cloudCover: number(.cloudCover, row))
        }
        for row in rows { self[.code, row] = codes[row].map(Double.init) ?? .nan }
        let before = values
        for variable in Self.ofSpans {
            let start = start(of: variable)
            for row in rows { values[start + row] = followers[row] < 0 ? .nan : before[start + followers[row]] }
        }
    }

    /// Takes what the current weather lacks from the quarter of an hour that ends with it.
    mutating func complete(fromQuarters quarters: Self) {
        guard let quarter = quarters.rows.first(where: { quarters.times[$0] == times[0] }), quarters.hours == hours
        else { return }
        for variable in [Variable.precipIntensity, .rain, .showers, .snow, .code]
        where self[variable, 0].isNaN {
            self[variable, 0] = quarters[variable, quarter]
        }
    }

    /// Computes what follows from other values: rain, freezing rain, the type of precipitation, the station's pressure.
    mutating func derive(at elevation: Double?) {
        for row in rows {
            let weather = weather(row)
            let liquid = liquid(row)
            self[.kind, row] = kind(row, liquid, weather, ofDay: false)
            if let liquid {
                let freezes = weather?.precipitation == .sleet
                self[.rain, row] = freezes ? 0 : liquid
                self[.ice, row] = weather == nil ? .nan : freezes ? liquid : 0
            }
            self[.rainRate, row] = self[.rain, row] * 10 / hours
            // 7 cm of snow are 10 mm of water.
            self[.snowRate, row] = self[.snow, row] / 0.7 / hours
            self[.iceRate, row] = self[.ice, row] * 10 / hours
            if self[.stationPressure, row].isNaN, let elevation {
                self[.stationPressure, row] = stationPressure(row, at: elevation)
            }
        }
    }

    /// Returns the depth of all rain (cm), or nil if it is not known.
    ///
    /// The upstream's precipitation is rain and snow as water, 10 mm for 7 cm, and both are rounded to 0.01.
    func liquid(_ row: Int) -> Double? {
        let (rain, showers) = (number(.rain, row), number(.showers, row))
        if rain != nil || showers != nil { return (rain ?? 0) + (showers ?? 0) }
        guard let rate = number(.precipIntensity, row), let snow = number(.snow, row) else { return nil }
        let depth = rate * hours / 10 - snow / 7
        return snow > 0 && depth < 0.002 ? 0 : Conversion.Step(scale: 1, places: 4)(depth)
    }

    /// Returns the index of the type of precipitation, or NaN: by the amounts of rain and snow, or by the code if only
    /// their sum is known.
    ///
    /// Rain with snow and freezing rain are sleet, as for Dark Sky; of a day, the larger amount counts.
    func kind(_ row: Int, _ liquid: Double?, _ weather: WeatherCode?, ofDay: Bool) -> Double {
        let (liquid, snow) = (liquid ?? 0, number(.snow, row) ?? 0)
        let type: PrecipitationType? =
            if liquid > 0, weather?.precipitation == .sleet {
                .sleet
            } else if liquid > 0, snow > 0 {
                !ofDay ? .sleet : liquid < snow / 7 ? .snow : .rain
            } else if liquid > 0 {
                .rain
            } else if snow > 0 {
                .snow
            } else {
                (number(.precipIntensity, row) ?? 0) > 0 ? weather?.precipitation : nil
            }
        return Self.index(of: type)
    }

    /// Returns the pressure at an elevation (m) by the server's own formula (open-meteo/open-meteo,
    /// `Sources/App/Helper/Meteorology.swift`, `surfacePressure`), or NaN.
    private func stationPressure(_ row: Int, at elevation: Double) -> Double {
        let drop = 0.0065 * elevation
        let pressure = self[.pressure, row] * pow(1 - drop / (self[.temperature, row] + 273.15 + drop), 5.25578)
        return Self.stationPressure.accepts(pressure) ? Conversion.Step(scale: 1, places: 1)(pressure) : .nan
    }

    private static let stationPressure = DataPoint.schema.field(\.stationPressure)

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

    /// Completes the rain and the type of precipitation of days whose hours do not tell them.
    mutating func completeRain() {
        for day in rows {
            let liquid = liquid(day).map { $0 + (number(.ice, day) ?? 0) }
            if self[.kind, day].isNaN { self[.kind, day] = kind(day, liquid, weather(day), ofDay: true) }
            if self[.ice, day].isNaN { self[.rain, day] = liquid ?? .nan }
        }
    }
}
