import Foundation
import TestSupport

/// A Swift source file in the project's format, with four spaces for each level.
struct SourceFile {
    /// The path relative to the folder of Package.swift.
    let path: String
    let lines: [Substring]

    init(path: String, text: String) {
        self.path = path
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// Returns the files of a module, sorted by path.
    static func all(of module: String) throws -> [SourceFile] {
        let folder = "Sources/JSON/\(module)"
        let names =
            FileManager.default.enumerator(atPath: "\(Checkout.root)/\(folder)")?.compactMap { $0 as? String } ?? []
        return try names.filter { $0.hasSuffix(".swift") }.sorted().map { name in
            SourceFile(path: "\(folder)/\(name)", text: try Checkout.text("\(folder)/\(name)"))
        }
    }

    /// Returns the declarations in the order of the file, including those inside functions.
    func declarations() -> [Declaration] {
        var open: [Declaration] = []
        return lines.indices.compactMap { index in
            guard let head = Declaration.Head(lines[index]) else { return nil }
            open.removeAll { $0.head.indentation >= head.indentation }
            let declaration = Declaration(
                head: head, signature: signature(of: head, at: index), place: "\(path):\(index + 1)",
                containers: open.map(\.head), comment: comment(above: index))
            open.append(declaration)
            return declaration
        }
    }

    /// Returns the lines with a public declaration that `declarations` does not parse.
    func overlooked() -> [String] {
        lines.map { $0.drop { $0 == " " } }.filter { line in
            !line.hasPrefix("//") && !line.contains("public import ") && Declaration.Head(line) == nil
                && line.split(separator: " ").contains("public")
        }.map { "\(path): \($0)" }
    }

    /// Returns the text from the keyword to the body, in one line.
    private func signature(of head: Declaration.Head, at index: Int) -> String {
        var text = String(head.rest)
        for next in lines.indices.dropFirst(index + 1) {
            let isOpen = text.count { $0 == "(" } > text.count { $0 == ")" }
            if !isOpen, !text.hasSuffix(",") { break }
            text += " " + lines[next].drop { $0 == " " }
        }
        return text
    }

    private func comment(above index: Int) -> DocumentationComment {
        var end = index
        while end > 0, lines[end - 1].drop(while: { $0 == " " }).hasPrefix("@") { end -= 1 }
        var start = end
        while start > 0, lines[start - 1].drop(while: { $0 == " " }).hasPrefix("///") { start -= 1 }
        let texts = lines[start..<end].map { line in
            let text = line.drop { $0 == " " }.dropFirst(3)
            return text.hasPrefix(" ") ? text.dropFirst() : text
        }
        return DocumentationComment(file: path, line: start + 1, lines: texts)
    }
}
