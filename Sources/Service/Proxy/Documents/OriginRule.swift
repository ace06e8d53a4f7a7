package import API
import HTTPCore

/// Which requests to a route the records of documents may have, and in which form: never with a client's credentials.
package final class OriginRule: Sendable {
    private let route: String
    private let query: Set<String>, fields: [String]
    /// The positions of credentials among the segments of the path.
    private let secretSegments: [Int]

    /// Ends of names that tell of a credential, whatever the configuration says.
    private static let credentialEnds = ["key", "token", "secret", "password", "signature", "auth", "session"]

    /// The rule for the route with a description.
    package init(_ description: RouteDescription) {
        func names(_ location: ParameterSpec.Location) -> [String] {
            description.parameters.filter { $0.location == location }.map(\.name)
        }
        func isCredential(_ name: String) -> Bool {
            description.credentials.contains(name) || Self.credentialEnds.contains { name.lowercased().hasSuffix($0) }
        }
        route = description.template.text
        (query, fields) = (Set(names(.query).filter { !isCredential($0) }), names(.header))
        secretSegments = description.template.segments.enumerated().compactMap { index, segment in
            if case .parameter(let name) = segment, isCredential(name) { index } else { nil }
        }
    }

    /// Returns the template of the route and the target of a request, with `-` in place of a credential in the path.
    ///
    /// Nil for a long target, and for a request with a parameter that is a credential or a header field, or that the route does
    /// not describe.
    func origin(of request: Request) -> DocumentOrigin? {
        let target = request.target
        guard max(target.rawBytes.count, route.utf8.count) <= DocumentOrigin.maximumBytes,
            target.query.pairs.allSatisfy({ query.contains($0.name) }),
            fields.allSatisfy({ request.headers.bytes($0) == nil })
        else { return nil }
        var segments = target.rawPath.split(separator: "/", omittingEmptySubsequences: false)
        for index in secretSegments {
            // The first one is the empty text before the slash.
            guard index + 1 < segments.count else { return nil }
            segments[index + 1] = "-"
        }
        let text = target.query.rawValue
        return DocumentOrigin(route: route, target: segments.joined(separator: "/") + (text.isEmpty ? "" : "?" + text))
    }
}
