package import Records

/// A route for a configuration file whose answer is that of recorded documents.
package struct RouteDraft {
    private let upstream: String
    /// The route alone, with comments: see `JSONValue.commented`.
    package private(set) var route: JSONValue = [:]

    /// A route at `path`, a template such as `/stations/{station}`, which is also the path of the upstream.
    package init(path: String, upstream: String, name: String?, survey: ShapeSurvey) {
        self.upstream = upstream
        route["path"] = .string(path)
        route["name"] = name.map { .string($0) }
        let parameters = path.matches(of: /\{([^{}\/]*)\}/).map { JSONValue.Member(String($0.1), ["type": "string"]) }
        if !parameters.isEmpty { route["parameters"] = .object(parameters) }
        route["fetch"] = ["upstream": .string(upstream), "path": .string(path)]
        route["answer"] = ShapeGuess.answer(for: survey.root)
    }

    /// A configuration with the upstream and the route.
    package var configuration: JSONValue {
        [
            "upstreams": [["name": .string(upstream), "baseURL": "https://example.org"]],
            "routes": [route],
        ]
    }
}

extension JSONValue {
    /// The key of the member that is written as a comment behind its object.
    static let comment = "//"
    /// The longest array or object that is written on one line, in characters.
    private static let maximumLine = 100

    /// The value as text with comments; further lines are indented by four spaces for each level.
    ///
    /// `end` stands behind the value, before the comment.
    package func commented(level: Int = 0, end: String = "") -> String {
        let note = self[Self.comment]?.stringValue.map { "  // " + $0 } ?? ""
        if !items.contains(where: \.value.hasComments), line.count <= Self.maximumLine { return line + end + note }
        let indent = String(repeating: "    ", count: level)
        let lines = items.enumerated().map { index, item in
            let end = index == items.count - 1 ? "" : ","
            return "\n    \(indent)\(item.key)\(item.value.commented(level: level + 1, end: end))"
        }
        return (elements == nil ? "{" : "[") + note + lines.joined() + "\n" + indent + (elements == nil ? "}" : "]")
            + end
    }

    /// The elements, or the members besides the comment with their keys as text.
    private var items: [(key: String, value: JSONValue)] {
        elements?.map { ("", $0) }
            ?? members?.filter { $0.key != Self.comment }.map { ("\(JSONValue.string($0.key)): ", $0.value) } ?? []
    }

    private var hasComments: Bool { self[Self.comment] != nil || items.contains(where: \.value.hasComments) }

    /// The value on one line, without comments.
    private var line: String {
        if elements == nil, members == nil { return description }
        let text = items.map { $0.key + $0.value.line }.joined(separator: ", ")
        return elements == nil ? "{\(text)}" : "[\(text)]"
    }
}
