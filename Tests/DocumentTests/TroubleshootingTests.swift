import TestSupport
import Testing

@Suite("docs/troubleshooting.md", .timeLimit(.minutes(10)))
struct TroubleshootingTests {
    private static let path = "docs/troubleshooting.md"

    /// The names in the first column of the table in a section.
    private static func names(in section: String, of path: String = path) throws -> [String] {
        try Document.named(path).rows(in: section).flatMap { row in
            row[0].matches(of: /`([^`]+)`/).map { String($0.1) }
        }
    }

    @Test(
        "Each log line and each problem has one row, and no other does",
        arguments: [
            ("Log lines", "docs/operating.md", "Log"), ("Problem types", "docs/api.md", "Problems"),
        ])
    func rows(section: String, document: String, source: String) throws {
        let known = try Self.names(in: source, of: document)
        #expect(known.count >= 15)
        #expect(try Self.names(in: section).sorted() == known.sorted())
    }

    @Test("Each metric of a service, and each one of docs/operating.md, has one row, and no other does")
    func metrics() throws {
        let demo = try WeirProcess.demo()
        defer { demo.kill() }
        let served = try demo.get("/metrics").text.matches(of: #/(?m)^# TYPE ([a-z_]+) /#).map { String($0.1) }
        let documented = try Self.names(in: "Metrics", of: "docs/operating.md")
        #expect(Set(served).isSubset(of: documented))
        #expect(try Self.names(in: "Metrics").sorted() == documented.sorted())
    }

    @Test("Each question has one command and a sample of its output")
    func commands() throws {
        let document = try Document.named(Self.path)
        let questions = document.prose.filter { $0.hasPrefix("## ") && $0.hasSuffix("?") }
        #expect(questions.count >= 15)
        #expect(document.blocks.count == questions.count)
        for block in document.blocks {
            #expect(block.lines.first?.firstMatch(of: #/^(curl|weir|grep) /#) != nil, "\(block.text)")
            #expect(block.lines.count >= 2, "\(block.text)")
        }
    }
}
