import HTTPCore
import Testing

@testable import API

struct ProblemTests {
    private static func text(_ problem: Problem) -> String { String(decoding: problem.response.body, as: UTF8.self) }

    @Test func theBodyIsProblemJSON() {
        let problem = Problem.notFound(tryInstead: "/a, \"/b\"")
        let body = """
            {"type":"urn:weir:problem:not-found","title":"Not found","status":404,\
            "detail":"There is nothing at this path. Try /a, \\"/b\\"."}
            """
        #expect(Self.text(problem) == body)
        #expect(problem.response.status == .notFound)
        let fields = problem.response.headers.map { "\($0.name): \($0.value)" }
        #expect(fields == ["Content-Type: application/problem+json", "Cache-Control: no-store"])
    }

    @Test func everyParameterFaultIsListed() {
        let faults = [
            Parameters.Fault(name: "lat", detail: "is missing"), Parameters.Fault(name: "\n", detail: "is \"odd\""),
        ]
        let body = """
            {"type":"urn:weir:problem:invalid-parameters","title":"Invalid parameters","status":400,\
            "detail":"lat is missing; \\n is \\"odd\\"","errors":[{"parameter":"lat","detail":"is missing"},\
            {"parameter":"\\n","detail":"is \\"odd\\""}]}
            """
        #expect(Self.text(.invalidParameters(faults)) == body)
    }

    @Test func anotherMethodIsRefusedWithAllow() {
        for (method, other, allow) in [(Method.get, Method.post, "GET, HEAD, OPTIONS"), (.post, .get, "POST, OPTIONS")]
        {
            var route = RouteDescription("a", "/a", tag: "a", "A", answer: RouteDescription.Answer("text/plain"))
            route.method = method
            #expect(route.takes(method) && route.takes(.head) == (method == .get) && !route.takes(other))
            let response = Problem.methodNotAllowed(other, by: route).response
            #expect(response.status.code == 405)
            #expect(response.headers.contains { $0 == ("Allow", allow) })
        }
    }

    @Test func onlyATemporaryRefusalHasRetryAfter() {
        for status in [Status.badRequest, .requestTimeout, .uriTooLong, .serviceUnavailable] {
            let response = Problem.refused(RequestFailure(status: status, detail: "It is so.")).response
            #expect(response.status == status)
            #expect(response.headers.contains { $0.name == "Retry-After" } == (status == .serviceUnavailable))
        }
    }
}
