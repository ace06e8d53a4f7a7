import Settings
import Foundation
import Records
import TestSupport
import Testing

@testable import Gateway
@testable import API

@Suite("The tables of docs/api.md")
struct RouteDocumentTests {
    private static let path = "docs/api.md"

    @Test("The tables are those of the descriptions; make docs rewrites them")
    func document() throws {
        let text = try Checkout.text(Self.path)
        var tables = [
            (
                name: "fields",
                text: GeneratedTables.table(
                    ["field", "value"], AnswerField.all.map { ["`\($0.name)`", $0.summary] })
            ),
            (
                name: "problems",
                text: GeneratedTables.table(
                    ["type", "status", "cause"],
                    Problem.Kind.allCases.map { kind in
                        let statuses = kind.statuses.sorted().map(String.init).joined(separator: ", ")
                        return ["`\(kind.rawValue)`", statuses, kind.cause]
                    })
            ),
        ]
        let routes =
            Configuration.demo.routeDescriptions + [
                ControlRoutes.driftDescription, InterventionRoutes.commandDescription,
                InterventionRoutes.snapshotDescription,
            ]
        for route in routes where !route.parameters.isEmpty {
            tables.append((name: "parameters \(route.name)", text: Self.table(of: route)))
        }
        for (name, _) in tables { #expect(text.contains("<!-- \(name) -->"), "\(name)") }
        for route in routes {
            let start = route.template.text.prefix { $0 != "{" }
            #expect(
                text.contains(
                    "`\(route.method) \(start.hasSuffix("/") && start != route.template.text ? start.dropLast() : start)"
                )
            )
        }
        let updated = GeneratedTables.updated(text, with: tables)
        if ProcessInfo.processInfo.environment["WEIR_WRITE_DOCS"] == "1" {
            try Data(updated.utf8).write(to: URL(fileURLWithPath: "\(Checkout.root)/\(Self.path)"), options: .atomic)
        } else {
            let isCurrent = text == updated
            #expect(isCurrent, "run make docs")
        }
    }

    private static func table(of route: RouteDescription) -> String {
        let rows = route.parameters.map { parameter in
            [
                "`\(parameter.name)`", values(of: parameter),
                parameter.isRequired ? "required" : parameter.defaultNote ?? "none", parameter.summary,
            ]
        }
        return GeneratedTables.table(["parameter", "values", "default", "meaning"], rows)
    }

    private static func values(of parameter: ParameterSpec) -> String {
        let isList = parameter.schema["type"] == "array"
        let schema = isList ? parameter.schema["items"] : parameter.schema
        guard let words = schema?["enum"]?.elements else { return parameter.expectation }
        let list = words.compactMap(\.stringValue).map { "`\($0)`" }.joined(separator: ", ")
        return isList ? "some of \(list), with commas" : list
    }
}

extension Configuration {
    /// A configuration with upstreams of forecasts and tweets.
    static var demo: Configuration {
        var forecast = UpstreamConfiguration(), tweet = UpstreamConfiguration()
        (forecast.name, forecast.dialect) = ("forecasts", "openMeteo")
        (tweet.name, tweet.dialect) = ("tweets", "mastodon")
        var configuration = Configuration()
        configuration.weather.answersJSONP = true
        configuration.upstreams = [forecast, tweet]
        (configuration.weather.upstreams, configuration.tweetUpstreams) = ([forecast.name], [tweet.name])
        return configuration
    }
}
