import Forecast
import Records
import HTTPCore
import HTTPServer
import Routing

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
    private let representation: Representation
    private let coded: [ContentCoding: [UInt8]]

    /// The route for a service of these routes and itself.
    init(_ routes: [Route]) {
        document = OpenAPI.document(
            routes.map(\.description) + [Self.description], version: weirVersion,
            unitSystems: UnitSystem.allCases.map(\.rawValue))
        representation = Representation(document, lastModified: nil)
        coded = [.gzip: Compression.compress(document, .gzip), .brotli: Compression.compress(document, .brotli)]
            .compactMapValues(\.self)
    }

    var route: Route {
        Route(Self.description) { [self] call in
            let selection = representation.selection(for: call.request.headers)
            var response = Response(
                headers: [("Content-Type", "application/json"), (AnswerField.cacheControl.name, "no-cache")],
                body: document)
            response.send(selection, of: representation, codedBody: selection.coding.flatMap { coded[$0] })
            let ready = response
            return .later { ready }
        }
    }
}
