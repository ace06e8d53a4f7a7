import Foundation
import TestSupport
import Testing

/// A Markdown document of the project.
struct Document: Sendable, CustomTestStringConvertible {
    /// A fenced code block.
    struct Block: Sendable {
        /// The word after the opening fence, such as `sh`.
        let language: String
        let lines: [String]

        var text: String { lines.map { $0 + "\n" }.joined() }
    }

    /// The path relative to the root of the project.
    let path: String
    let text: String
    let blocks: [Block]
    /// The lines outside of code blocks.
    let prose: [String]

    var testDescription: String { path }

    /// Every document, sorted by path.
    static let all: [Document] = paths.map { path in
        guard let document = try? Document(path) else { preconditionFailure("cannot read \(path)") }
        return document
    }

    /// Returns the document at `path`.
    static func named(_ path: String) throws -> Document { try Document(path) }

    private static var paths: [String] {
        let pages = ["docs", "docs/upstreams"].flatMap { folder in
            let names = (try? Checkout.names(in: folder)) ?? []
            return names.filter { $0.hasSuffix(".md") }.sorted().map { "\(folder)/\($0)" }
        }
        return ["README.md", "CHANGELOG.md", "Benchmarks/README.md", "Tests/Fuzz/README.md"] + pages
    }

    private init(_ path: String) throws {
        self.path = path
        text = try Checkout.text(path)
        var blocks: [Block] = [], prose: [String] = []
        var open: (language: String, lines: [String])?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if line.hasPrefix("```") {
                if let block = open { blocks.append(Block(language: block.language, lines: block.lines)) }
                open = open == nil ? (String(line.dropFirst(3)), []) : nil
            } else if open != nil {
                open?.lines.append(line)
            } else {
                prose.append(line)
            }
        }
        self.blocks = blocks
        self.prose = prose
    }

    /// The texts of the code spans in the prose.
    var codeSpans: [String] {
        prose.flatMap { line in line.matches(of: /`([^`]+)`/).map { String($0.1) } }
    }

    /// The targets of the links in the prose, without those in code spans.
    var links: [String] {
        prose.flatMap { line in
            line.replacing(/`[^`]*`/, with: "").matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) }
        }
    }

    /// The anchors of the headings, as Markdown renderers make them.
    var anchors: Set<String> {
        Set(
            prose.filter { $0.hasPrefix("#") }.map { heading in
                String(
                    heading.drop { $0 == "#" }.dropFirst().lowercased()
                        .filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
                        .map { $0 == " " ? "-" : $0 })
            })
    }

    /// The lines of the section under the heading that contains `title`, up to the next heading of any level.
    func section(_ title: String) throws -> ArraySlice<String> {
        let start = try #require(
            prose.firstIndex { $0.hasPrefix("#") && $0.contains(title) }, "\(path) has no section \(title)")
        let rest = prose[(start + 1)...]
        return rest.prefix { !$0.hasPrefix("#") }
    }

    /// The rows of the tables in the section under the heading that contains `title`, without their heads.
    func rows(in title: String) throws -> [[String]] {
        let lines = Array(try section(title)).filter { $0.hasPrefix("|") }
        return lines.enumerated().compactMap { index, line in
            let isHead = index + 1 < lines.count && lines[index + 1].hasPrefix("| ---")
            if isHead || line.hasPrefix("| ---") { return nil }
            // A cell may contain an escaped bar.
            return line.replacing("\\|", with: "\u{1}").split(separator: "|").map {
                $0.trimmingCharacters(in: .whitespaces).replacing("\u{1}", with: "|")
            }
        }
    }
}
