import Foundation
import JSONText
import LenientCoding
import TestSupport
import Testing

/// Without leniency, LenientDecoder and Foundation's decoder accept the same documents and read the same values.
@Suite("Comparison with Foundation's decoder")
struct OracleTests {
    /// The number of parts of the work, so that a disagreement is found early.
    private static let parts = 8
    private static let queue = WorkQueue("oracle")

    @Test("Every recorded document has the same value with both decoders, or both refuse it", arguments: 0..<Self.parts)
    func recordedDocuments(_ part: Int) async {
        let unexpected = await Self.queue.run {
            RecordedDocuments.all.enumerated().compactMap { index, document -> String? in
                guard index % Self.parts == part else { return nil }
                return unexpectedDisagreement(on: document.bytes).map { "\(document.name): \($0)" }
            }
        }
        for disagreement in unexpected { Issue.record("\(disagreement)") }
    }

    @Test("Every damaged document has the same value with both decoders, or both refuse it", arguments: 0..<Self.parts)
    func damagedDocuments(_ part: Int) async {
        let fragments = RecordedDocuments.fragments
        guard !fragments.isEmpty else { return }
        let asked = ProcessInfo.processInfo.environment["WEIR_ORACLE_MUTATIONS"].flatMap(Int.init)
        let count = (asked ?? 20_000) / Self.parts
        let unexpected = await Self.queue.run {
            (part * count..<(part + 1) * count).compactMap { number -> String? in
                var mutation = Mutation(seed: UInt64(number))
                // A step coprime to the number of fragments visits all of them.
                var bytes = mutation.damaged(fragments[number &* 7919 % fragments.count])
                if number % 16 == 0 { bytes = Mutation.otherEncoding(of: bytes, number / 16) }
                return unexpectedDisagreement(on: bytes).map { "mutation \(number): \($0)" }
            }
        }
        for disagreement in unexpected.prefix(20) { Issue.record("\(disagreement)") }
        #expect(unexpected.isEmpty)
    }

    @Test("The documents of the table in docs/library.md are read as it says", arguments: IntendedDifference.all)
    func intendedDifferences(_ difference: IntendedDifference) throws {
        switch difference.type {
        case nil:
            let bytes = difference.document
            let disagreement = Disagreement(bytes: bytes, ours: ours(bytes), foundation: foundation(bytes))
            #expect(try disagreement.ours == Self.json(difference.ours))
            #expect(try disagreement.foundation == Self.json(difference.foundations))
            #expect(disagreement.ours != disagreement.foundation)
            #expect(difference.covers(disagreement) == true)
        case "[Int]": try check([Int].self, difference)
        case "[Double]": try check([Double].self, difference)
        case "JSONValue": try check(JSONValue.self, difference)
        case let type?: Issue.record("The test knows no type \(type)")
        }
    }

    @Test("The table in docs/library.md exists and has only differences that the test recognises")
    func table() {
        #expect(!IntendedDifference.all.isEmpty)
        let none = Disagreement(bytes: [], ours: nil, foundation: nil)
        for difference in IntendedDifference.all { #expect(difference.covers(none) != nil, "\(difference.name)") }
    }

    /// Returns the value of the table's JSON; nil for an error.
    private static func json(_ text: String?) throws -> AnyJSON? {
        try text.map { try JSONDecoder().decode(AnyJSON.self, from: Data($0.utf8)) }
    }

    private func check<Value: Decodable & Equatable>(_ type: Value.Type, _ difference: IntendedDifference) throws {
        let bytes = difference.document
        let expected = (difference.ours, difference.foundations)
        let ours = try? LenientDecoder().decode(type, from: bytes)
        let foundation = try? JSONDecoder().decode(type, from: Data(bytes))
        // LenientDecoder reads the table's own JSON, which has no fault.
        #expect(try ours == expected.0.map { try LenientDecoder().decode(type, from: Array($0.utf8)) })
        #expect(try foundation == expected.1.map { try LenientDecoder().decode(type, from: Array($0.utf8)) })
        #expect(ours != foundation)
    }

    @Test("Both decoders refuse more than 512 levels of arrays and objects", arguments: [("[", "]"), ("{\"a\":", "}")])
    func depth(_ opening: String, _ closing: String) {
        for levels in [64, 511, 513, 5000] {
            let inner = opening == "[" ? "" : "1"
            let text = String(repeating: opening, count: levels) + inner + String(repeating: closing, count: levels)
            let decoder = LenientDecoder()
            // The type ignores the nesting, so that only the parsers can refuse it.
            let isOurs = (try? decoder.decode(Ignored.self, from: Array(text.utf8))) != nil
            let isFoundations = (try? JSONDecoder().decode(Ignored.self, from: Data(text.utf8))) != nil
            #expect(isOurs == isFoundations, "\(levels) levels")
            #expect(isOurs == (levels <= 512), "\(levels) levels")
        }
    }

    /// Decodes from any value without reading it.
    private struct Ignored: Decodable {
        init(from decoder: any Decoder) {}
    }

    /// Returns a description of an unintended disagreement on `bytes`, or nil if there is none.
    private func unexpectedDisagreement(on bytes: [UInt8]) -> String? {
        let disagreement = Disagreement(bytes: bytes, ours: ours(bytes), foundation: foundation(bytes))
        if disagreement.ours == disagreement.foundation { return nil }
        if IntendedDifference.all.contains(where: { $0.covers(disagreement) == true }) { return nil }
        return disagreement.description
    }

    private func ours(_ bytes: [UInt8]) -> AnyJSON? {
        try? LenientDecoder().decode(AnyJSON.self, from: bytes)
    }

    private func foundation(_ bytes: [UInt8]) -> AnyJSON? {
        try? JSONDecoder().decode(AnyJSON.self, from: Data(bytes))
    }
}

extension Disagreement: CustomStringConvertible {
    var description: String {
        let text = String(decoding: bytes.prefix(400), as: UTF8.self)
        return "\(text.debugDescription): ours \(Self.show(ours)), Foundation's \(Self.show(foundation))"
    }

    private static func show(_ value: AnyJSON?) -> String { value.map { String("\($0)".prefix(300)) } ?? "refused" }
}
