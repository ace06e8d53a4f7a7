import API
import ContractsSupport
import Contracts
import JSONText
import Records
import TestSupport
import Testing

/// Compares recorded forecasts, complete and damaged, with a second implementation of the contract.
@Suite("Recorded forecasts")
struct RecordedForecastTests {
    private static let dialects = [ForecastDialect.darkSky, .pirateWeather]

    @Test("A normalized document has no null or sentinel, and normalizing it again changes nothing")
    func normalized() async throws {
        let faults = await RecordedForecasts.queue.run {
            RecordedForecasts.complete.compactMap { recorded -> String? in
                guard let body = try? ForecastDialect.darkSky.normalize(recorded.bytes).shaped().body,
                    let inventory = try? Inventory(of: body)
                else { return "\(recorded.name) is refused" }
                if inventory.nulls > 0 || inventory.sentinels > 0 {
                    return "\(recorded.name) keeps a null or a sentinel"
                }
                return (try? ForecastDialect.darkSky.normalize(body).shaped().body) == body
                    ? nil : "normalizing \(recorded.name) again changes it"
            }
        }
        #expect(faults == [])
    }

    @Test("No value is lost, changed or added, and the drift report lists exactly the repairs")
    func complete() async {
        let faults = await RecordedForecasts.queue.run {
            RecordedForecasts.all.flatMap { recorded in
                Self.dialects.compactMap {
                    Self.fault(of: recorded.bytes, recorded.value, in: $0).map { "\(recorded.name): \($0)" }
                }
            }
        }
        #expect(faults == [])
    }

    @Test("A document without required members is refused with their paths")
    func fragments() async {
        for recorded in RecordedForecasts.all where recorded.value?.members != nil && !recorded.isComplete {
            if recorded.value?["timezone"] != nil {
                #expect(throws: Never.self, "\(recorded.name)") {
                    try ForecastDialect.darkSky.normalize(recorded.bytes)
                }
                continue
            }
            let error = #expect(throws: ContractError.self) { try ForecastDialect.darkSky.normalize(recorded.bytes) }
            #expect(error?.failures.map(\.path) == ["timezone"], "\(recorded.name)")
        }
    }

    @Test(
        "Both implementations agree on the fixtures",
        arguments: ["darkSky", "pirateWeather"])
    func cases(dialect name: String) async throws {
        let dialect = try #require(ForecastDialect.named(name))
        for (fixture, value) in try Self.plainCases(of: name) {
            // The reference has U+FFFD instead of half of a surrogate pair.
            let bytes = fixture.expected.drift.contains("loneSurrogate") ? value.bytes : fixture.input
            #expect(Self.fault(of: bytes, value, in: dialect) == nil, "\(fixture.name)")
        }
    }

    @Test("Both implementations agree on damaged documents, or refuse them with the same paths", arguments: 0..<8)
    func damaged(_ part: UInt64) async throws {
        // The fixtures contain values that no recorded document has.
        let cases = try ["darkSky", "pirateWeather"].flatMap { try Self.plainCases(of: $0).map(\.value) }
        let documents = RecordedForecasts.complete.compactMap(\.value) + cases
        let faults = await RecordedForecasts.queue.run {
            (part * 500..<(part + 1) * 500).compactMap { number -> String? in
                var mutation = ForecastMutation(seed: number)
                let document = mutation.damaged(documents[Int(number) % documents.count])
                let dialect = Self.dialects[Int(number / UInt64(documents.count)) % 2]
                return Self.fault(of: document.bytes, document, in: dialect).map { "damage \(number): \($0)" }
            }
        }
        #expect(faults == [])
    }

    /// Returns the fixtures that are forecasts without duplicate keys, which the reference does not support.
    private static func plainCases(of dialect: String) throws -> [(fixture: Fixture, value: JSONValue)] {
        try Fixture.all(in: dialect).compactMap { fixture in
            let drift = fixture.expected.drift
            guard fixture.expected.error == nil, !drift.contains("duplicateKey"), !drift.contains("collision") else {
                return nil
            }
            return JSONValue(parsing: fixture.input).map { (fixture, $0) }
        }
    }

    /// Returns how the answer of `dialect` differs from the reference, or nil if it does not.
    private static func fault(of bytes: [UInt8], _ value: JSONValue?, in dialect: ForecastDialect) -> String? {
        let isUK2 = dialect.name == "pirateWeather" && value?["flags"]?["units"]?.stringValue == "uk"
        let reference = value.map { ReferenceForecast(of: $0, in: isUK2 ? "uk2" : nil) }
        do {
            let answer = try dialect.normalize(bytes).shaped()
            guard let expected = reference?.document else { return "it is not refused" }
            guard let actual = JSONValue(parsing: answer.body) else { return "the answer is not JSON" }
            let (moved, count) = ReferenceForecast.movingDays(of: expected)
            let corrected = dialect.name == "pirateWeather" ? ReferencePirateWeather.corrected(expected) : moved
            let named = isUK2 ? namingUK2(corrected) : corrected
            guard try ForecastDialect.darkSky.normalize(answer.body).shaped().body == answer.body else {
                return "normalizing it again changes it"
            }
            var repairs = reference?.repairs ?? [:]
            let means = dialect.name == "pirateWeather" ? ReferencePirateWeather.meanGusts(in: moved) : 0
            if count > 0 { repairs[.init(kind: .approximated, path: "daily.data[].time")] = count }
            if means > 0 { repairs[.init(kind: .approximated, path: "daily.data[].windGust")] = means }
            return JSONDifference.first(named, actual) ?? difference(repairs, answer.drift)
        } catch let error as ContractError {
            let paths = Set(error.failures.map(\.path))
            return paths == reference?.missing ? nil : "it is refused for \(paths), not for \(reference?.missing ?? [])"
        } catch {
            return value == nil && error is JSONSyntaxError ? nil : "it is refused: \(error)"
        }
    }

    private static func difference(_ expected: [ReferenceForecast.Repair: Int], _ report: DriftReport) -> String? {
        var found: [ReferenceForecast.Repair: Int] = [:]
        for entry in report.entries { found[.init(kind: entry.kind, path: entry.path), default: 0] += entry.count }
        for repair in Set(expected.keys).union(found.keys) {
            let (count, other) = (expected[repair] ?? 0, found[repair] ?? 0)
            if count != other { return "\(repair.path): \(count) repairs are \(repair.kind), \(other) are reported" }
        }
        return report.unlisted == 0 ? nil : "the report does not list all repairs"
    }

    /// Returns the forecast with the contract's name `uk2` for Pirate Weather's `uk`.
    private static func namingUK2(_ forecast: JSONValue) -> JSONValue {
        guard var flags = forecast["flags"] else { return forecast }
        var forecast = forecast
        flags["units"] = .string("uk2")
        forecast["flags"] = flags
        return forecast
    }
}
