import EventLoop
import Gateway
import Mapping
import JSONText
import Records

/// The command `weir diff`.
enum DiffCommand {
    /// `weir diff`: the differences in shape between two sets of documents.
    static let command = Command(
        name: "diff", summary: "Compare two sets of answers by shape, and name the routes that read what changed.",
        options: [
            Command.Option(
                name: "--config", placeholder: "FILE",
                help:
                    "Configuration whose routes read the answers; the exit code is 1 if one reads what is gone or differs."
            ),
            Command.Option(name: "--route", placeholder: "PATH", help: "Route of the configuration; default: all."),
            Command.Option(name: "--json", help: "Print the differences as JSON."),
        ],
        operands: "OLD… -- NEW…", maximumOperands: .max
    ) { invocation in
        let count = invocation.operandsBeforeSeparator
        let files = (invocation.operands.prefix(count), invocation.operands.dropFirst(count))
        if files.0.isEmpty || files.1.isEmpty {
            throw CommandError.usage("both sets need a file: weir diff OLD… -- NEW…; see weir diff --help")
        }
        try StackLimit.require(depth: JSONOptions.greatestDepth)
        let routes = try readings(invocation)
        let (old, new) = (try InferCommand.survey(of: files.0), try InferCommand.survey(of: files.1))
        let comparison = SurveyComparison(from: old, to: new, readings: routes.flatMap(\.readings))
        let changes = comparison.changes
        var losses: [(route: String, change: SurveyComparison.Change)] = []
        for route in routes {
            losses += (changes + comparison.fractions).filter { route.readings.contains(where: $0.concerns) }.map {
                (route.name, $0)
            }
        }
        if invocation.has("--json") {
            let routes = losses.map { loss in
                var json = loss.change.json
                json["route"] = .string(loss.route)
                return json
            }
            let json: JSONValue = ["changes": .array(changes.map(\.json)), "routes": .array(routes)]
            try Terminal.say(json.description)
        } else {
            let lines =
                changes.map(\.line)
                + losses.map { loss in
                    let change = loss.change.kind == .gone ? "which is gone" : "whose \(loss.change.kind) changed"
                    return "reads   route \(loss.route.withoutControlCharacters) reads \(loss.change.place), \(change)"
                }
            if !lines.isEmpty { try Terminal.say(lines.joined(separator: "\n")) }
        }
        return losses.isEmpty ? .ok : .difference
    }

    /// The routes that the options name, with the paths that they read.
    private static func readings(_ invocation: Invocation) throws -> [(name: String, readings: [[String?]])] {
        let path = invocation.value("--route")
        if path != nil, !invocation.has("--config") { throw CommandError.usage("--route needs --config FILE") }
        guard invocation.has("--config") else { return [] }
        let routes = try invocation.configuration().configuration.routeReadings
        let known = routes.filter { path == nil || $0.route == path }
        if let path, known.isEmpty {
            throw CommandError.usage(
                "--route takes a route of the configuration", instead: path, of: routes.map(\.route))
        }
        return known.map { ($0.route, $0.readings.map(\.path)) }
    }
}
