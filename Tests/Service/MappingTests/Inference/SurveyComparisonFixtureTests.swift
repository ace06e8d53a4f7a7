import ContractsSupport
import Mapping
import Records
import TestSupport
import Testing

/// A case is `NAME.old.json`, `NAME.new.json`, `NAME.answer.json` with a shape that reads them, and `NAME.diff.txt`.
@Suite("Differences of recorded answers")
struct SurveyComparisonFixtureTests {
    private static let folder = "Tests/Fixtures/diff"

    @Test("Each case gives the expected lines; the same document gives none")
    func cases() throws {
        let names = try Checkout.names(in: Self.folder).filter { $0.hasSuffix(".diff.txt") }.map { $0.dropLast(9) }
        #expect(names.count >= 5)
        for name in names.sorted() {
            let path = "\(Self.folder)/\(name)"
            let (old, new) = (try survey("\(path).old.json"), try survey("\(path).new.json"))
            let changes = SurveyComparison(from: old, to: new).changes
            let answer = try #require(JSONValue(parsing: try Checkout.read("\(Checkout.root)/\(path).answer.json")))
            let shape = try #require(Shape(answer, parameters: []) { Issue.record("\(name)\($0): \($1)") })
            let reads = changes.filter { change in shape.readings.contains { change.concerns($0.path) } }
            let lines = changes.map(\.line) + reads.map { "reads   \($0.place): \($0.kind)" }
            #expect(lines.map { $0 + "\n" }.joined() == (try Checkout.text("\(path).diff.txt")), "\(name)")
            #expect(SurveyComparison(from: old, to: old).changes.isEmpty, "\(name)")
        }
    }

    private func survey(_ path: String) throws -> ShapeSurvey {
        var survey = ShapeSurvey()
        try survey.add(try Checkout.read("\(Checkout.root)/\(path)"))
        return survey
    }
}
