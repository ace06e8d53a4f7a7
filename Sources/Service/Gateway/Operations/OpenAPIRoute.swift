import Contracts
import Records
import API

/// `GET /openapi.json`: the description of all routes of a configuration, made and compressed once.
struct OpenAPIRoute: Sendable {
    private static let description = {
        var description = RouteDescription(
            "openapi", "/openapi.json", tag: "operations", "This document",
            answer: RouteDescription.Answer("application/json") { _ in ["type": "object"] })
        description.fields = [.entityTag]
        return description
    }()

    let document: [UInt8]
    private let answer: FixedAnswer

    /// The route for a service of these routes and itself, which a proxy serves below the path `prefix`.
    init(_ routes: [Route], below prefix: String) {
        document = OpenAPI.document(
            routes.map(\.description) + [Self.description], below: prefix, version: weirVersion,
            unitSystems: UnitSystem.allCases.map(\.rawValue))
        answer = FixedAnswer(
            document, [("Content-Type", "application/json"), (AnswerField.cacheControl.name, "no-cache")])
    }

    var route: Route {
        Route(Self.description) { [answer] call in answer.reply(to: call.request) }
    }
}
