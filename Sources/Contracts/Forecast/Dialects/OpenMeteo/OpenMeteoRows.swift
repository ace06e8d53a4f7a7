import JSONText
import LenientCoding

extension OpenMeteo {
    /// The cells of one time: a point of the contract, and the inputs of its computed fields.
    struct Row {
        var point = DataPoint()
        var inputs = Inputs()

        /// The values of columns that have no field in the contract.
        struct Inputs: Record {
            /// The WMO code of the weather.
            var code: Int?
            /// 1 by day, 0 by night.
            var isDay: Int?
            /// The number of seconds that the sums of a current block cover.
            var interval: Double?
            /// The depths that fell in the span (cm): rain, rain of showers, and snow.
            var rain: Double?, showers: Double?, snow: Double?
            /// The type of the largest amount of precipitation, if it is known.
            var kind: PrecipitationType?

            static let schema = Schema<Inputs>(.absent(-999), .absent("", "none")) {
                Field(\.code)
                Field(\.isDay, .plausible(0...1))
                Field(\.interval, .plausible(1...86400))
                Field(\.rain, .plausible(0...5000))
                Field(\.showers, .plausible(0...5000))
                Field(\.snow, .plausible(0...5000))
            }

            /// The number of hours that sums cover.
            var hours: Double { (interval ?? 3600) / 3600 }

            /// The depth of all rain.
            var liquid: Double? { rain == nil && showers == nil ? nil : (rain ?? 0) + (showers ?? 0) }
        }

        init(at time: UnixSeconds) { point.time = time }

        private static let rainIntensity = DataPoint.schema.field(\.rainIntensity)
        private static let snowIntensity = DataPoint.schema.field(\.snowIntensity)
        private static let liquidAccumulation = DataPoint.schema.field(\.liquidAccumulation)

        /// Takes the values that describe the hour before a row from the next row, so that all describe the hour after it.
        ///
        /// Source: open-meteo/open-meteo-website, `src/routes/en/docs/+page.svelte`, "Valid time".
        mutating func takeSpan(from next: Row?) {
            point.precipIntensity = next?.point.precipIntensity
            point.precipProbability = next?.point.precipProbability
            point.windGust = next?.point.windGust
            point.uvIndex = next?.point.uvIndex
            point.solar = next?.point.solar
            inputs.rain = next?.inputs.rain
            inputs.showers = next?.inputs.showers
            inputs.snow = next?.inputs.snow
            inputs.code = WeatherCode.code(from: inputs.code, to: next?.inputs.code, cloudCover: point.cloudCover)
        }

        /// Moves a day to its real midnight, and removes the times of a sun that does not rise or does not set.
        ///
        /// In the polar night both are the midnight that starts the day, in the polar day sunset is 24 hours later
        /// (open-meteo/open-meteo, `Sources/App/Helper/Solar/SunRiseSet.swift`).
        mutating func correctDay(_ clock: Clock) {
            let label = point.time
            point.time = UnixSeconds(clock.midnight(ofDayLabelled: label.seconds))
            guard let sunrise = point.sunriseTime, let sunset = point.sunsetTime else { return }
            let isInvented = sunrise == label && [0, 86400].contains(sunset.seconds - label.seconds)
            if isInvented || sunrise == sunset { (point.sunriseTime, point.sunsetTime) = (nil, nil) }
        }

        /// Computes the fields that follow from the inputs: amounts of rain and snow, and the weather in words.
        mutating func derive(for block: Block, _ calendar: Calendar) {
            let (liquid, snow) = (inputs.liquid, inputs.snow)
            if block != .daily {
                // Open-Meteo's own ratio: 7 cm of snow are 10 mm of water.
                point.rainIntensity = liquid.flatMap { Self.amount($0 * 10 / inputs.hours, as: Self.rainIntensity) }
                point.snowIntensity = snow.flatMap { Self.amount($0 / 0.7 / inputs.hours, as: Self.snowIntensity) }
            }
            if block == .hourly || block == .daily {
                point.liquidAccumulation = liquid.flatMap { Self.amount($0, as: Self.liquidAccumulation) }
                point.snowAccumulation = snow
                // Dark Sky's precipAccumulation counts snow only, and is absent without any.
                if let snow, snow > 0 { point.precipAccumulation = snow }
            }
            let weather = inputs.code.flatMap(WeatherCode.find)
            point.precipType = (inputs.kind ?? precipitation(weather, in: block)).map { .known($0) }
            guard let weather else { return }
            point.summary = weather.summary
            point.icon = .known(block != .daily && calendar.isNight(self) ? weather.nightIcon : weather.icon)
        }

        /// Returns a computed amount with four decimals, or nil if the field does not accept it.
        private static func amount(_ value: Double, as field: SchemaField<Double>) -> Double? {
            accepted(Conversion.Step(scale: 1, places: 4)(value), by: field)
        }

        /// Returns the type of precipitation: by the amounts of rain and snow, or by the code if only their sum is known.
        ///
        /// Rain with snow and freezing rain are sleet, as for Dark Sky; of a day, the larger amount counts.
        private func precipitation(_ weather: WeatherCode?, in block: Block) -> PrecipitationType? {
            let rains = (inputs.liquid ?? 0) > 0
            let snows = (inputs.snow ?? 0) > 0
            if rains, weather?.precipitation == .sleet { return .sleet }
            if rains, snows {
                guard block == .daily else { return .sleet }
                return (inputs.liquid ?? 0) < (inputs.snow ?? 0) / 7 ? .snow : .rain
            }
            if rains { return .rain }
            if snows { return .snow }
            return (point.precipIntensity ?? 0) > 0 ? weather?.precipitation : nil
        }
    }

    /// Returns `number`, or nil if `field` treats it as absent or implausible.
    static func accepted<Value>(_ number: Double, by field: SchemaField<Value>) -> Double? {
        field.accepts(number) ? number : nil
    }

    /// Reads the blocks of an answer: columns into rows.
    struct BlockReader {
        let units: Units
        let clock: Clock

        /// A column of a block, with its key as the answer spells it.
        private struct Entry {
            let index: Int
            let column: Column
            let key: JSONNode
            let value: JSONNode
        }

        private static let time = DataPoint.schema.field(\.time)
        private static let interval = Row.Inputs.schema.field(\.interval)
        private static let maximumRows = DataBlock.schema.field(\.data).rules.maximumElements

        /// Reads an object of values at one time; returns nil, which is reported, if it is not an object or has no time.
        func row(_ node: JSONNode, of block: Block, _ reader: inout RecordReader) -> Row? {
            guard node.kind == .object else {
                reader.note(.dropped, .mistyped)
                return nil
            }
            let time = node["time"].flatMap { node in reader.at("time") { clock.read(node, as: Self.time, &$0) } }
            guard let time else {
                reader.note(.dropped, .invalid)
                return nil
            }
            var row = Row(at: time)
            if let interval = node["interval"] {
                row.inputs.interval = reader.at("interval") { $0.read(interval, as: Self.interval) }
            }
            let hours = row.inputs.hours
            for entry in entries(of: node, in: block, &reader) {
                reader.at(entry.key) { reader in
                    guard let unit = unit(of: entry, in: block, hours, &reader) else { return }
                    entry.column.read(entry.value, unit, clock, &row, &reader)
                }
            }
            return row
        }

        /// Reads an object of columns; returns nil, which is reported, if it is not an object or has no column of times.
        ///
        /// A row without a time is removed. Cells that a column lacks are absent; those beyond the times are dropped.
        func rows(_ node: JSONNode, of block: Block, _ reader: inout RecordReader) -> [Row]? {
            guard node.kind == .object, let times = node["time"], times.kind == .array else {
                reader.note(.dropped, node.kind == .object ? .invalid : .mistyped)
                return nil
            }
            var (rows, indices) = rows(at: times, &reader)
            for entry in entries(of: node, in: block, &reader) {
                reader.at(entry.key) { reader in
                    guard let unit = unit(of: entry, in: block, block == .daily ? 24 : 1, &reader) else { return }
                    guard entry.value.kind == .array else { return reader.note(.dropped, .mistyped) }
                    reader.atElements(of: entry.value) { cell, node, reader in
                        guard cell < indices.count else {
                            if !node.isNull { reader.note(.dropped, .tooMany) }
                            return
                        }
                        guard let row = indices[cell] else { return }
                        entry.column.read(node, unit, clock, &rows[row], &reader)
                    }
                }
            }
            return rows
        }

        /// Returns a row for each valid time, and for each cell of `times` the index of its row.
        private func rows(at times: JSONNode, _ reader: inout RecordReader) -> (rows: [Row], indices: [Int?]) {
            var rows: [Row] = []
            var indices: [Int?] = []
            reader.at("time") { reader in
                reader.atElements(of: times) { _, cell, reader in
                    let isFull = rows.count == Self.maximumRows
                    guard !isFull, let time = clock.read(cell, as: Self.time, &reader) else {
                        reader.note(.dropped, isFull ? .tooMany : cell.isNull ? .null : reader.reason)
                        return indices.append(nil)
                    }
                    indices.append(rows.count)
                    rows.append(Row(at: time))
                }
            }
            return (rows, indices)
        }

        /// Returns the known columns of a block; of those with the same or an alternative name, the last one.
        private func entries(of node: JSONNode, in block: Block, _ reader: inout RecordReader) -> [Entry] {
            var entries: [Entry] = []
            var positions: [Int: Int] = [:]
            var ownMembers: Set<String> = []
            for (key, value) in node.members {
                guard let index = block.table.index(of: key) else {
                    if let name = key.string, block.ownMembers.contains(name) {
                        if !ownMembers.insert(name).inserted { reader.at(key) { $0.note(.duplicateKey, .duplicate) } }
                    } else {
                        reader.at(key) { $0.note(.unexpectedKey, .unknownKey) }
                    }
                    continue
                }
                let entry = Entry(index: index, column: block.table.columns[index], key: key, value: value)
                if let position = positions[index] {
                    reader.at(key) { $0.note(.duplicateKey, .duplicate) }
                    entries[position] = entry
                } else {
                    positions[index] = entries.count
                    entries.append(entry)
                }
            }
            return entries
        }

        /// Returns the unit of a column whose sums cover some hours.
        ///
        /// Returns nil if the column is null or its unit is unknown, which is reported unless the column has no values.
        private func unit(of entry: Entry, in block: Block, _ hours: Double, _ reader: inout RecordReader) -> Unit? {
            if entry.value.isNull { return nil }
            guard let unit = units.unit(ofColumn: entry.index, in: block) else {
                let isEmpty = entry.value.kind == .array && entry.value.elements.allSatisfy(\.isNull)
                if !isEmpty { reader.note(.dropped, .unknownUnit) }
                return nil
            }
            return entry.column.measure == .rate ? unit.divided(byHours: hours) : unit
        }
    }
}

extension [OpenMeteo.Row] {
    /// Moves the values of an hour's span to the row at which the hour starts; rows without a next one lose them.
    mutating func alignSpans() {
        let order = indices.sorted { self[$0].point.time < self[$1].point.time }
        for (position, index) in order.enumerated() {
            let next = position + 1 < order.count ? self[order[position + 1]] : nil
            let follows = next.map { $0.point.time.seconds == self[index].point.time.seconds + 3600 } ?? false
            self[index].takeSpan(from: follows ? next : nil)
        }
    }
}
