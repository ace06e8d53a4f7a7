import TestSupport
import Testing

@Suite("Where things are and the files of a miss, in docs/contributing.md")
struct WhereThingsAreTests {
    @Test("Each question leads to one file that declares the type in its row")
    func types() throws {
        let rows = try Document.named("docs/contributing.md").rows(in: "Where things are")
        #expect(rows.count >= 20)
        #expect(Set(rows.map { $0[0] }).count == rows.count, "a question occurs twice")
        for row in rows {
            let (type, file) = (row[1].filter { $0 != "`" }, row[2].filter { $0 != "`" })
            let source = try Checkout.text(file)
            let declared = source.matches(of: /(?m)^[a-z ]*\b(?:struct|class|enum|protocol|actor) ([A-Za-z0-9]+)/)
            #expect(declared.contains { $0.1 == type }, "\(file) declares no \(type): \(row[0])")
        }
    }

    @Test("A miss is told by at most 115 files, which exist")
    func filesOfAMiss() throws {
        let rows = try Document.named("docs/contributing.md").rows(in: "The files of a miss")
        let files = rows.flatMap { row in
            row[1].matches(of: /`([^`]+)`/).map { row[0].filter { $0 != "`" } + "/" + $0.1 }
        }
        #expect(files.count > 80 && files.count <= 115)
        #expect(Set(files).count == files.count, "a file occurs twice")
        for file in files { #expect(throws: Never.self, "\(file)") { try Checkout.text(file) } }
    }
}
