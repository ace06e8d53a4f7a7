import Mapping
import ContractsSupport
import Records
import Testing

@Suite("Differences between recorded answers")
struct SurveyComparisonTests {
    private static let states = (0..<30).map { #"{"state": "\#($0 % 2 == 0 ? "open" : "closed")"}"# }.joined(
        separator: ",")

    private static func list(_ values: ClosedRange<Int>, _ name: String = "v", each count: Int = 1) -> String {
        let numbers = values.flatMap { Array(repeating: "\($0)", count: count) }
        return #"{"\#(name)": [\#(numbers.joined(separator: ","))]}"#
    }

    @Test(
        "Differences are named with their places",
        arguments: [
            (#"{"a": 1, "b": {"c": 1}}"#, #"{"a": 2.5, "b": {"c": -1}}"#, []),
            (#"{"a": {"b": 1, "c": 2}}"#, #"{"a": {"b": 1}}"#, ["gone    a.c"]),
            (#"{"a": {"b": 1}}"#, #"{"b": 1}"#, ["gone    a", "new     b: number"]),
            (#"[{"id": 1}, {"id": 2}]"#, #"[{"id": "1"}]"#, ["type    [].id: string, was number"]),
            (
                #"[{"id": 1}]"#, #"[{"id": 1}, {"id": null}, {}]"#,
                ["absent  [].id: in 1 of 3", "null    [].id: 1 of 2"]
            ),
            (#"{"a": null}"#, #"{"a": 1}"#, []),
            (#"{"a": {"b": 1}}"#, #"{"a": [{"b": 1}]}"#, ["type    a: array, was object"]),
            ("[\(states)]", #"[{"state": "draft"}]"#, ["value   [].state: draft"]),
            (#"{"r": {"1": 1, "2": 2, "3": 3}}"#, #"{"r": {"4": "a"}}"#, ["type    r.*: string, was number"]),
            (#"[{"day": "2026-01-01"}]"#, #"[{"day": ""}]"#, [#"form    [].day: "", was days of ISO 8601"#]),
            (#"[{"day": "2026-01-01"}, {"day": ""}]"#, #"[{"day": ""}]"#, []),
            (
                #"{"ts": "1700000000"}"#, #"{"ts": "1700000000000"}"#,
                ["scale   ts: milliseconds since 1970, was seconds"]
            ),
            (#"{"id": "1700000000"}"#, #"{"id": "1700000000000"}"#, []),
            (list(280...300), list(7...27), ["unit    v[]: looks like degC, was K"]),
            (list(990...1030), list(29...31, each: 3), ["unit    v[]: looks like inHg, was hPa"]),
            (list(0...9), list(12...21), []),
            (list(300...330), list(3...22), []),
            (
                #"[["2026-01-01", 1], ["2026-01-02", 2]]"#, #"[["2026-01-03", "x"]]"#,
                ["type    [][1]: string, was number"]
            ),
            (#"[["2026-01-01", 1, "b"]]"#, #"[["2026-01-03", 2]]"#, ["gone    [][2]"]),
            ("[[1, 2], [3]]", "[[1]]", []),
            ("[]", "{}", ["type    the document: object, was array"]),
            (
                "{}", #"{"a\u001b[31m\nb\u202e": 1, "c\u0085\u2028": {"\u007f": null}}"#,
                [#"new     a\u001b[31m\u000ab\u202e: number"#, #"new     c\u0085\u2028: object"#]
            ),
        ])
    func differences(_ old: String, _ new: String, _ expected: [String]) throws {
        #expect(SurveyComparison(from: try survey(old), to: try survey(new)).changes.map(\.line) == expected)
    }

    private func survey(_ document: String) throws -> ShapeSurvey {
        var survey = ShapeSurvey()
        try survey.add(Array(document.utf8))
        return survey
    }

    @Test(
        "The places that a shape reads are found, and those that are gone are told",
        arguments: [
            (#"{"properties": {"x": "a.b"}}"#, #"{"a": {"b": 1}}"#, #"{"a": {"c": 1}}"#, ["a.b"]),
            (
                #"{"from": "list", "items": {"properties": {"x": "a"}}}"#, #"{"list": [{"a": 1}]}"#, #"{"list": [{}]}"#,
                ["list[].a"]
            ),
            (
                #""list[?kind == 'x'].a""#, #"{"list": [{"kind": "x", "a": 1}]}"#, #"{"list": [{"a": 1}]}"#,
                ["list[].kind"]
            ),
            (
                #"{"let": {"u": "units"}, "properties": {"t": {"from": "t", "unit": {"from": "($u.t)", "to": "degC"}}}}"#,
                #"{"units": {"t": "C"}, "t": 1}"#, #"{"units": {}, "t": 1}"#, ["units.t"]
            ),
            (
                #"{"from": {"time": "h.time", "t": "h.t"}, "items": {"properties": {"time": "time", "t": "t"}}}"#,
                #"{"h": {"time": [1], "t": [2]}}"#, #"{"h": {"time": [1]}}"#, ["h.t"]
            ),
            (
                #"{"from": "r", "additionalProperties": "v"}"#, #"{"r": {"x": {"v": 1}}}"#, #"{"r": {"x": {}}}"#,
                ["r.x.v"]
            ),
            (
                #"{"properties": {"n": "join(' ', map(&first, names))"}}"#, #"{"names": [{"first": "A"}]}"#,
                #"{"names": [{}]}"#, ["names[].first"]
            ),
            (
                #"{"items": {"properties": {"n": "[1]"}}}"#, #"[["a", 1, 2], ["b", 2, 3]]"#,
                #"[["a", "x", "y"], ["b", "x", "y"]]"#, ["[][1]"]
            ),
            (#"{"properties": {"x": "never"}}"#, #"{"a": 1}"#, #"{}"#, []),
        ])
    func readings(_ shape: String, _ old: String, _ new: String, _ expected: [String]) throws {
        let json = try #require(JSONValue(parsing: Array(shape.utf8)))
        let readings = try #require(Shape(json, parameters: []) { Issue.record("\($0): \($1)") }).readings
        let changes = SurveyComparison(from: try survey(old), to: try survey(new)).changes
        let lost = changes.filter { change in readings.contains { change.concerns($0.path) } }
        #expect(lost.map(\.place) == expected)
    }

    @Test(
        "What a shape reads tells maps from objects, and integers from other numbers",
        arguments: [
            (#"{"properties": {"n": {"from": "n", "type": "integer"}}}"#, #"{"n": 1}"#, #"{"n": 1.5}"#, ["n"]),
            (#"{"properties": {"n": {"from": "n", "type": "number"}}}"#, #"{"n": 1}"#, #"{"n": 1.5}"#, []),
            (#""items(rates)""#, #"{"rates": {"EUR": 1}}"#, #"{"rates": {"USD": 1}}"#, []),
            (
                #""items(rates)[*][1].v""#, #"{"rates": {"EUR": {"v": 1}}}"#, #"{"rates": {"USD": {}}}"#, ["rates.*.v"]
            ),
        ])
    func waysOfReading(_ shape: String, _ old: String, _ new: String, _ expected: [String]) throws {
        let json = try #require(JSONValue(parsing: Array(shape.utf8)))
        let readings = try #require(Shape(json, parameters: []) { Issue.record("\($0): \($1)") }).readings
        let comparison = SurveyComparison(
            from: try survey(old), to: try survey(new), readings: readings.map(\.path))
        let lost = (comparison.changes + comparison.fractions).filter { change in
            readings.contains { change.concerns($0.path) }
        }
        #expect(lost.map(\.place) == expected)
    }
}
