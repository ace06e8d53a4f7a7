import Contracts
import Foundation
import JSONText
import LenientCoding
import Testing

/// The recorded answers of Open-Meteo that lie beside the repository, read a second time by a plain walk.
@Suite("Recorded answers of Open-Meteo")
struct OpenMeteoRecordedTests {
    private static func documents() throws -> [(name: String, bytes: [UInt8])] {
        let shared =
            ProcessInfo.processInfo.environment["WEIR_CORPUS"].map { URL(fileURLWithPath: $0) }
            ?? URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("shared")
        let folder = shared.appendingPathComponent("corpus/other")
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else {
            print("recorded answers of Open-Meteo: skipped, there is no folder \(folder.path)")
            return []
        }
        return try names.sorted().filter { $0.contains("openmeteo") }.map { name in
            (name, Array(try Data(contentsOf: folder.appendingPathComponent(name))))
        }
    }

    private static func value(_ bytes: [UInt8]) throws -> JSONValue {
        var parser = JSONParser()
        return try parser.withDocument(bytes) { JSONValue($0) }
    }

    @Test("Every one is normalized without a repair, and that to itself")
    func normalized() throws {
        for (name, bytes) in try Self.documents() {
            let answer = try Dialect.openMeteo.normalize(bytes)
            #expect(answer.drift.isEmpty, "\(name): \(answer.drift.summary)")
            #expect(try Dialect.darkSky.normalize(answer.body).body == answer.body, "\(name)")
            let inventory = try Inventory(of: answer.body)
            #expect(inventory.nulls == 0 && inventory.sentinels == 0, "\(name)")
        }
    }

    @Test("No value of any column is lost, changed or invented")
    func complete() throws {
        for (name, bytes) in try Self.documents() {
            let document = try Self.value(bytes)
            let answer = try Self.value(try Dialect.openMeteo.normalize(bytes).body)
            let walk = PlainColumns(document)
            for (block, rows) in [("hourly", walk.rows("hourly")), ("daily", walk.rows("daily"))] {
                let points = answer[block]?["data"]?.elements ?? []
                #expect(points.count == rows.count, "\(name) \(block)")
                for (point, row) in zip(points, rows) { Self.compare(point, row, "\(name) \(block)") }
            }
            if let row = walk.current {
                Self.compare(try #require(answer["currently"]), row, "\(name) currently")
            }
        }
    }

    private static func compare(_ point: JSONValue, _ row: [String: Double], _ place: String) {
        for (field, expected) in row {
            let value = point[field]?.doubleValue
            #expect(value.map { abs($0 - expected) <= 0.005 } == true, "\(place) \(field): \(point) for \(expected)")
        }
        for member in point.members ?? [] where row[member.key] == nil {
            #expect(PlainColumns.workedOut.contains(member.key), "\(place): \(member.key) comes from nowhere")
        }
    }
}

/// Columns read the plain way: by name and unit, without rules.
private struct PlainColumns {
    /// Fields that are worked out from several cells.
    static let workedOut: Set<String> = [
        "summary", "icon", "precipType", "precipIntensityMax", "precipIntensityMaxTime", "humidity", "dewPoint",
        "pressure", "cloudCover", "temperatureHigh", "temperatureLow", "temperatureHighTime", "temperatureLowTime",
        "temperatureMaxTime", "temperatureMinTime", "apparentTemperatureHigh", "apparentTemperatureLow",
        "apparentTemperatureHighTime", "apparentTemperatureLowTime", "apparentTemperatureMaxTime",
        "apparentTemperatureMinTime", "windGustTime", "uvIndexTime", "rainIntensity", "snowIntensity",
        "liquidAccumulation", "snowAccumulation", "precipAccumulation",
    ]

    private static let fields = [
        "time": "time", "temperature_2m": "temperature", "temperature": "temperature",
        "relative_humidity_2m": "humidity", "relativehumidity_2m": "humidity", "precipitation": "precipIntensity",
        "wind_speed_10m": "windSpeed", "windspeed_10m": "windSpeed", "windspeed": "windSpeed",
        "wind_direction_10m": "windBearing", "winddirection_10m": "windBearing", "winddirection": "windBearing",
        "temperature_2m_max": "temperatureMax", "temperature_2m_min": "temperatureMin", "sunrise": "sunriseTime",
        "sunset": "sunsetTime", "precipitation_sum": "precipIntensity",
    ]
    /// Columns that are known and show in other fields.
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
            for (index, cell) in (member.value.elements ?? []).enumerated() {
                rows[index][field] = number(cell, member.key, block)
            }
        }
        return rows
    }

    private func field(_ name: String) -> String? {
        if Self.others.contains(name) { return nil }
        let field = Self.fields[name]
        #expect(field != nil, "\(name) is not in the walk's table")
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
