import API
import CivilDates
import JSONText
import Records

extension OpenMeteo {
    /// Reads the blocks of an answer: columns by name into series.
    struct BlockReader {
        let units: Units
        let clock: LocalClock
        /// Whether the weather code 96 means hail.
        let tellsHail: Bool
        /// Returns the columns that a block must have, by their indices.
        let requested: (Block) -> [Int]

        /// A column of a block, with its key as the answer spells it.
        private struct Entry {
            let index: Int
            let column: Column
            let key: JSONNode
            let value: JSONNode

            /// Whether the column is an array of nulls alone.
            var isHollow: Bool { value.kind == .array && value.count > 0 && value.elements.allSatisfy(\.isNull) }
        }

        private static let time = DataPoint.schema.field(\.time)
        private static let interval = Inputs.schema.field(\.interval)
        private static let number = Inputs.schema.field(\.number)
        private static let maximumRows = DataBlock.schema.field(\.data).rules.maximumElements

        /// Reads an object of values at one time; returns nil, which is reported, if it is not an object or has no time.
        func moment(_ node: JSONNode, of block: Block, _ reader: inout RecordReader) -> Series? {
            guard node.kind == .object else {
                reader.note(.dropped, .mistyped)
                return nil
            }
            let time = node["time"].flatMap { node in reader.at("time") { clock.read(node, as: Self.time, &$0) } }
            guard let time else {
                let isAmbiguous = node["time"] != nil && reader.reason == .ambiguousDate
                reader.note(.dropped, isAmbiguous ? .ambiguousDate : .invalid)
                return nil
            }
            let interval = node["interval"].flatMap { node in
                reader.at("interval") { $0.read(node, as: Self.interval) }
            }
            let hours = (interval ?? 3600) / 3600
            var series = Series(times: [time.seconds], variables: block.variables, hours: hours)
            for entry in entries(of: node, in: block, &reader) {
                reader.at(entry.key) { reader in
                    guard let unit = unit(of: entry, in: block, hours, &reader) else { return }
                    read(entry.value, of: entry.column, unit, into: &series, 0, &reader)
                }
            }
            return series
        }

        /// Reads an object of columns; returns nil, which is reported, if it is not an object or has no column of times.
        ///
        /// A row without a time is removed. Cells that a column lacks are absent; those beyond the times are dropped.
        func rows(_ node: JSONNode, of block: Block, _ reader: inout RecordReader) -> Series? {
            guard node.kind == .object, let times = node["time"], times.kind == .array else {
                reader.note(.dropped, node.kind == .object ? .invalid : .mistyped)
                return nil
            }
            let cells = cells(at: times, &reader)
            var series = Series(times: cells.times, variables: block.variables, hours: block.hours)
            for entry in entries(of: node, in: block, &reader) {
                reader.at(entry.key) { reader in
                    guard let unit = unit(of: entry, in: block, block.hours, &reader) else { return }
                    guard entry.value.kind == .array else { return reader.note(.dropped, .mistyped) }
                    if entry.isHollow {
                        let isExpected = entry.column.isWeatherCode || requested(block).contains(entry.index)
                        if isExpected { reader.note(.missing, .null) }
                        return
                    }
                    read(entry, unit, cells, into: &series, &reader)
                }
            }
            return series
        }

        /// The rows of a block's cells.
        private struct Cells {
            var times: [Double] = []
            var count = 0
            /// The row of each cell if some cells have none.
            var rows: [Int?]?

            func row(_ cell: Int) -> Int? { rows.map { $0[cell] } ?? cell }
        }

        private func cells(at times: JSONNode, _ reader: inout RecordReader) -> Cells {
            let plain = reader.plainNumbers(of: times, as: Self.number, atMost: Self.maximumRows)
            // Not if a time is NaN.
            if let plain, plain.allSatisfy({ $0 < Forecast.milliseconds.lowerBound }) {
                return Cells(times: plain, count: plain.count)
            }
            var cells = Cells()
            cells.times.reserveCapacity(min(times.count, Self.maximumRows))
            reader.at("time") { reader in
                reader.atElements(of: times) { index, cell, reader in
                    cells.count = index + 1
                    let isFull = cells.times.count == Self.maximumRows
                    if !isFull, let time = clock.read(cell, as: Self.time, &reader) {
                        cells.rows?.append(cells.times.count)
                        return cells.times.append(time.seconds)
                    }
                    reader.note(.dropped, isFull ? .tooMany : cell.isNull ? .null : reader.reason)
                    if cells.rows == nil { cells.rows = Array(0..<index) }
                    cells.rows?.append(nil)
                }
            }
            return cells
        }

        private func read(
            _ entry: Entry, _ unit: Unit, _ cells: Cells, into series: inout Series, _ reader: inout RecordReader
        ) {
            if case .number(let variable, let field) = entry.column.cell, cells.rows == nil {
                return reader.readNumbers(
                    of: entry.value, first: cells.count, as: field, converted: unit.step, into: &series.values,
                    at: series.start(of: variable))
            }
            reader.atElements(of: entry.value) { cell, node, reader in
                guard cell < cells.count else {
                    if !node.isNull { reader.note(.dropped, .tooMany) }
                    return
                }
                guard let row = cells.row(cell) else { return }
                read(node, of: entry.column, unit, into: &series, row, &reader)
            }
        }

        /// Reads a cell into a row.
        private func read(
            _ node: JSONNode, of column: Column, _ unit: Unit, into series: inout Series, _ row: Int,
            _ reader: inout RecordReader
        ) {
            switch column.cell {
            case .number(let variable, let field):
                series[variable, row] = reader.number(node, as: field, converted: unit.step) ?? .nan
            case .integer(let variable, let field):
                let hasCode = variable == .code
                if hasCode, let code = node.int64.flatMap({ WeatherCode.code($0, tellsHail: tellsHail) }) {
                    return series[.code, row] = Double(code)
                }
                guard let value = reader.read(node, as: field) else { return }
                let code = hasCode ? WeatherCode.code(Int64(value), tellsHail: tellsHail) : value
                if let code { series[variable, row] = Double(code) } else { reader.note(.unrecognized, .unknownValue) }
            case .time(let variable, let field):
                series[variable, row] = reader.read(node) { clock.read($0, as: field, &$1) }?.seconds ?? .nan
            case .unused: break
            }
        }

        /// Returns the known columns of a block; of those with the same or an alternative name, the last one.
        private func entries(of node: JSONNode, in block: Block, _ reader: inout RecordReader) -> [Entry] {
            let table = block.table
            var entries: [Entry] = []
            var positions = [Int?](repeating: nil, count: table.columns.count)
            var ownMembers: Set<String> = []
            for (key, value) in node.members {
                let name = key.string ?? ""
                guard let index = table.index(of: name) else {
                    if name == "time" || block.isMoment && name == "interval" {
                        if !ownMembers.insert(name).inserted { reader.at(key) { $0.note(.duplicateKey, .duplicate) } }
                    } else {
                        reader.at(key) { $0.note(.unexpectedKey, .unknownKey) }
                    }
                    continue
                }
                let entry = Entry(index: index, column: table.columns[index], key: key, value: value)
                if let position = positions[index] {
                    reader.at(key) { $0.note(.duplicateKey, .duplicate) }
                    entries[position] = entry
                } else {
                    positions[index] = entries.count
                    entries.append(entry)
                }
            }
            for index in requested(block) where positions[index] == nil {
                reader.noteMissing(table.columns[index].names[0])
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

// The times of Open-Meteo's answers, which follow the offset of now.
extension LocalClock {
    /// Reads a time: unix seconds, or ISO 8601 in local time unless it names a zone.
    ///
    /// Local time without a known offset is mistyped.
    func read(
        _ node: JSONNode, as field: SchemaField<UnixSeconds>, _ reader: inout RecordReader
    ) -> UnixSeconds? {
        if let number = node.double, field.accepts(number) { return Self.inSeconds(number, &reader) }
        guard let text = node.string, let timestamp = ISO8601Timestamp(text.utf8.span), var seconds = timestamp.seconds
        else { return UnixSeconds.read(node, field.rules, &reader).map { Self.inSeconds($0.seconds, &reader) } }
        if timestamp.offset == nil {
            guard let offset else { return reader.fail(.mistyped) }
            seconds -= offset
        }
        return field.accepts(seconds) ? UnixSeconds(seconds) : reader.fail(.implausible)
    }

    /// Returns a time that may be in milliseconds: rows are compared before the points are corrected.
    private static func inSeconds(_ number: Double, _ reader: inout RecordReader) -> UnixSeconds {
        guard Forecast.milliseconds.contains(number) else { return UnixSeconds(number) }
        reader.noteCoercion(.milliseconds, expected: UnixSeconds.expectation)
        return UnixSeconds(number / 1000)
    }

    /// Returns the real midnight of the day that the upstream starts at `label`; another time is returned unchanged.
    ///
    /// Open-Meteo's days start at midnight by the offset of now, also in the other season
    /// (open-meteo/open-meteo, `Sources/App/Helper/ForecastapiQuery.swift`, `TimezoneWithOffset`).
    func midnight(ofDayLabelled label: Double) -> Double {
        guard let offset, (label + offset).truncatingRemainder(dividingBy: 86400) == 0 else { return label }
        return moment(ofLocal: label + offset) ?? label
    }

    /// Whether the day that the upstream starts at `label` exists: no clock showed 2011-12-30 in Samoa.
    func exists(dayLabelled label: Double) -> Bool {
        guard let offset, let rules, (label + offset).truncatingRemainder(dividingBy: 86400) == 0 else {
            return true
        }
        let start = rules.moment(ofLocal: label + offset)
        return ((start + rules.offset(at: start)) / 86400).rounded(.down) * 86400 == label + offset
    }

    /// Returns the moment of the values that the upstream labels with `label` in an hourly block.
    ///
    /// In zones with half and quarter hours the values are those of full hours in UTC, but the labels are full local
    /// hours (`hourlyRead` and `hourlyDisplay` of the same file).
    func hour(labelled label: Double) -> Double {
        guard let rest = offset?.truncatingRemainder(dividingBy: 3600), rest != 0 else { return label }
        return (label + rest).truncatingRemainder(dividingBy: 3600) == 0 ? label + rest : label
    }
}
