/// A declaration in a source file.
struct Declaration {
    /// The first line of a declaration, parsed.
    struct Head {
        let indentation: Int
        let modifiers: Set<Substring>
        let keyword: Substring
        /// The text after the keyword.
        let rest: Substring

        private static let keywords: Set<Substring> = [
            "struct", "class", "enum", "protocol", "extension", "func", "var", "let", "init", "subscript", "typealias",
            "associatedtype", "case",
        ]
        private static let modifiers: Set<Substring> = [
            "public", "package", "fileprivate", "private", "package(set)", "internal(set)", "fileprivate(set)",
            "private(set)", "static", "final", "indirect", "mutating", "consuming", "borrowing", "nonisolated", "lazy",
        ]

        /// Parses a line; nil if no declaration starts on it.
        init?(_ line: Substring) {
            var rest = line.drop { $0 == " " }
            indentation = line.count - rest.count
            var modifiers: Set<Substring> = []
            while true {
                let word = rest.prefix { !" :=".contains($0) }
                let isAttribute = word.hasPrefix("@") && rest.count > word.count
                guard isAttribute || Self.modifiers.contains(word) else { break }
                if !isAttribute { modifiers.insert(word) }
                rest = rest.dropFirst(word.count).drop { $0 == " " }
            }
            let keyword = rest.prefix { $0.isLetter }
            guard Self.keywords.contains(keyword) else { return nil }
            self.modifiers = modifiers
            self.keyword = keyword
            self.rest = rest.dropFirst(keyword.count).drop { $0 == " " }
        }

        var isType: Bool { ["struct", "class", "enum", "protocol", "extension"].contains(keyword) }
    }

    let head: Head
    /// The text from the keyword to the body, in one line.
    let signature: String
    /// The file and the line, as in `File.swift:7`.
    let place: String
    /// The enclosing declarations, outermost first.
    let containers: [Head]
    let comment: DocumentationComment

    /// Whether it is `public`, a requirement of a public protocol, or a case of a public enumeration.
    var isPublic: Bool {
        guard head.keyword != "extension" else { return false }
        if head.modifiers.contains("public") { return true }
        return isRequirement || isCase
    }

    var isRequirement: Bool {
        containers.last?.keyword == "protocol" && containers.last?.modifiers.contains("public") == true
    }

    var isCase: Bool {
        head.keyword == "case" && containers.last?.keyword == "enum"
            && containers.last?.modifiers.contains("public") == true
    }

    /// The name with labels, as in `decode(_:from:)`; for an operator, the operator.
    var name: String {
        let base = signature.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        switch head.keyword {
        case "func" where base.isEmpty: return String(signature.prefix { $0 != " " })
        case "func": return base + labels
        case "init", "subscript": return head.keyword + labels
        default: return String(base)
        }
    }

    private var labels: String {
        guard let open = signature.firstIndex(of: "(") else { return "()" }
        var depth = 0
        var labels = ""
        var isAtLabel = true
        for index in signature[open...].indices {
            let character = signature[index]
            if "([<".contains(character) { depth += 1 }
            if ")]>".contains(character), signature[..<index].last != "-" { depth -= 1 }
            if depth == 0 { break }
            if depth == 1, isAtLabel, character.isLetter || character == "_" {
                labels += signature[index...].prefix { !" :".contains($0) } + ":"
                isAtLabel = false
            }
            if depth == 1, character == "," { isAtLabel = true }
        }
        return "(\(labels))"
    }
}
