/// The `///` lines above a declaration.
struct DocumentationComment {
    /// A code block in the comment.
    struct Example {
        let file: String
        /// The number of its first line, from 1.
        let line: Int
        let code: [Substring]
    }

    let file: String
    /// The number of the comment's first line, from 1.
    let line: Int
    /// The text of each line after `/// `.
    let lines: [Substring]

    /// The code blocks: indented by four spaces after a blank line, or fenced as Swift.
    var examples: [Example] {
        var examples: [Example] = []
        var index = 0
        while index < lines.count {
            let first = lines[index].hasPrefix("```swift") ? index + 1 : index
            let end = first > index ? endOfFence(from: first) : endOfIndentation(from: index)
            if end > first {
                let code = lines[first..<end].map { first > index ? $0 : $0.dropFirst(4) }
                examples.append(Example(file: file, line: line + first, code: code))
            }
            index = max(end, index) + 1
        }
        return examples
    }

    private func endOfFence(from start: Int) -> Int {
        lines[start...].firstIndex { $0.hasPrefix("```") } ?? lines.count
    }

    /// Returns the end of the indented block that starts at `start`, or `start` if there is none.
    private func endOfIndentation(from start: Int) -> Int {
        if start > 0, !lines[start - 1].isEmpty { return start }
        var end = start
        for index in start..<lines.count {
            if lines[index].hasPrefix("    ") { end = index + 1 } else if !lines[index].isEmpty { break }
        }
        return lines[start].isEmpty ? start : end
    }
}
