import Testing

@Suite(
    "Misuse of the library", .timeLimit(.minutes(10)),
    .enabled(if: TypeChecker.found != nil, "needs swiftc and the build's modules"))
struct WrongUseTests {
    @Test("Misuse is a compile error that names its cause, and correct use compiles")
    func causes() async throws {
        let checker = try #require(TypeChecker.found)
        let uses = WrongUse.wrappers + WrongUse.others
        let diagnostics = try await checker.diagnostics(of: Self.program(of: uses))
        for (index, use) in uses.enumerated() {
            let messages = diagnostics.filter { $0.file == "wrong" && $0.line == index + 1 }.map(\.message)
            #expect(messages.contains { $0.contains(use.cause) }, "\(use.wrong): \(messages)")
        }
        for diagnostic in diagnostics where diagnostic.file != "wrong" {
            let use = diagnostic.file == "right" ? uses[diagnostic.line - 1].right : diagnostic.file
            Issue.record("\(use): \(diagnostic.message)")
        }
    }

    /// Returns a program with a function for each use, at the line of its number.
    private static func program(of uses: [WrongUse]) -> String {
        uses.enumerated().reduce(into: Vocabulary.source) { source, use in
            for (file, code) in [("wrong", use.element.wrong), ("right", use.element.right)] {
                source += "func \(file)\(use.offset)() {\n#sourceLocation(file: \"\(file)\", line: \(use.offset + 1))\n"
                source += "\(code)\n#sourceLocation()\n}\n"
            }
        }
    }
}
