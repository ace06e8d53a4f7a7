import Foundation
import TestSupport
import Testing

/// The pages of the modules' documentation.
@Suite("Documentation catalogs", .timeLimit(.minutes(10)))
struct CatalogTests {
    private static let articles = "Sources/JSON/LenientCoding/LenientCoding.docc"

    /// An article and the file that compiles and runs its code.
    struct Article: Sendable, CustomTestStringConvertible {
        let name: String
        var testDescription: String { name }

        var text: String { get throws { try Checkout.text("\(CatalogTests.articles)/\(name).md") } }

        /// The lines of the file, without indentation.
        var lines: [Substring] {
            get throws {
                let special = [
                    "LenientCoding": "Articles/DocC/Overview", "MigratingFromDictionaries": "Migration/MigrationSteps",
                ]
                let file = special[name] ?? "Articles/DocC/\(name)"
                return CatalogTests.trimmed(try Checkout.text("Tests/JSON/LenientCodingTests/\(file).swift"))
            }
        }

        static let all: [Article] = {
            let names = (try? Checkout.names(in: CatalogTests.articles)) ?? []
            return names.filter { $0.hasSuffix(".md") }.sorted().map { Article(name: String($0.dropLast(3))) }
        }()
    }

    private static func trimmed(_ text: some StringProtocol) -> [Substring] {
        text.split(separator: "\n").map { line in line.drop { $0 == " " } }.map { Substring($0) }.filter { !$0.isEmpty }
    }

    @Test(
        "Every public type and function is in a topic",
        .enabled(if: TypeChecker.found != nil, "needs the build's modules"),
        arguments: ["LenientCoding", "Records", "JSONText", "CivilDates"])
    func topics(module: String) async throws {
        let compiler = try #require(TypeChecker.found)
        let names = try await WorkQueue.documentation.run { try SymbolGraph.of(module, compiler).topLevel }
        #expect(!names.isEmpty)
        // CivilDates has no pages of its own.
        let isPart = module == "CivilDates"
        let catalog = isPart ? "LenientCoding" : module
        let page = try Checkout.text("Sources/JSON/\(catalog)/\(catalog).docc/\(catalog).md")
        let listed = Set(
            Self.trimmed(page).compactMap { line -> String? in
                guard line.hasPrefix("- ``"), line.hasSuffix("``") else { return nil }
                let link = line.dropFirst(4).dropLast(2)
                return isPart
                    ? link.hasPrefix("/\(module)/") ? String(link.dropFirst(module.count + 2)) : nil : String(link)
            })
        for name in names where !listed.contains(where: { $0 == name || $0.hasPrefix("\(name)-") }) {
            Issue.record("\(catalog).md has no topic with \(name)")
        }
    }

    @Test("No public type has the name of a type of Foundation", .enabled(if: TypeChecker.found != nil))
    func collisions() async throws {
        let compiler = try #require(TypeChecker.found)
        let names = try await WorkQueue.documentation.run {
            try ["LenientCoding", "Records", "JSONText", "CivilDates"].flatMap {
                try SymbolGraph.of($0, compiler).topLevel.filter { !$0.contains("(") }
            }
        }
        let imports = "import CivilDates\nimport Foundation\nimport JSONText\nimport LenientCoding\nimport Records\n"
        // `Twice` shows that the compiler reports a name with two meanings.
        let source = (names.sorted() + ["Twice"]).enumerated().reduce(
            into: imports + "enum Twice {}\nstruct Twice {}\n"
        ) {
            $0 += "typealias Name\($1.offset) = \($1.element)\n"
        }
        let messages = try await compiler.diagnostics(of: source).map(\.message)
        let ambiguous = Set(messages.filter { $0.contains("is ambiguous") })
        #expect(ambiguous == ["'Twice' is ambiguous for type lookup in this context"])
    }

    @Test("The code of an article stands in its test file", arguments: Article.all)
    func code(article: Article) throws {
        let lines = try article.lines
        let blocks = try article.text.components(separatedBy: "```swift\n").dropFirst()
        #expect(!blocks.isEmpty)
        for block in blocks {
            let code = Self.trimmed(try #require(block.components(separatedBy: "\n```").first))
            let isThere = lines.indices.contains { lines[$0...].starts(with: code) }
            #expect(isThere, "\(code.joined(separator: "\n"))")
        }
    }

    @Test("The code in the second column of a table stands in the article's test file", arguments: Article.all)
    func tables(article: Article) throws {
        let lines = try article.lines
        for row in Self.trimmed(try article.text) where row.hasPrefix("| ") {
            let cells = row.split(separator: "|", omittingEmptySubsequences: false)
            guard cells.count > 3 else { continue }
            for span in cells[2].matches(of: /`([^`]+)`/).map(\.1) where !span.contains("…") && span.contains(/[ ("]/) {
                #expect(lines.contains { $0.contains(span) }, "\(span)")
            }
        }
    }
}
