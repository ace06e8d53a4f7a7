/// A program of all examples, each in a function of its own.
struct ExampleProgram {
    private(set) var source = Vocabulary.source

    init(_ examples: [DocumentationComment.Example]) {
        for (index, example) in examples.enumerated() {
            let (opening, closing) = Self.frame(of: example, number: index)
            source += opening + "\n"
            source += "#sourceLocation(file: \"\(example.file)\", line: \(example.line))\n"
            source += example.code.joined(separator: "\n") + "\n"
            source += "#sourceLocation()\n" + closing + "\n"
        }
    }

    /// What makes a program's part of the example.
    private static func frame(of example: DocumentationComment.Example, number: Int) -> (String, String) {
        // Extensions stand in no function.
        if example.code.contains(where: { $0.hasPrefix("extension ") }) { return ("", "") }
        // In a function nothing is public.
        if example.code.first?.hasPrefix("public ") == true { return ("enum Example\(number) {", "}") }
        // The lines of a table stand in a table.
        if example.code.allSatisfy({ $0.hasPrefix("Field(") }) {
            return ("func example\(number)() { _ = Schema<Forecast> {", "} }")
        }
        return ("func example\(number)() throws {", "}")
    }
}
