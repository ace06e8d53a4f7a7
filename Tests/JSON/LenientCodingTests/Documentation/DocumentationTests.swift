import Testing

@Suite("Documentation comments", .timeLimit(.minutes(10)))
struct DocumentationTests {
    @Test("Every public declaration has a documentation comment")
    func comments() async throws {
        let declarations = try await Interface.library().publicDeclarations
        #expect(declarations.count > 500)
        for declaration in declarations where declaration.comment.lines.isEmpty {
            Issue.record("\(declaration.place): \(declaration.name) has no documentation comment")
        }
    }

    @Test("Every line with `public` is parsed")
    func unparsedLines() async throws {
        let lines = try await Interface.library().overlooked
        #expect(lines.isEmpty)
    }

    @Test("Every example compiles", .enabled(if: TypeChecker.found != nil, "needs swiftc and the build's modules"))
    func compilation() async throws {
        let checker = try #require(TypeChecker.found)
        let examples = try await Interface.library().publicDeclarations.flatMap(\.comment.examples)
        #expect(examples.count > 100)
        for diagnostic in try await checker.diagnostics(of: ExampleProgram(examples).source) {
            Issue.record("\(diagnostic)")
        }
    }

    @Test(
        "An error in an example is reported with its file and line",
        .enabled(if: TypeChecker.found != nil, "needs swiftc and the build's modules"))
    func errorLocations() async throws {
        let checker = try #require(TypeChecker.found)
        let text = """
            /// Rain.
            ///
            ///     let count: Int = 7
            ///     let name: String = 7
            ///
            /// ```swift
            /// fell(count)
            /// ```
            public struct Rain {
                /// Not an example, because no blank line precedes it:
                ///     let count: String = 7
                public var count = 7
            }
            """
        let declarations = SourceFile(path: "Rain.swift", text: text).declarations()
        #expect(declarations.map(\.place) == ["Rain.swift:9", "Rain.swift:12"])
        let program = ExampleProgram(declarations.flatMap(\.comment.examples))
        let diagnostics = try await checker.diagnostics(of: program.source)
        #expect(diagnostics.map { "\($0.file):\($0.line)" } == ["Rain.swift:4", "Rain.swift:7", "Rain.swift:7"])
    }
}
