import Foundation
import TestSupport
import Testing

@Suite("Test cases of other libraries")
struct OtherLibraryTests {
    private static let path = "docs/suites.md"
    private static let tables = SuiteTables()

    @Test("A case passes with LenientDecoder unless its difference is explained")
    func outcomes() {
        for outcome in Self.tables.outcomes {
            let isExplained = (outcome.ours == nil) == (outcome.item.difference == nil)
            #expect(isExplained, "\(outcome.item.origin): \(outcome.ours ?? "passes")")
        }
    }

    @Test("Every case that passes with JSONDecoder passes with LenientDecoder")
    func atLeastAsMany() {
        for outcome in Self.tables.outcomes where outcome.foundations == nil {
            #expect(outcome.ours == nil, "\(outcome.item.origin)")
        }
    }

    @Test("The tables of docs/suites.md are those of the outcomes; make docs rewrites them")
    func document() throws {
        let text = try Checkout.text(Self.path)
        let updated = Self.tables.updated(text)
        if ProcessInfo.processInfo.environment["WEIR_WRITE_DOCS"] == "1" {
            try Data(updated.utf8).write(to: URL(fileURLWithPath: "\(Checkout.root)/\(Self.path)"), options: .atomic)
        } else {
            let isCurrent = text == updated
            #expect(isCurrent, "run make docs")
        }
        for (name, _) in Self.tables.tables { #expect(text.contains("<!-- \(name) -->\n"), "\(name)") }
    }

    @Test("The figures of docs/library.md are those of the outcomes")
    func figures() throws {
        let text = try Checkout.text("docs/library.md")
        let summary = Self.tables.tables[0].text.split(separator: "\n").last ?? ""
        let figures = summary.split(separator: "|").dropFirst().map { $0.trimmingCharacters(in: .whitespaces) }
        try #require(figures.count >= 3)
        let sentence = "Of \(figures[0]) cases, \(figures[1]) pass with `LenientDecoder()` and \(figures[2]) with"
        #expect(text.replacing("\n", with: " ").contains(sentence), "\(sentence)")
    }

    @Test("No case is listed twice")
    func names() {
        let names = Self.tables.outcomes.map { "\($0.suite.name) \($0.item.origin)" }
        #expect(Set(names).count == names.count)
    }
}
