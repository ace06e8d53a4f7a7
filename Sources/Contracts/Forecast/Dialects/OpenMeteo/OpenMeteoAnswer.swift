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
        var answer = Answer()
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
            "current_weather_units", "current_weather", "hourly_units", "hourly", "daily_units", "daily",
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

    /// An answer for one place, with columns turned into rows.
    private struct Answer {
        /// The coordinates, the time zone and the elevation; no blocks.
        private var place = Forecast()
        private var clock = Clock(offset: nil, rules: nil)
        private var calendar = Calendar([], Clock(offset: nil, rules: nil))
        private var current: Row?
        private var hours: [Row]?
        private var days: [Row]?

        mutating func read(_ node: JSONNode, _ reader: inout RecordReader) {
            guard reader.requireObject(node) else { return }
            let members = Members(node, &reader)
            readPlace(members, &reader)
            let blocks = BlockReader(units: Self.units(members, &reader), clock: clock)
            current = members.read("current", &reader) { blocks.row($0, of: .current, &$1) }
            // `current_weather` is the older name of `current`.
            let older = members.read("current_weather", &reader) { node, reader in
                if current == nil { return blocks.row(node, of: .currentWeather, &reader) }
                reader.note(.duplicateKey, .duplicate)
                return nil
            }
            current = current ?? older
            hours = members.read("hourly", &reader) { blocks.rows($0, of: .hourly, &$1) }
            days = members.read("daily", &reader) { blocks.rows($0, of: .daily, &$1) }
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
            clock = Clock(
                offset: place.offset.map { ($0 * 3600).rounded() } ?? (isUTC ? 0 : nil),
                rules: ZoneRules.named(place.timezone))
        }

        private static func units(_ members: Members, _ reader: inout RecordReader) -> Units {
            var units = Units()
            let blocks: [(name: StaticString, block: Block)] = [
                ("current_units", .current), ("current_weather_units", .currentWeather), ("hourly_units", .hourly),
                ("daily_units", .daily),
            ]
            for (name, block) in blocks {
                _ = members.read(name, &reader) { units.read($0, of: block, &$1) }
            }
            return units
        }

        /// Computes fields from other cells, in place because rows are large.
        private mutating func derive() {
            for index in days?.indices ?? 0..<0 { days?[index].correctDay(clock) }
            for index in hours?.indices ?? 0..<0 {
                guard let label = hours?[index].point.time.seconds else { continue }
                hours?[index].point.time = UnixSeconds(clock.hour(labelled: label))
            }
            hours?.alignSpans()
            calendar = Calendar(days ?? [], clock)
            current?.derive(for: .current, calendar)
            for index in hours?.indices ?? 0..<0 { hours?[index].derive(for: .hourly, calendar) }
            days?.complete(from: hours ?? [], calendar, clock)
        }

        /// Returns the part of the answer that `query` requests, as the contract's forecast; without a query, all of it.
        func forecast(answering query: ForecastQuery?) -> Forecast {
            let selection = Selection(query, now: current?.point.time.seconds, calendar, clock)
            var forecast = place
            forecast.currently = selection.current(current, among: hours ?? [])?.point
            if let moment = forecast.currently?.time.seconds, let offset = clock.rules?.offset(at: moment) {
                forecast.offset = Conversion.Step(scale: 1 / 3600, places: 10)(offset)
            }
            forecast.hourly = hours.map { Self.block(selection.hours($0)) }
            forecast.daily = days.map { Self.block(selection.days($0)) }
            forecast.flags = Flags()
            forecast.flags?.sources = ["open-meteo"]
            forecast.flags?.units = .known(.si)
            return forecast
        }

        /// Returns a block with the summary and the icon of the most severe weather among `rows`.
        private static func block(_ rows: [Row]) -> DataBlock {
            var block = DataBlock()
            block.data = rows.map(\.point)
            func severity(_ row: Row) -> Int { row.inputs.code.flatMap(WeatherCode.find)?.severity ?? 0 }
            let severest = rows.filter { $0.point.icon != nil }.max { severity($0) < severity($1) }
            block.summary = severest?.point.summary
            block.icon = severest?.point.icon
            return block
        }
    }
}
