import EventLoop
import JMESPath
import JSONText
import Mapping

/// The command `weir query`.
enum QueryCommand {
    /// `weir query`: the value of an expression, from a file.
    static let command = Command(
        name: "query", summary: "Apply a JMESPath expression, as configured routes do.",
        options: [
            Command.Option(name: "--text", help: "Write strings bare, without quotes."),
            Command.Option(name: "--each", help: "Write the elements of an array, each on a line of its own."),
        ],
        operands: "[--] EXPRESSION [FILE|-]", maximumOperands: 2
    ) { invocation in
        guard let text = invocation.operands.first else {
            throw CommandError.usage("EXPRESSION is missing, such as 'items[*].name'; see weir query --help")
        }
        let expression = try compiled(text)
        try StackLimit.require(depth: JSONOptions.greatestDepth + JMESPath.maximumDepth)
        let (name, bytes) = try NormalizeCommand.input(at: invocation.operands.dropFirst().first)
        var parser = JSONParser(options: JSONOptions(maximumBytes: NormalizeCommand.maximumInput).forUpstream)
        do {
            let output = try parser.withDocument(bytes) { root in
                // The user can interrupt the command, and so needs no limits.
                var context = JMESContext(root: .node(root), maximumSteps: .max, maximumOutput: .max)
                let value = try expression.value(of: .node(root), in: &context)
                let values = invocation.has("--each") ? value.elements.map { Array($0) } ?? [value] : [value]
                return lines(of: values, bare: invocation.has("--text"))
            }
            try Terminal.write(output)
        } catch let error as CommandError {
            throw error
        } catch {
            throw CommandError(code: .badData, message: "\(name): \(error)")
        }
        return .ok
    }

    /// Compiles an expression; an error marks the place.
    private static func compiled(_ text: String) throws -> JMESPath {
        do throws(JMESPathError) {
            return try JMESPath(configured: text)
        } catch {
            let before = text.unicodeScalars.prefix(error.offset)
            let start = before.lastIndex(of: "\n").map { before.index(after: $0) } ?? before.startIndex
            let line = text.unicodeScalars[start...].prefix { $0 != "\n" }
            let mark = String(repeating: " ", count: before[start...].count) + "^"
            throw CommandError.usage("\(error)\n  \(Substring(line))\n  \(mark)")
        }
    }

    private static func lines(of values: [JMESValue], bare: Bool) -> [UInt8] {
        JSONWriter.bytes(expecting: 1024) { writer in
            for value in values {
                if bare, let text = value.string {
                    writer.write(raw: Array(text.utf8))
                } else {
                    value.write(to: &writer)
                }
                writer.write(byte: UInt8(ascii: "\n"))
            }
        }
    }
}
