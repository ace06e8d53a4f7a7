import JSONText
import LenientCoding

extension OpenMeteo {
    /// Reads the blocks of a document: columns to rows.
    struct BlockReading {
        let units: Units
        let clock: Clock

        /// One column of a block at hand, with its key as the document spells it.
        private struct Entry {
            let index: Int
            let column: Column
            let key: JSONNode
            let value: JSONNode
        }

        private static let timeRules = DataPoint.schema.field(\.time)
        private static let intervalRules = Sky.schema.field(\.interval)
        private static let maximumRows = DataBlock.schema.field(\.data).rules.maximumElements

        /// Reads the values of one moment; nil, and noted, when it is no object or has no time.
        func moment(_ node: JSONNode, of block: Block, _ reader: inout RecordReader) -> Row? {
            guard node.kind == .object else {
                reader.note(.dropped, .mistyped)
                return nil
            }
            let time = node["time"].flatMap { node in reader.at("time") { clock.read(node, as: Self.timeRules, &$0) } }
            guard let time else {
                reader.note(.dropped, .invalid)
                return nil
            }
            var row = Row()
            row.point.time = time
            if let interval = node["interval"] {
                row.sky.interval = reader.at("interval") { $0.read(interval, as: Self.intervalRules) }
            }
            let hours = row.sky.hours
            for entry in entries(of: node, in: block, &reader) {
                reader.at(entry.key) { reader in
                    guard let rule = rule(of: entry, in: block, hours, &reader) else { return }
                    entry.column.read(entry.value, rule, clock, into: &row, &reader)
                }
            }
            return row
        }

        /// Reads columns to rows; nil, and noted, when it is no object or has no times.
        ///
        /// A row without a time is removed. Cells that a column lacks are absent; those past the times are dropped.
        func rows(_ node: JSONNode, of block: Block, _ reader: inout RecordReader) -> [Row]? {
            guard node.kind == .object, let times = node["time"], times.kind == .array else {
                reader.note(.dropped, node.kind == .object ? .invalid : .mistyped)
                return nil
            }
            var (rows, places) = rows(times, &reader)
            for entry in entries(of: node, in: block, &reader) {
                reader.at(entry.key) { reader in
                    guard let rule = rule(of: entry, in: block, block == .daily ? 24 : 1, &reader) else { return }
                    guard entry.value.kind == .array else { return reader.note(.dropped, .mistyped) }
                    reader.atElements(of: entry.value) { index, cell, reader in
                        guard index < places.count else {
                            if !cell.isNull { reader.note(.dropped, .tooMany) }
                            return
                        }
                        guard let place = places[index] else { return }
                        entry.column.read(cell, rule, clock, into: &rows[place], &reader)
                    }
                }
            }
            return rows
        }

        /// A row for each time that is one, and for each time the row it has.
        private func rows(_ times: JSONNode, _ reader: inout RecordReader) -> (rows: [Row], places: [Int?]) {
            var rows: [Row] = []
            var places: [Int?] = []
            reader.at("time") { reader in
                reader.atElements(of: times) { _, cell, reader in
                    var place: Int?
                    if rows.count == Self.maximumRows {
                        reader.note(.dropped, .tooMany)
                    } else if let time = clock.read(cell, as: Self.timeRules, &reader) {
                        place = rows.count
                        rows.append(Row())
                        rows[rows.count - 1].point.time = time
                    } else {
                        reader.note(.dropped, cell.isNull ? .null : reader.reason)
                    }
                    places.append(place)
                }
            }
            return (rows, places)
        }

        /// The columns of a block that are known, each once: the last one counts, whichever of its names it bears.
        private func entries(of node: JSONNode, in block: Block, _ reader: inout RecordReader) -> [Entry] {
            var entries: [Entry] = []
            var places: [Int: Int] = [:]
            var own: Set<String> = []
            for (key, value) in node.members {
                guard let index = block.table.index(of: key) else {
                    if let name = key.string, block.ownMembers.contains(name) {
                        if !own.insert(name).inserted { reader.at(key) { $0.note(.duplicateKey, .duplicate) } }
                    } else {
                        reader.at(key) { $0.note(.unexpectedKey, .unknownKey) }
                    }
                    continue
                }
                let entry = Entry(index: index, column: block.table.columns[index], key: key, value: value)
                if let place = places[index] {
                    reader.at(key) { $0.note(.duplicateKey, .duplicate) }
                    entries[place] = entry
                } else {
                    places[index] = entries.count
                    entries.append(entry)
                }
            }
            return entries
        }

        /// The unit rule of a column over so many hours; nil when there is nothing in it, or when its unit is not known,
        /// which is noted.
        private func rule(
            of entry: Entry, in block: Block, _ hours: Double, _ reader: inout RecordReader
        ) -> UnitRule? {
            if entry.value.isNull { return nil }
            guard let rule = units.rule(ofColumn: entry.index, in: block) else {
                let isEmpty = entry.value.kind == .array && entry.value.elements.allSatisfy(\.isNull)
                if !isEmpty { reader.note(.dropped, .unknownUnit) }
                return nil
            }
            return entry.column.measure == .rate ? rule.divided(byHours: hours) : rule
        }
    }
}

extension OpenMeteo.Column {
    /// Reads a cell into its place in a row.
    fileprivate func read(
        _ node: JSONNode, _ rule: OpenMeteo.UnitRule, _ clock: OpenMeteo.Clock, into row: inout OpenMeteo.Row,
        _ reader: inout RecordReader
    ) {
        switch target {
        case .point(let field, let rules):
            row.point[keyPath: field] = reader.number(node, as: rules, converted: rule.step)
        case .moment(let field, let rules):
            row.point[keyPath: field] = reader.read(node) { clock.read($0, as: rules, &$1) }
        case .amount(let field, let rules):
            row.sky[keyPath: field] = reader.number(node, as: rules, converted: rule.step)
        case .isDay(let rules):
            row.sky.isDay = reader.read(node, as: rules)
        case .code(let rules):
            row.sky.code = reader.read(node, as: rules)
            if let code = row.sky.code, WeatherCode.find(code) == nil { reader.note(.unrecognized, .unknownValue) }
        }
    }
}
