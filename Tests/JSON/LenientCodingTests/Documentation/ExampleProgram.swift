/// A program with a function for each example.
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

    /// Returns the lines before and after the example.
    private static func frame(of example: DocumentationComment.Example, number: Int) -> (String, String) {
        // Extensions are only allowed at file scope.
        if example.code.contains(where: { $0.hasPrefix("extension ") }) { return ("", "") }
        // `public` is not allowed in a function.
        if example.code.first?.hasPrefix("public ") == true { return ("enum Example\(number) {", "}") }
        // Rows of a table need an enclosing table.
        if example.code.allSatisfy({ $0.hasPrefix("Field(") }) {
            return ("func example\(number)() { _ = Schema<Forecast> {", "} }")
        }
        return ("func example\(number)() throws {", "}")
    }
}
