import API
import ContractsSupport
import Contracts
import JSONText
import Records
import Testing

@Suite("Documents of Open-Meteo")
struct OpenMeteoDocumentTests {
    @Test("A normalized document is a Dark Sky forecast without drift, which normalizing leaves unchanged")
    func idempotent() throws {
        for fixture in try Fixture.all(in: "openMeteo") where fixture.expected.error == nil {
            try Self.expectForecast(try ForecastDialect.openMeteo.normalize(fixture.input).shaped().body, fixture.name)
        }
    }

    @Test("A document that is cut off at any byte is an error")
    func truncated() throws {
        for fixture in try Fixture.all(in: "openMeteo") where fixture.expected.error == nil {
            let read = (0..<fixture.input.count).filter { length in
                Answer(of: Array(fixture.input[..<length]), in: .openMeteo).error == nil
            }
            #expect(read == [], "\(fixture.name)")
        }
    }

    @Test("Any value at any path gives a forecast or an error with paths")
    func arbitraryValues() throws {
        let strange: [JSONValue] = [
            nil, true, -1, 1e300, -1e300, 1e-300, .number("1e999"), "", "none", "2026-02-06T16:30",
            "99999999999999999999",
            [], [nil], [1, "2", [3]], [:], ["time": [0]], ["time": [1e300, -1e300, 0, 1e17]],
        ]
        for name in ["plain", "high-and-low", "several-places", "current-weather"] {
            let fixture = try #require(try Fixture.all(in: "openMeteo").first { $0.name == name })
            var parser = JSONParser()
            let document = try parser.withDocument(fixture.input) { JSONValue($0) }
            for path in Self.paths(in: document) {
                for value in strange {
                    let changed = Array("\(Self.replacing(path[...], in: document, with: value))".utf8)
                    do {
                        let query = ForecastQuery(latitude: 0, longitude: 0)
                        try Self.expectForecast(
                            try ForecastDialect.openMeteo.normalize(changed).shaped().body, "\(name) \(path)")
                        _ = try ForecastDialect.openMeteo.normalize(changed, answering: query).shaped()
                    } catch let error as ContractError {
                        #expect(!error.failures.isEmpty)
                    }
                }
            }
        }
    }

    @Test("A block has at most 10,000 points; the others are dropped and counted")
    func bounded() throws {
        let times = (0..<10_003).map { String($0 * 3600) }.joined(separator: ",")
        let text =
            #"{"latitude":0,"longitude":0,"timezone":"GMT","hourly":{"time":[\#(times)],"dew_point_2m":[\#(times)]},"#
            + #""daily":{"time":[\#(times)]}}"#
        let normalized = try ForecastDialect.openMeteo.normalize(Array(text.utf8)).shaped()
        var parser = JSONParser()
        let counts = try parser.withDocument(normalized.body) { root in
            ["hourly", "daily"].map { root[$0]?["data"]?.count }
        }
        #expect(counts == [10_000, 10_000])
        let dropped = normalized.drift.entries.filter { $0.reason == .tooMany }
        #expect(dropped.map(\.path) == ["hourly.data[].time", "daily.data[].time"] && dropped.map(\.count) == [3, 3])
    }

    @Test("Days that overlap do not use each other's hours")
    func overlappingDays() throws {
        let hours = (0..<24).map { String($0 * 3600) }.joined(separator: ",")
        let temperatures = (0..<24).map(String.init).joined(separator: ",")
        let text =
            #"{"latitude":0,"longitude":0,"timezone":"GMT","hourly":{"time":[\#(hours)],"temperature_2m":[\#(temperatures)]},"#
            + #""daily":{"time":[0,60,60,86400],"temperature_2m_max":[1,2,3,4]}}"#
        let body = try ForecastDialect.openMeteo.normalize(Array(text.utf8)).shaped().body
        var parser = JSONParser()
        let days = try parser.withDocument(body) { JSONValue($0)["daily"]?["data"]?.elements ?? [] }
        #expect(days.map { $0["temperatureHigh"]?.intValue } == [1, 2, 18, 4])
        #expect(days.map { $0["temperatureMax"]?.intValue } == [1, 2, 3, 4])
    }

    /// Expects a document without nulls and sentinels that `ForecastDialect.darkSky` leaves unchanged.
    private static func expectForecast(_ body: [UInt8], _ name: String) throws {
        let again = try ForecastDialect.darkSky.normalize(body).shaped()
        #expect(String(decoding: again.body, as: UTF8.self) == String(decoding: body, as: UTF8.self), "\(name)")
        #expect(again.drift.isEmpty, "\(name): \(again.drift.summary)")
        let inventory = try Inventory(of: body)
        #expect(inventory.nulls == 0 && inventory.sentinels == 0, "\(name)")
    }

    /// Returns the paths of all values, but of arrays only the first two elements.
    private static func paths(in value: JSONValue) -> [[String]] {
        switch value {
        case .object(let members):
            members.flatMap { member in paths(in: member.value).map { [member.key] + $0 } } + [[]]
        case .array(let elements):
            elements.prefix(2).enumerated().flatMap { index, element in
                paths(in: element).map { [String(index)] + $0 }
            } + [[]]
        default: [[]]
        }
    }

    private static func replacing(
        _ path: ArraySlice<String>, in value: JSONValue, with other: JSONValue
    ) -> JSONValue {
        guard let step = path.first else { return other }
        switch value {
        case .object(let members):
            return .object(
                members.map { member in
                    let isOnPath = member.key == step
                    return isOnPath ? .init(step, replacing(path.dropFirst(), in: member.value, with: other)) : member
                })
        case .array(var elements):
            guard let index = Int(step) else { return value }
            elements[index] = replacing(path.dropFirst(), in: elements[index], with: other)
            return .array(elements)
        default: return value
        }
    }
}
