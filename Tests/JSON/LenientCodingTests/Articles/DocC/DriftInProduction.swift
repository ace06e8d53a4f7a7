import Foundation
import LenientCoding
import Synchronization
import Testing

/// The code of the article DriftInProduction.
enum DriftInProduction {
    struct Station: Codable {
        @Lossless var id: Int
        @Lossy var gusts: [Double]
    }

    static func read(_ data: Data, into counter: DriftCounter) throws -> [Station] {
        let decoder = LenientDecoder(leniency: .coercion)
        var drift = DriftReport()
        defer { counter.add(drift) }
        return try decoder.decode([Station].self, from: data, drift: &drift)
    }

    final class DriftCounter: Sendable {
        private let counts = Mutex<[String: Int]>([:])

        func add(_ drift: DriftReport) {
            counts.withLock { counts in
                for entry in drift.entries {
                    counts["\(entry.kind.rawValue) \(entry.path) \(entry.reason.rawValue)", default: 0] += entry.count
                }
            }
        }

        var lines: [String] { counts.withLock { $0.map { "\($0.key) \($0.value)" }.sorted() } }
    }

    static func readWithFoundation(_ data: Data, into counter: DriftCounter) throws -> [Station] {
        let recorder = DriftRecorder()
        let decoder = JSONDecoder()
        decoder.userInfo[.driftRecorder] = recorder
        defer { counter.add(recorder.report) }
        return try decoder.decode([Station].self, from: data)
    }

    static func worthAnAlarm(_ drift: DriftReport) -> [DriftReport.Entry] {
        drift.entries.filter { $0.kind == .dropped && $0.reason != .sentinel }
    }
}

@Suite("Drift in production")
struct DriftInProductionTests {
    private let data = Data(#"[{"id":"1","gusts":[1,{}]},{"id":2,"gusts":[[]],"new":1}]"#.utf8)

    @Test("The counter sums the repairs of all documents, of one that is refused too")
    func counter() throws {
        let counter = DriftInProduction.DriftCounter()
        for _ in 0..<2 { _ = try DriftInProduction.read(data, into: counter) }
        let expected = [
            "coerced [].id numericString 2", "dropped [].gusts[] mistyped 4", "unexpectedKey [].new unknownKey 2",
        ]
        #expect(counter.lines == expected)
        #expect(throws: DecodingError.self) {
            try DriftInProduction.read(Data(#"[{"id":"1","gusts":[]},7]"#.utf8), into: counter)
        }
        #expect(counter.lines.first == "coerced [].id numericString 3")
    }

    @Test("JSONDecoder reports the repairs of the wrappers")
    func foundation() throws {
        let counter = DriftInProduction.DriftCounter()
        _ = try DriftInProduction.readWithFoundation(data, into: counter)
        #expect(counter.lines == ["coerced [].id numericString 1", "dropped [].gusts[] mistyped 2"])
    }

    @Test("An alarm is worth what was dropped")
    func alarm() throws {
        var drift = DriftReport()
        _ = try LenientDecoder().decode([DriftInProduction.Station].self, from: data, drift: &drift)
        #expect(DriftInProduction.worthAnAlarm(drift).map(\.example) == ["[0].gusts[1]"])
    }
}
