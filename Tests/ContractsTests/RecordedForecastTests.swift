import Contracts
import Foundation
import JSONText
import Testing

/// The recorded forecasts that lie beside the repository; see README.md there.
@Suite("Recorded forecasts")
struct RecordedForecastTests {
    private static var folder: URL {
        let shared =
            ProcessInfo.processInfo.environment["WEIR_CORPUS"].map { URL(fileURLWithPath: $0) }
            ?? URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("shared")
        return shared.appendingPathComponent("corpus/darksky")
    }

    /// The files that are whole forecasts: objects with a place and its time zone.
    static func forecasts() throws -> [(name: String, bytes: [UInt8])] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else {
            print("recorded forecasts: skipped, there is no folder \(folder.path)")
            return []
        }
        return try names.sorted().compactMap { name in
            let bytes = Array(try Data(contentsOf: folder.appendingPathComponent(name)))
            var parser = JSONParser()
            let isForecast = try? parser.withDocument(bytes) { root in
                ["latitude", "longitude", "timezone"].allSatisfy { root[$0] != nil }
            }
            return isForecast == true ? (name, bytes) : nil
        }
    }

    @Test("Every one is normalized, to a document without null and without a sentinel, and that to itself")
    func normalized() throws {
        for (name, bytes) in try Self.forecasts() {
            let body = try Dialect.darkSky.normalize(bytes).body
            let inventory = try Inventory(of: body)
            #expect(inventory.nulls == 0 && inventory.sentinels == 0, "\(name)")
            #expect(try Dialect.darkSky.normalize(body).body == body, "\(name)")
        }
    }

    @Test("Every one keeps its points and alerts")
    func complete() throws {
        for (name, bytes) in try Self.forecasts() {
            let body = try Dialect.darkSky.normalize(bytes).body
            #expect(try Self.sizes(body) == Self.sizes(bytes), "\(name)")
        }
    }

    /// How many points each block has, and how many alerts there are; -1 for what is not there.
    private static func sizes(_ bytes: [UInt8]) throws -> [Int] {
        var parser = JSONParser()
        return try parser.withDocument(bytes) { root in
            ["minutely", "hourly", "daily"].map { root[$0]?["data"]?.count ?? -1 } + [root["alerts"]?.count ?? -1]
        }
    }
}
