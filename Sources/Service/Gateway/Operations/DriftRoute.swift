import HTTPCore
import JSONText
import Records
import API
import Proxy

/// `GET /-/drift`: what the documents of upstreams needed to be repaired, and since when.
struct DriftRoute: Sendable {
    /// The path at the address for monitoring.
    static let path = "/-/drift"

    private static let since = Parameter(
        "since", ParameterType.seconds, orElse: "all patterns",
        "Only patterns that a document had in this time until now.", example: "24h")

    static let description = {
        var description = RouteDescription(
            "drift", path, tag: "operations", "The drift of the upstreams' documents",
            answer: RouteDescription.Answer("application/json") { DriftSummary.schema(in: &$0) })
        (description.parameters, description.problems) = ([since.spec], [.invalidParameters])
        description.isProbe = true
        return description
    }()

    let book: DriftBook

    var route: Route {
        Route(Self.description) { call throws(Problem) in
            var parameters = call.parameters
            let seconds = parameters.read(Self.since)
            try parameters.finish()
            return seconds
        } respond: { seconds, _ throws(Problem) in
            var style = WritingStyle()
            style.dates = .iso8601
            let summary = book.summary(since: seconds)
            return Response(
                headers: [("Content-Type", "application/json"), ("Cache-Control", "no-store")],
                body: JSONWriter.bytes(expecting: 4096) { summary.write(to: &$0, style: style) })
        }
    }
}
