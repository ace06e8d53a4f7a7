import EventLoop
import Gateway
import Mapping
import Settings
import JSONText

/// The command `weir infer`.
enum InferCommand {
    /// The largest file of a configuration.
    private static let maximumOutput = 1 << 20

    /// `weir infer`: a configuration with a route, from recorded answers.
    static let command = Command(
        name: "infer", summary: "Write a route from recorded answers of one endpoint, with the evidence in comments.",
        options: [
            Command.Option(
                name: "--path", placeholder: "PATH", help: "Path of the route and the upstream; default: /answer."),
            Command.Option(name: "--upstream", placeholder: "NAME", help: "Upstream of the route; default: upstream."),
            Command.Option(name: "--name", placeholder: "NAME", help: "Name of the route; default: none."),
            Command.Option(name: "--route-only", help: "Write the route alone, without upstreams."),
        ],
        operands: "[FILE|-]…", maximumOperands: .max
    ) { invocation in
        try StackLimit.require(depth: JSONOptions.greatestDepth)
        let files = invocation.operands.isEmpty ? ["-"] : invocation.operands
        let draft = RouteDraft(
            path: invocation.value("--path") ?? "/answer", upstream: invocation.value("--upstream") ?? "upstream",
            name: invocation.value("--name"), survey: try survey(of: files))
        let configuration = draft.configuration.commented()
        do throws(ConfigurationError) {
            _ = try ConfigurationFile(path: "the configuration", bytes: Array(configuration.utf8)).configuration()
        } catch {
            throw CommandError(code: .badData, message: "there is no route for these documents: \(error)")
        }
        let text = (invocation.has("--route-only") ? draft.route.commented() : configuration) + "\n"
        if text.utf8.count > maximumOutput {
            throw CommandError(
                code: .badData,
                message: "the route has \(text.utf8.count) bytes, and a configuration at most \(maximumOutput)")
        }
        try Terminal.write(Array(text.utf8))
        return .ok
    }

    /// Returns the survey of the documents in files.
    static func survey(of files: some Sequence<String>) throws -> ShapeSurvey {
        var survey = ShapeSurvey()
        for file in files {
            let (name, bytes) = try NormalizeCommand.input(at: file)
            do {
                try survey.add(bytes, options: JSONOptions(maximumBytes: NormalizeCommand.maximumInput))
            } catch {
                throw CommandError(code: .badData, message: "\(name): \(error)")
            }
        }
        return survey
    }
}
