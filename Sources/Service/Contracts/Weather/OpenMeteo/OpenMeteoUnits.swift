import JSONText
import Records

extension OpenMeteo {
    /// The quantity of a column, which determines its possible units.
    enum Measure: Int, Sendable, CaseIterable {
        case temperature, speed, distance, pressure, fraction, direction, radiation, energy
        /// Water per hour, and the depths of water and of snow.
        case rate, water, snow
        /// A number or a time without a unit; any unit that an answer names is ignored.
        case plain

        /// Returns the unit that Open-Meteo calls `name`, or nil if it is unknown.
        func unit(named name: String) -> Unit? {
            self == .plain ? .contract : Self.units[rawValue].first { $0.name == name }?.unit
        }

        /// The unit of an answer that names none: Open-Meteo's default, the first of the table.
        var defaultUnit: Unit { Self.units[rawValue].first?.unit ?? .contract }

        /// Decimal conversions keep every digit; the others round as `UnitSystem` does.
        private static let table: [Measure: KeyValuePairs<String, Unit>] = [
            .temperature: ["°C": .contract, "°F": .scaled(5 / 9, -160 / 9), "K": .scaled(1, -273.15)],
            .speed: [
                "km/h": .scaled(1 / 3.6), "m/s": .contract, "mp/h": .scaled(0.44704), "mph": .scaled(0.44704),
                "kn": .scaled(1852 / 3600),
            ],
            .distance: [
                "m": .scaled(0.001, places: 3), "km": .contract, "ft": .scaled(0.000_304_8), "mi": .scaled(1.609_344),
            ],
            .pressure: ["hPa": .contract, "Pa": .scaled(0.01, places: 4)],
            .fraction: ["%": .scaled(0.01, places: 4)],
            .direction: ["°": .contract],
            .radiation: ["W/m²": .contract],
            .energy: ["J/kg": .contract],
            .rate: ["mm": .contract, "cm": .scaled(10, places: 4), "inch": .scaled(25.4, places: 4)],
            .water: ["mm": millimetre, "cm": .contract, "inch": inch],
            .snow: ["cm": .contract, "mm": millimetre, "inch": inch],
        ]

        /// The units by the index of the measure; a few names are found faster in a list than by their hashes.
        private static let units: [[(name: String, unit: Unit)]] = allCases.map { measure in
            (table[measure] ?? [:]).map { ($0.key, $0.value) }
        }

        private static let millimetre = Unit.scaled(0.1, places: 4), inch = Unit.scaled(2.54, places: 4)
    }

    /// A unit of Open-Meteo, as its conversion to the contract's unit of the same measure.
    struct Unit: Sendable {
        /// Nil if the two units are the same.
        let step: Conversion.Step?

        /// The contract's own unit.
        static let contract = Unit(step: nil)

        fileprivate static func scaled(_ scale: Double, _ offset: Double = 0, places: Int = 2) -> Unit {
            Unit(step: Conversion.Step(scale: scale, offset: offset, places: places))
        }

        /// Returns the unit of a sum over some hours whose contract field is a rate per hour.
        func divided(byHours hours: Double) -> Unit {
            hours == 1 ? self : .scaled((step?.scale ?? 1) / hours, places: 4)
        }
    }

    /// The units that an answer names for the columns of its blocks.
    struct Units {
        /// By the block and the index of the column; nil for a column without a unit, `.some(nil)` for an unknown one.
        private var named = [[Unit??]](repeating: [], count: Block.allCases.count)
        /// The first known unit of each measure, by its index.
        private var firstKnown = [Unit?](repeating: nil, count: Measure.allCases.count)

        /// Reads the units of one block: an object of strings.
        mutating func read(_ node: JSONNode, of block: Block, _ reader: inout RecordReader) {
            guard node.kind == .object else { return reader.note(.dropped, .mistyped) }
            let table = block.table
            var units = [Unit??](repeating: nil, count: table.columns.count)
            for (key, value) in node.members where !value.isNull && value.string != "" {
                guard let index = key.string.flatMap(table.index) else { continue }
                let measure = table.columns[index].measure
                // A unit that is not a string is unknown to all measures but `plain`.
                let unit = measure.unit(named: value.string ?? "")
                units[index] = .some(unit)
                if firstKnown[measure.rawValue] == nil { firstKnown[measure.rawValue] = unit }
            }
            named[block.rawValue] = units
        }

        /// Returns the unit of a column, or nil if it is unknown.
        ///
        /// A request sets one unit per measure, so a block that names none has the unit of the other blocks.
        func unit(ofColumn index: Int, in block: Block) -> Unit? {
            let units = named[block.rawValue]
            if index < units.count, let unit = units[index] { return unit }
            let measure = block.table.columns[index].measure
            return firstKnown[measure.rawValue] ?? measure.defaultUnit
        }
    }
}
