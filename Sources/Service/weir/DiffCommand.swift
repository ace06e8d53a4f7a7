import EventLoop
import Gateway
import Mapping
import JSONText

/// The command `weir diff`.
enum DiffCommand {
    /// `weir diff`: the differences in shape between two sets of documents.
    static let command = Command(
        name: "diff", summary: "Compare two sets of answers by shape, and name the routes that read what is gone.",
        options: [
            Command.Option(
                name: "--config", placeholder: "FILE",
                help:
                    "Configuration whose routes read the answers; the exit code is 1 if one reads a member that is gone."
            ),
            Command.Option(name: "--route", placeholder: "PATH", help: "Route of the configuration; default: all."),
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
        var losses: [String] = []
        for (route, expression, path) in routes
        where old.root.contains(path[...]) && !new.root.contains(path[...]) {
            let line = "reads   route \(route) reads \(expression), which is gone".withoutControlCharacters
            if !losses.contains(line) { losses.append(line) }
        }
        let lines = SurveyComparison(from: old, to: new).lines + losses
        if !lines.isEmpty { try Terminal.say(lines.joined(separator: "\n")) }
        return losses.isEmpty ? .ok : .difference
    }

    /// The expressions of the routes that the options name, with the paths that they read.
    private static func readings(_ invocation: Invocation) throws -> [(String, String, [String?])] {
        let path = invocation.value("--route")
        if path != nil, !invocation.has("--config") { throw CommandError.usage("--route needs --config FILE") }
        guard invocation.has("--config") else { return [] }
        let routes = try invocation.configuration().configuration.routeReadings
        let known = routes.filter { path == nil || $0.route == path }
        if let path, known.isEmpty {
            throw CommandError.usage(
                "--route takes a route of the configuration", instead: path, of: routes.map(\.route))
        }
        return known.flatMap { route in route.readings.map { (route.route, $0.expression, $0.path) } }
    }
}
