import Foundation
import Operations
import TestSupport
import Testing

@testable import Gateway

@Suite("The table of metrics in docs/operating.md")
struct FigureDocumentTests {
    private static let path = "docs/operating.md"

    @Test("The table is that of the figures; make docs rewrites it")
    func document() throws {
        let rows = ServiceFigures.table.map { figure in
            [
                "`\(figure.name)`", figure.kind.rawValue, figure.labels.map { "`\($0)`" }.joined(separator: ", "),
                [figure.help, figure.note].compactMap(\.self).joined(separator: " "),
            ]
        }
        let table = GeneratedTables.table(["metric", "kind", "labels", "meaning"], rows)
        let text = try Checkout.text(Self.path)
        #expect(text.contains("<!-- metrics -->"))
        let updated = GeneratedTables.updated(text, with: [(name: "metrics", text: table)])
        if ProcessInfo.processInfo.environment["WEIR_WRITE_DOCS"] == "1" {
            try Data(updated.utf8).write(to: URL(fileURLWithPath: "\(Checkout.root)/\(Self.path)"), options: .atomic)
        } else {
            let isCurrent = text == updated
            #expect(isCurrent, "run make docs")
        }
    }

    @Test("Each name stands once, and has the end that Prometheus asks for its kind")
    func names() {
        let figures = ServiceFigures.table
        #expect(Set(figures.map(\.name)).count == figures.count)
        for figure in figures {
            #expect(figure.name.hasSuffix("_total") == (figure.kind == .counter), "\(figure.name)")
            #expect(figure.name.hasSuffix("_info") == (figure.kind == .info), "\(figure.name)")
            #expect(figure.kind != .histogram || figure.name.hasSuffix("_seconds"), "\(figure.name)")
            #expect(figure.help.hasSuffix(".") && !figure.help.contains("\\"), "\(figure.name)")
        }
    }
}
