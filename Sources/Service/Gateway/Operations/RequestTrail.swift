import API
import HTTPCore
import JSONText
import Operations
import Proxy
import Records

/// What is known of the requests with an id: the answer of `/-/requests/{id}`.
struct RequestTrail: Record {
    var requests: [JSONValue] = []

    static let schema = Schema<RequestTrail> {
        Field(
            \.requests,
            .note("The requests as the [access log](operating.md#access-log) has them, the oldest first."))
    }

    static let path = "/-/requests"

    private static let id = Parameter(
        "request", .text(atMost: 128), in: .path, "The `X-Request-Id` of the answer, or the id of the trace.",
        example: "4bf92f3577b34da6a3ce929d0e0e4736")

    /// `GET /-/requests/{id}`: the trail of an answer, as long as the event loop remembers the request.
    static func route(_ sources: FigureSources) -> Route {
        var description = RouteDescription(
            "request", path + "/{request}", tag: "operations", "The trail of an answer",
            answer: RouteDescription.Answer("application/json") { RequestTrail.schema(in: &$0) })
        (description.parameters, description.problems) = ([id.spec], [.notFound, .invalidParameters])
        return Route(description) { call throws(Problem) in
            var parameters = call.parameters
            let id = parameters.read(Self.id) ?? ""
            try parameters.finish()
            return id
        } respond: { (id: String, call) throws(Problem) in
            let (addresses, clock) = (sources.addresses, call.context.clock)
            let lines = await sources.contexts.recent { $0.lines(id, addresses, clock) }
            var parser = JSONParser()
            let requests = lines.joined().compactMap { try? parser.withDocument($0) { JSONValue($0) } }
            guard !requests.isEmpty else {
                let (most, quoted) = (RecentExchanges.most, Quotation.quote(id))
                throw Problem(
                    .notFound, "None of the last \(most) requests of each event loop has the id \(quoted).")
            }
            return Response(RequestTrail(requests: requests), "application/json", .ok)
        }
    }

    /// The requests for people.
    var text: String {
        requests.map { request in
            let members = (request.members ?? []).map { [$0.key, $0.value.stringValue ?? "\($0.value)"] }
            return StatusTable("", ["figure", "value"], members).text()
        }.joined(separator: "\n\n")
    }
}
