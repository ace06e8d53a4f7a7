import API
import ContractsSupport
import Contracts
import Foundation
import Records
import TestSupport
import Testing

/// Compares recorded answers of Open-Meteo with a second, plainer implementation.
@Suite("Recorded answers of Open-Meteo")
struct OpenMeteoRecordedTests {
    private static let documents = Checkout.sharedFiles("corpus/other").filter { $0.name.contains("openmeteo") }

    @Test("Normalizing each one reports days that are known in part alone, and normalizing the result changes nothing")
    func normalized() throws {
        for (name, bytes) in Self.documents {
            let answer = try ForecastDialect.openMeteo.normalize(bytes).shaped()
            let entries = answer.drift.entries.filter { $0.kind != .approximated || $0.path != "daily.data[]" }
            #expect(entries.isEmpty, "\(name): \(answer.drift.summary)")
            #expect(try ForecastDialect.darkSky.normalize(answer.body).shaped().body == answer.body, "\(name)")
            let inventory = try Inventory(of: answer.body)
            #expect(inventory.nulls == 0 && inventory.sentinels == 0, "\(name)")
        }
    }

    @Test("No value of any column is lost, changed or added")
    func complete() throws {
        for (name, bytes) in Self.documents {
            let document = try #require(JSONValue(parsing: bytes))
            let answer = try #require(JSONValue(parsing: try ForecastDialect.openMeteo.normalize(bytes).shaped().body))
            let columns = PlainColumns(document)
            for (block, rows) in [("hourly", columns.rows("hourly")), ("daily", columns.rows("daily"))] {
                let points = answer[block]?["data"]?.elements ?? []
                #expect(points.count == rows.count, "\(name) \(block)")
                for (point, row) in zip(points, rows) { Self.compare(point, row, "\(name) \(block)") }
            }
            if let row = columns.current {
                Self.compare(try #require(answer["currently"]), row, "\(name) currently")
            }
        }
    }

    private static func compare(_ point: JSONValue, _ row: [String: Double], _ label: String) {
        for (field, expected) in row {
            let value = point[field]?.doubleValue
            #expect(value.map { abs($0 - expected) <= 0.005 } == true, "\(label) \(field): \(point) for \(expected)")
        }
        for member in point.members ?? [] where row[member.key] == nil {
            #expect(PlainColumns.computed.contains(member.key), "\(label): no column gives \(member.key)")
        }
    }
}

/// The rows of an answer, read by column name and unit without any rules.
private struct PlainColumns {
    /// The fields that are computed from other cells.
    static let computed: Set<String> = [
        "summary", "icon", "precipType", "precipIntensityMax", "precipIntensityMaxTime", "humidity", "dewPoint",
        "pressure", "cloudCover", "temperatureHigh", "temperatureLow", "temperatureHighTime", "temperatureLowTime",
        "temperatureMaxTime", "temperatureMinTime", "apparentTemperatureHigh", "apparentTemperatureLow",
        "apparentTemperatureHighTime", "apparentTemperatureLowTime", "apparentTemperatureMaxTime",
        "apparentTemperatureMinTime", "windGustTime", "uvIndexTime", "rainIntensity", "snowIntensity",
        "liquidAccumulation", "snowAccumulation", "precipAccumulation", "windSpeed", "precipIntensity", "moonPhase",
        "stationPressure", "windBearing", "visibility", "iceIntensity", "iceAccumulation", "rainIntensityMax",
        "snowIntensityMax", "iceIntensityMax", "solarMax", "capeMax", "capeMaxTime",
    ]

    private static let fields = [
        "time": "time", "temperature_2m": "temperature", "temperature": "temperature",
        "relative_humidity_2m": "humidity", "relativehumidity_2m": "humidity", "precipitation": "precipIntensity",
        "wind_speed_10m": "windSpeed", "windspeed_10m": "windSpeed", "windspeed": "windSpeed",
        "wind_direction_10m": "windBearing", "winddirection_10m": "windBearing", "winddirection": "windBearing",
        "temperature_2m_max": "temperatureMax", "temperature_2m_min": "temperatureMin", "sunrise": "sunriseTime",
        "sunset": "sunsetTime", "precipitation_sum": "precipIntensity",
    ]
    /// The columns that only computed fields depend on.
    private static let others: Set<String> = ["weather_code", "weathercode", "is_day", "interval"]

    private let document: JSONValue

    init(_ document: JSONValue) { self.document = document }

    var current: [String: Double]? {
        for block in ["current", "current_weather"] {
            guard let members = document[block]?.members else { continue }
            var row: [String: Double] = [:]
            for member in members {
                guard let field = field(member.key) else { continue }
                row[field] = number(member.value, member.key, block)
            }
            return row
        }
        return nil
    }

    func rows(_ block: String) -> [[String: Double]] {
        let count = document[block]?["time"]?.elements?.count ?? 0
        var rows = [[String: Double]](repeating: [:], count: count)
        for member in document[block]?.members ?? [] {
            guard let field = field(member.key) else { continue }
            // A sum of the hour before its row, which belongs to the row before; a day has the sums of its hours.
            let isSum = field == "precipIntensity"
            if isSum, block == "daily", document["hourly"]?["precipitation"] != nil { continue }
            let cells = (member.value.elements ?? []).dropFirst(isSum && block == "hourly" ? 1 : 0)
            for (index, cell) in cells.enumerated() {
                rows[index][field] = number(cell, member.key, block)
            }
        }
        return rows
    }

    private func field(_ name: String) -> String? {
        if Self.others.contains(name) { return nil }
        let field = Self.fields[name]
        #expect(field != nil, "the table of this test lacks \(name)")
        return field
    }

    private func number(_ cell: JSONValue, _ name: String, _ block: String) -> Double? {
        switch document[block + "_units"]?[name]?.stringValue {
        case "iso8601": return cell.stringValue.flatMap(moment)
        case "%": return cell.doubleValue.map { $0 / 100 }
        case "km/h": return cell.doubleValue.map { $0 * 1000 / 3600 }
        case "mm" where name == "precipitation_sum": return cell.doubleValue.map { $0 / 24 }
        default: return cell.doubleValue
        }
    }

    private func moment(_ text: String) -> Double? {
        let parts = text.split { "-T:".contains($0) }.compactMap { Int($0) }
        guard parts.count >= 3 else { return nil }
        var date = DateComponents()
        date.timeZone = TimeZone(secondsFromGMT: document["utc_offset_seconds"]?.intValue ?? 0)
        (date.year, date.month, date.day) = (parts[0], parts[1], parts[2])
        (date.hour, date.minute) = parts.count > 4 ? (parts[3], parts[4]) : (0, 0)
        return Calendar(identifier: .gregorian).date(from: date)?.timeIntervalSince1970
    }
}
