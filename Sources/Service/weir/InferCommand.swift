import EventLoop
import Gateway
import Mapping
import Contracts
import Settings
import JSONText
import Records

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
            Command.Option(
                name: "--contract", placeholder: "forecast",
                help: "Write a mapping of an API of weather to the contract, and no route."),
        ],
        operands: "[FILE|-]…", maximumOperands: .max
    ) { invocation in
        try StackLimit.require(depth: JSONOptions.greatestDepth)
        let files = invocation.operands.isEmpty ? ["-"] : invocation.operands
        if let contract: Contract = try invocation.choice("--contract") {
            return try writeMapping(contract, invocation, files)
        }
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

    private enum Contract: String, CaseIterable { case forecast }

    /// Writes a mapping, which the command reads first as the service would.
    private static func writeMapping(_ contract: Contract, _ invocation: Invocation, _ files: [String]) throws
        -> ExitCode
    {
        for option in ["--path", "--upstream", "--name", "--route-only"] where invocation.has(option) {
            throw CommandError.usage("\(option) does not go with --contract")
        }
        let draft = ForecastDraft(
            try survey(of: files), unitSystems: UnitSystem.allCases.map(\.rawValue), schema: MappedForecast.schema)
        guard draft.hasWeather else {
            throw CommandError(
                code: .badData,
                message: "there is no mapping for these documents: no list of times with weather, and no weather of now"
            )
        }
        let bytes = Array(#"{"upstreams": [], "mappings": {"guess": \#(draft.text)}}"#.utf8)
        do {
            _ = try MappingNormalization("guess", kind: nil, in: ConfigurationFile(path: "the mapping", bytes: bytes))
        } catch {
            throw CommandError(code: .badData, message: "there is no mapping for these documents: \(error)")
        }
        try Terminal.write(Array(draft.text.utf8))
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
