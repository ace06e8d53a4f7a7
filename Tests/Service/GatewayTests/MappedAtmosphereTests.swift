import API
import Contracts
import ContractsSupport
import Foundation
import JSONText
import Records
import Testing

@testable import Gateway

/// The same days through every mapping give the answers of the dialects of Swift, beside what an upstream does not have.
@Suite("Equal answers of all mappings")
struct MappedAtmosphereTests {
    private static func answer(_ source: MappedAtmosphere.Source) throws -> JSONValue {
        let mapping = try MappingNormalization(source.name, kind: .forecast, in: nil)
        let dialect = try #require(mapping.dialect as? ForecastDialect)
        var query = ForecastQuery(latitude: 52.5, longitude: 13.4)
        query.timeZone = "Europe/Berlin"
        let text = try mapping.text(Array(source.document.utf8), options: JSONOptions())
        let document = try dialect.normalize(text, answering: nil, defaults: AnswerDefaults(query)).shaped().body
        // A document without a zone has the nautical one: here, that of Berlin's winter.
        return try #require(JSONValue(parsing: document))
    }

    /// Checks every field of a point; an amount of zero may also be absent.
    private static func expect(
        _ point: JSONValue?, _ values: [String: Double], in source: MappedAtmosphere.Source, _ name: String
    ) {
        for (field, expected) in values where !source.lacks.contains(where: field.hasPrefix) {
            let isAmount = expected == 0 && (field.hasSuffix("Accumulation") || field.hasSuffix("Intensity"))
            let value = point?[field]?.doubleValue ?? (isAmount ? 0 : .nan)
            #expect(abs(value - expected) < 0.0061, "\(source.name) \(name).\(field) is \(value), not \(expected)")
        }
    }

    @Test("Every hour has the values of the atmosphere", arguments: MappedAtmosphere.all)
    func hours(source: MappedAtmosphere.Source) throws {
        let hours = try #require(Self.answer(source)["hourly"]?["data"]?.elements)
        #expect(hours.count >= SyntheticAtmosphere.hours.count)
        for (hour, point) in zip(SyntheticAtmosphere.hours, hours).dropLast() {
            var values = SyntheticAtmosphere.hour(hour)
            values["precipAccumulation"] = values["snowAccumulation"]
            Self.expect(point, values, in: source, "hourly[\(hour)]")
            if source.lacks.contains("precipType") { continue }
            let type = SyntheticAtmosphere.precipitation(values["liquidAccumulation"], values["snowAccumulation"])
            #expect(point["precipType"]?.stringValue == type, "\(source.name) hour \(hour)")
        }
        #expect(hours[14]["icon"]?.stringValue == "thunderstorm")
        #expect(hours[44]["icon"]?.stringValue == "snow" && hours[5]["icon"]?.stringValue == "cloudy")
    }

    @Test("Every day has the values of the atmosphere", arguments: MappedAtmosphere.all)
    func days(source: MappedAtmosphere.Source) throws {
        let days = try #require(Self.answer(source)["daily"]?["data"]?.elements)
        try #require(days.count >= 2)
        for day in 0..<2 {
            var values = SyntheticAtmosphere.day(day)
            values["precipAccumulation"] = values["snowAccumulation"]
            // The mean direction of a day is computed, and not the one that the atmosphere gives to dialects with days.
            values["windBearing"] = nil
            Self.expect(days[day], values, in: source, "daily[\(day)]")
            if source.lacks.contains("precipType") { continue }
            #expect(days[day]["precipType"]?.stringValue == ["rain", "snow"][day], "\(source.name)")
        }
    }
}
