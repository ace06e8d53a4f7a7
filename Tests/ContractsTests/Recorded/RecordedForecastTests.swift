import Contracts
import Foundation
import JSONText
import LenientCoding
import Testing

/// The recorded forecasts beside a second implementation of the contract, whole and damaged.
@Suite("Recorded forecasts")
struct RecordedForecastTests {
    private static let dialects = [Dialect.darkSky, .pirateWeather]

    @Test("Every one is normalized, to a document without null and without a sentinel, and that to itself")
    func normalized() async throws {
        let faults = await apart {
            RecordedForecasts.whole.compactMap { recorded -> String? in
                guard let body = try? Dialect.darkSky.normalize(recorded.bytes).body,
                    let inventory = try? Inventory(of: body)
                else { return "\(recorded.name) is refused" }
                if inventory.nulls > 0 || inventory.sentinels > 0 {
                    return "\(recorded.name) keeps what stands for nothing"
                }
                return (try? Dialect.darkSky.normalize(body).body) == body ? nil : "\(recorded.name) is not stable"
            }
        }
        #expect(faults == [])
    }

    @Test("No value of any is lost, changed or invented, and the report lists exactly what was repaired")
    func complete() async {
        let faults = await apart {
            RecordedForecasts.all.flatMap { recorded in
                Self.dialects.compactMap {
                    Self.fault(of: recorded.bytes, recorded.value, in: $0).map { "\(recorded.name): \($0)" }
                }
            }
        }
        #expect(faults == [])
    }

    @Test("What is no whole forecast is refused, and what is missing is named")
    func fragments() async {
        for recorded in RecordedForecasts.all where recorded.value?.members != nil && !recorded.isWhole {
            let error = #expect(throws: ContractError.self) { try Dialect.darkSky.normalize(recorded.bytes) }
            let missing = ["latitude", "longitude", "timezone"].filter { recorded.value?[$0] == nil }
            #expect(error?.failures.map(\.path) == missing, "\(recorded.name)")
        }
    }

    @Test(
        "Every case of files is what the contract says by both implementations",
        arguments: ["darkSky", "pirateWeather"])
    func cases(dialect name: String) async throws {
        let dialect = try #require(Dialect.named(name))
        for (fixture, value) in try Self.plainCases(of: name) {
            #expect(Self.fault(of: fixture.input, value, in: dialect) == nil, "\(fixture.name)")
        }
    }

    @Test("Every damaged one becomes what the contract says, or is refused with the same paths", arguments: 0..<8)
    func damaged(_ part: UInt64) async throws {
        // The cases have what no recorded document has.
        let cases = try ["darkSky", "pirateWeather"].flatMap { try Self.plainCases(of: $0).map(\.value) }
        let documents = RecordedForecasts.whole.compactMap(\.value) + cases
        let faults = await apart {
            (part * 500..<(part + 1) * 500).compactMap { number -> String? in
                var mutation = ForecastMutation(seed: number)
                let document = mutation.damaged(documents[Int(number) % documents.count])
                let dialect = Self.dialects[Int(number / UInt64(documents.count)) % 2]
                return Self.fault(of: document.bytes, document, in: dialect).map { "damage \(number): \($0)" }
            }
        }
        #expect(faults == [])
    }

    /// The cases that are forecasts without a key twice, of which the reference knows nothing.
    private static func plainCases(of dialect: String) throws -> [(fixture: Fixture, value: JSONValue)] {
        try Fixture.all(in: dialect).compactMap { fixture in
            let drift = fixture.expected.drift
            guard fixture.expected.error == nil, !drift.contains("duplicateKey"), !drift.contains("collision") else {
                return nil
            }
            return JSONValue(parsing: fixture.input).map { (fixture, $0) }
        }
    }

    /// What `dialect` does with a document otherwise than the contract says; nil when it does as it says.
    private static func fault(of bytes: [UInt8], _ value: JSONValue?, in dialect: Dialect) -> String? {
        let reference = value.map { ReferenceForecast(of: $0) }
        do {
            let answer = try dialect.normalize(bytes)
            guard let expected = reference?.document else { return "it is not refused" }
            guard let actual = JSONValue(parsing: answer.body) else { return "the answer is no JSON" }
            let named = dialect.name == "pirateWeather" ? namingUK2(expected) : expected
            guard try Dialect.darkSky.normalize(answer.body).body == answer.body else { return "it is not stable" }
            return JSONDifference.first(named, actual) ?? difference(reference?.repairs ?? [:], answer.drift)
        } catch let error as ContractError {
            let paths = Set(error.failures.map(\.path))
            return paths == reference?.lacking ? nil : "it is refused for \(paths), not for \(reference?.lacking ?? [])"
        } catch {
            return value == nil && error is JSONSyntaxError ? nil : "it is refused: \(error)"
        }
    }

    private static func difference(_ expected: [ReferenceForecast.Repair: Int], _ report: DriftReport) -> String? {
        var found: [ReferenceForecast.Repair: Int] = [:]
        for entry in report.entries { found[.init(kind: entry.kind, path: entry.path), default: 0] += entry.count }
        for repair in Set(expected.keys).union(found.keys) {
            let (count, other) = (expected[repair] ?? 0, found[repair] ?? 0)
            if count != other { return "\(repair.path) is \(repair.kind) \(count) times and reported \(other) times" }
        }
        return report.unlisted == 0 ? nil : "repairs are not listed"
    }

    /// Pirate Weather's uk is what the contract calls uk2.
    private static func namingUK2(_ forecast: JSONValue) -> JSONValue {
        guard forecast["flags"]?["units"]?.stringValue == "uk", var flags = forecast["flags"] else { return forecast }
        var forecast = forecast
        flags["units"] = .string("uk2")
        forecast["flags"] = flags
        return forecast
    }

    private static let queue = DispatchQueue(label: "recorded forecasts")

    /// Does long work where it keeps no other test waiting: tests that wait for a socket need the pool's few threads.
    private func apart<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in Self.queue.async { continuation.resume(returning: work()) } }
    }
}
