import JSONText
import Records

/// A table for people, whose cells are texts of one line; a page, a stream and a terminal show the same one.
struct StatusTable: Record {
    private(set) var title = "", columns: [String] = [], rows: [[String]] = []

    static let schema = Schema<StatusTable> {
        Field(\.title)
        Field(\.columns)
        Field(\.rows)
    }

    init() {}

    /// A table in whose cells characters without a shape show as their numbers.
    init(_ title: String, _ columns: [String], _ rows: [[String]]) {
        (self.title, self.columns, self.rows) = (title, columns, rows.map { $0.map(\.visible) })
    }

    /// The columns and the rows for a terminal, one in a line.
    var text: String {
        let widths = columns.indices.map { column in ([columns] + rows).map { $0[column].count }.max() ?? 0 }
        let lines = ([columns] + rows).map { row in
            zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }.joined(separator: "  ")
        }
        return lines.map { String($0.reversed().drop { $0 == " " }.reversed()) }.joined(separator: "\n")
    }

    /// The table as HTML, which `Pages/status.js` keeps up to date.
    var html: String {
        func row(_ cells: [String], _ tag: String) -> String {
            "<tr>" + cells.map { "<\(tag)>\($0.escaped)</\(tag.prefix(2))>" }.joined() + "</tr>\n"
        }
        return """
            <h2>\(title.escaped)</h2>
            <div class="scrolling" tabindex="0" role="region" aria-label="\(title.escaped)"><table>
            <thead>\(row(columns, "th scope=\"col\""))</thead>
            <tbody>\(rows.map { row($0, "td") }.joined())</tbody>
            </table></div>

            """
    }
}

extension String {
    /// The text on one line, in which controls, directions of text and spaces of no width show as their numbers: `\u202e`.
    var visible: String {
        if utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) { return self }
        var text = ""
        for scalar in unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: text += scalar.number
            default:
                // Fillers that have no shape although they count as letters and marks.
                if [0x34F, 0x115F, 0x1160, 0x3164, 0xFFA0].contains(scalar.value) {
                    text += scalar.number
                } else {
                    text.unicodeScalars.append(scalar)
                }
            }
        }
        return text
    }

    /// The text in HTML, also in an attribute.
    fileprivate var escaped: String {
        let escapes: [Character: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;"]
        return reduce(into: "") { text, character in text += escapes[character] ?? String(character) }
    }
}

extension Unicode.Scalar {
    fileprivate var number: String {
        let digits = String(value, radix: 16)
        return "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
