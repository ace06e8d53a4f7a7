import Settings
import Records
import API
import Testing

@testable import Gateway

@Suite("The plan of parts")
struct PartsPlanTests {
    /// The plan of the first route in a configuration with these parts.
    private static func plan(_ parts: String) throws -> PartsPlan {
        let text = """
            {"upstreams": [{"name": "up", "baseURL": "http://127.0.0.1:1"}],
             "routes": [{"path": "/{q}", "parameters": {"q": {}, "ids": {"type": "array"}}, "parts": {\(parts)}}]}
            """
        let file = ConfigurationFile(path: "weir.json", bytes: Array(text.utf8))
        let settings = try #require(try file.configuration().routes.first)
        let note = SettingNotes<RouteConfiguration>()
        let parameters = ConfiguredParameters(settings.parameters ?? [:], path: RouteTemplate(settings.path), note)
        let rules = FetchRules(answer: .verbatim, error: nil)
        return PartsPlan(settings, FetchList.Common(name: "a", parameters: parameters, rules: rules), note)
    }

    @Test("A part needs those that its templates, body and values name, in any entry")
    func needs() throws {
        let plan = try Self.plan(
            """
            "z": {"upstream": "up", "path": "/{q}"},
            "path": {"upstream": "up", "path": "/{z.id}"}, "query": {"upstream": "up", "query": {"x": ["{length(z)}"]}},
            "head": {"upstream": "up", "headers": {"X-A": "{$z.id}"}}, "body": {"upstream": "up", "body": [{"x": "{z}"}]},
            "each": {"upstream": "up", "each": "z", "path": "/{each.path}"}, "text": {"upstream": "up", "body": "{{ z }"},
            "second": [{"upstream": "up"}, {"upstream": "up", "path": "/{path}/{let $z = q in $z}"}]
            """.replacing(#""each": {"#, with: #""every": {"#))
        #expect(plan.parts.map(\.name) == ["z", "path", "query", "head", "body", "every", "text", "second"])
        #expect(plan.parts.map(\.needs) == [[], [0], [0], [0], [0], [0], [], [1]])
    }

    @Test(
        "A cycle is found, with the parts that it leads through",
        arguments: [
            ([[], [0], [0, 1]], nil), ([[0]], [0, 0]), ([[1], [2], [1]], [1, 2, 1]),
            ([[], [0, 3], [1], [2]], [1, 3, 2, 1]),
        ] as [([[Int]], [Int]?)])
    func cycles(_ needs: [[Int]], _ cycle: [Int]?) { #expect(PartsPlan.cycle(in: needs) == cycle) }

    @Test(
        "Each value makes a request, up to the limit",
        arguments: [
            (["b", "a", "b"], ["/b", "/a"], 1), (["a"], ["/a"], 0), ("a", ["/a"], 0), (.null, [], 0), ([], [], 0),
        ] as [(JSONValue, [String], Int)])
    func values(_ ids: JSONValue, _ targets: [String], _ dropped: Int) throws {
        let plan = try Self.plan(#""a": {"upstream": "up", "path": "/{each}", "each": "ids", "maximumEach": 2}"#)
        let requests = try #require(try plan.requests(TemplateValues(["ids": ids])).first ?? nil)
        let made = try requests.all.flatMap { try $0.get() }.map { $0?.target }
        #expect(made == targets)
        #expect(requests.dropped == dropped)
    }

    @Test("A request that the parameters do not allow is a fault before any request")
    func faults() throws {
        let plan = try Self.plan(#""a": {"upstream": "up"}, "b": {"upstream": "up", "path": "/x/{q}/y"}"#)
        #expect(throws: RequestTemplate.Fault.self) { _ = try plan.requests(TemplateValues(["q": ".."])) }
    }
}
