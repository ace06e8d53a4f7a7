import Foundation
import TestSupport
import Testing

@Suite("docs/contracts.md")
struct FieldTableTests {
    private static let path = "docs/contracts.md"

    @Test("Its field tables are those of the code; make docs rewrites them")
    func tables() throws {
        let text = try Checkout.text(Self.path)
        let updated = FieldTables().updated(text)
        if ProcessInfo.processInfo.environment["WEIR_WRITE_DOCS"] == "1" {
            // Atomic, because the other tests read the file meanwhile.
            try Data(updated.utf8).write(to: URL(fileURLWithPath: "\(Checkout.root)/\(Self.path)"), options: .atomic)
        } else {
            #expect(text == updated, "run make docs")
        }
    }

    @Test("Every field has a meaning, the `.note` of its line in the record table")
    func meanings() {
        for (type, table) in FieldTables().tables {
            let unexplained = table.split(separator: "\n").filter { $0.hasPrefix("| `") && $0.hasSuffix("|  |") }
            #expect(unexplained.isEmpty, "\(type)")
        }
    }

    @Test("Every type that an answer can hold has a table")
    func types() throws {
        let text = try Checkout.text(Self.path)
        for type in FieldTables().tables.keys {
            #expect(text.contains("<!-- fields of \(type) -->"), "\(type)")
        }
        // Their fields are those of Tweet, which a section of the document says.
        #expect(FieldTables().missing == ["QuotedTweet", "RetweetedTweet"])
    }

    @Test("The list of the fields of each block names every field of a data point, and only those")
    func blocks() throws {
        let text = try Checkout.text(Self.path)
        let table = try #require(FieldTables().tables["DataPoint"])
        let fields = Set(table.matches(of: /(?m)^\| `([A-Za-z0-9]+)`/).map { String($0.1) })
        let section = try #require(text.split(separator: "### Fields of each block").last?.prefix { $0 != "#" })
        let listed = section.matches(of: /`([a-zA-Z0-9]+)`/).map { String($0.1) }
        let blocks: Set = ["currently", "minutely", "hourly", "daily", "dayNight"]
        #expect(Set(listed).subtracting(blocks) == fields)
    }
}
