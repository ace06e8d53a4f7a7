import TestSupport
import Testing

@Suite("Answers in the documents", .timeLimit(.minutes(10)))
struct AnswerTests {
    @Test("The README shows the drift that the demo reports")
    func drift() throws {
        let demo = try WeirProcess.demo()
        defer { demo.kill() }
        let shown = try #require(Document.named("README.md").blocks.first { $0.language == "http" })
        let drift = try demo.get("/weather?lat=37.8267&lon=-122.4233").header("Weir-Drift")
        #expect(try shown.lines.contains("Weir-Drift: \(#require(drift))"))
    }

    @Test(
        "The parameters of a route in docs/api.md are those that the route knows",
        arguments: [
            ("`GET /weather`", "/weather"), ("`GET /tweets/{id}`", "/tweets/1"),
            ("`GET /timelines/{screenName}`", "/timelines/weir"), ("`GET /search`", "/search"),
        ])
    func parameters(heading: String, path: String) throws {
        let demo = try WeirProcess.demo()
        defer { demo.kill() }
        // A route names all its parameters when a request has an unknown one.
        let errors = try demo.get("\(path)?unknown=1").json()["errors"].elements
        let detail = try #require(errors.first { $0["parameter"].string == "unknown" }?["detail"].string)
        let ofQuery = Set(detail.matches(of: /"([A-Za-z]+)"/).map { String($0.1) })
        let known = ofQuery.union(heading.matches(of: /{([A-Za-z]+)}/).map { String($0.1) })
        let rows = try Document.named("docs/api.md").rows(in: heading)
        let documented = rows.flatMap { row in row[0].matches(of: /`([A-Za-z]+)`/).map { String($0.1) } }
        #expect(Set(documented) == known)
    }

    @Test("Every problem type in docs/api.md exists, and every type is documented")
    func problems() throws {
        let source = try Checkout.text("Sources/Service/API/Routes/Problem.swift")
        let cases = source.matches(of: /(?m)^        case ([a-zA-Z]+)(?: = "([a-z-]+)")?$/)
        let documented = try Document.named("docs/api.md").rows(in: "Problems").map { $0[0] }
        #expect(Set(documented) == Set(cases.map { "`\($0.2.map(String.init) ?? String($0.1))`" }))
    }
}
