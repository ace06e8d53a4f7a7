import JSONText
import LenientCoding

extension OpenMeteo {
    /// Makes the contract's forecast of a document; of several places, of the first one.
    static func read(
        _ root: JSONNode, askedFor query: ForecastQuery?
    ) throws(ContractError) -> (forecast: Forecast, drift: DriftReport) {
        var reader = RecordReader()
        var document = Document()
        if root.kind == .array, root.count > 0 {
            reader.atElements(of: root) { index, place, reader in
                if index == 0 { document.read(place, &reader) } else { reader.note(.dropped, .tooMany) }
            }
        } else {
            document.read(root, &reader)
        }
        try reader.check()
        return (document.forecast(askedFor: query), reader.drift)
    }

    /// A document's place and its blocks as rows.
    struct Document {
        /// The members that are read or known to say nothing to a client.
        private enum Member: String {
            case latitude, longitude, timezone, elevation, current, hourly, daily
            case utcOffset = "utc_offset_seconds"
            case currentWeather = "current_weather"
            case currentUnits = "current_units"
            case currentWeatherUnits = "current_weather_units"
            case hourlyUnits = "hourly_units"
            case dailyUnits = "daily_units"
            case generationTime = "generationtime_ms"
            case zoneAbbreviation = "timezone_abbreviation"
            case locationID = "location_id"
        }

        /// The place alone.
        private(set) var place = Forecast()
        private(set) var current: Row?
        private(set) var hours: [Row]?
        private(set) var days: [Row]?
        private(set) var clock = Clock(offset: nil)

        mutating func read(_ node: JSONNode, _ reader: inout RecordReader) {
            guard reader.requireObject(node) else { return }
            let members = Self.members(of: node, &reader)
            readPlace(members, &reader)
            let blocks = BlockReading(units: Self.units(members, &reader), clock: clock)
            readMoment(members, blocks, &reader)
            if let node = members[.hourly], !node.isNull {
                hours = reader.at("hourly") { blocks.rows(node, of: .hourly, &$0) }
            }
            if let node = members[.daily], !node.isNull {
                days = reader.at("daily") { blocks.rows(node, of: .daily, &$0) }
            }
        }

        private static func members(of node: JSONNode, _ reader: inout RecordReader) -> [Member: JSONNode] {
            var members: [Member: JSONNode] = [:]
            for (key, value) in node.members {
                guard let member = key.string.flatMap(Member.init) else {
                    reader.at(key) { $0.note(.unexpectedKey, .unknownKey) }
                    continue
                }
                if members.updateValue(value, forKey: member) != nil {
                    reader.at(key) { $0.note(.duplicateKey, .duplicate) }
                }
            }
            return members
        }

        private mutating func readPlace(_ members: [Member: JSONNode], _ reader: inout RecordReader) {
            let fields = Forecast.schema
            let latitude = reader.at("latitude") { $0.require(members[.latitude], as: fields.field(\.latitude)) }
            let longitude = reader.at("longitude") { $0.require(members[.longitude], as: fields.field(\.longitude)) }
            let timezone = reader.at("timezone") { $0.require(members[.timezone], as: fields.field(\.timezone)) }
            place.latitude = latitude ?? 0
            place.longitude = longitude ?? 0
            place.timezone = timezone ?? ""
            if let node = members[.elevation] {
                place.elevation = reader.at("elevation") { $0.read(node, as: fields.field(\.elevation)) }
            }
            if let node = members[.utcOffset] {
                let hours = Conversion.Step(scale: 1 / 3600, places: 10)
                place.offset = reader.at("utc_offset_seconds") {
                    $0.number(node, as: fields.field(\.offset), converted: hours)
                }
            }
            let isUTC = ["GMT", "UTC", "Etc/GMT", "Etc/UTC"].contains(place.timezone)
            clock = Clock(offset: place.offset.map { ($0 * 3600).rounded() } ?? (isUTC ? 0 : nil))
        }

        private static func units(_ members: [Member: JSONNode], _ reader: inout RecordReader) -> Units {
            var units = Units()
            let named: [(StaticString, Member, Block)] = [
                ("current_units", .currentUnits, .current),
                ("current_weather_units", .currentWeatherUnits, .currentWeather),
                ("hourly_units", .hourlyUnits, .hourly),
                ("daily_units", .dailyUnits, .daily),
            ]
            for (name, member, block) in named {
                guard let node = members[member], !node.isNull else { continue }
                if node.kind == .object {
                    units.take(node, of: block)
                } else {
                    reader.at(name) { $0.note(.dropped, .mistyped) }
                }
            }
            return units
        }

        /// Reads the weather now, which has two names; where both are there, the newer one counts.
        private mutating func readMoment(
            _ members: [Member: JSONNode], _ blocks: BlockReading, _ reader: inout RecordReader
        ) {
            if let node = members[.current], !node.isNull {
                current = reader.at("current") { blocks.moment(node, of: .current, &$0) }
            }
            guard let node = members[.currentWeather], !node.isNull else { return }
            reader.at("current_weather") { reader in
                if current == nil {
                    current = blocks.moment(node, of: .currentWeather, &reader)
                } else {
                    reader.note(.duplicateKey, .duplicate)
                }
            }
        }
    }
}
