import Foundation

/// Tables in a document, each between the comments `<!-- name -->` and `<!-- end -->`.
package enum GeneratedTables {
    /// Returns `document` with these tables in place of those with the same names.
    package static func updated(_ document: String, with tables: [(name: String, text: String)]) -> String {
        var document = document
        for (name, table) in tables {
            let parts = document.components(separatedBy: "<!-- \(name) -->\n")
            guard parts.count == 2, let end = parts[1].range(of: "<!-- end -->") else { continue }
            document = parts[0] + "<!-- \(name) -->\n" + table + parts[1][end.lowerBound...]
        }
        return document
    }

    /// Returns a table with these columns and rows.
    package static func table(_ columns: [String], _ rows: [[String]]) -> String {
        let lines = [columns, columns.map { _ in "---" }] + rows
        return lines.map { "| \($0.joined(separator: " | ")) |\n" }.joined()
    }
}
