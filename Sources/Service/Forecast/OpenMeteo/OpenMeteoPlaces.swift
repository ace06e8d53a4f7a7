import Contracts
import Records

// The places of Open-Meteo's values, there and in the answer.
extension OpenMeteo.Block {
    /// The member of an answer of Open-Meteo.
    var name: String {
        switch self {
        case .current: "current"
        case .currentWeather: "current_weather"
        case .minutely: "minutely_15"
        case .hourly: "hourly"
        case .daily: "daily"
        }
    }

    /// The block of the contract.
    fileprivate var block: ForecastBlock {
        switch self {
        case .current, .currentWeather: .currently
        case .minutely: .minutely
        case .hourly: .hourly
        case .daily: .daily
        }
    }
}

extension OpenMeteo {
    /// Returns the pattern in the contract's forecast for a pattern in a document: `hourly.data[].temperature` for
    /// `hourly.temperature_2m[]`; nil for what has no counterpart.
    static func place(of pattern: String) -> String? {
        // The document can be a list with one place.
        let pattern = pattern.hasPrefix("[].") ? String(pattern.dropFirst(3)) : pattern
        let parts = pattern.split(separator: ".", maxSplits: 1)
        guard let first = parts.first, let block = Block.allCases.first(where: { $0.name == first }) else {
            return pattern == "utc_offset_seconds" ? "offset" : nil
        }
        guard parts.count == 2 else { return block.block.rawValue }
        let name = String(parts[1].replacing("[]", with: ""))
        let field = name == "time" ? "time" : block.table.index(of: name).flatMap { block.table.columns[$0].field }
        return field.map { block.block.rawValue + (block.isMoment ? "." : ".data[].") + $0 }
    }

    /// Returns the columns of a block that each request asks for: of the weather now, or of another time.
    ///
    /// A request for another time can go to the archive, which has fewer columns, so the others are not expected.
    static func requested(_ block: Block, ofNow isOfNow: Bool) -> [Int] {
        switch block {
        case .current: isOfNow ? currentColumns : []
        case .currentWeather: []
        case .minutely: isOfNow ? quarterColumns : []
        case .hourly: isOfNow ? hourColumns : archiveColumns
        case .daily: dayColumns
        }
    }

    private static let currentColumns = moment.compactMap(moments.index)
    private static let quarterColumns = quarter.compactMap(moments.index)
    private static let hourColumns = hour.compactMap(moments.index)
    private static let archiveColumns = hourOfArchive.compactMap(moments.index)
    private static let dayColumns = day.compactMap(days.index)
}
