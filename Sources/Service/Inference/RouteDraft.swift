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
