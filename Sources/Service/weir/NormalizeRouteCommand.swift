import Settings
import API
import EventLoop
import Gateway
import JSONText
import Records

/// `weir normalize --route`: the answer of a configured route, from a file.
enum NormalizeRouteCommand {
    static let options = [
        Command.Option(
            name: "--route", placeholder: "PATH",
            help: "Configured route instead of a dialect: its path in the configuration, or one that it answers."),
        .config,
        Command.Option(
            name: "--set", placeholder: "NAME=VALUE", repeats: true, help: "Value of a parameter of the route."),
    ]

    static func run(_ invocation: Invocation, route path: String) throws -> ExitCode {
        let settings = try invocation.values("--set").map { text in
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2 else { throw CommandError.usage("--set takes NAME=VALUE, not \"\(text)\"") }
            return (name: parts[0], value: parts[1])
        }
        // Here, --set gives parameters of the route.
        let configuration = try invocation.configuration(overridden: false).configuration
        let route: RouteNormalization
        do throws(RouteNormalization.Fault) {
            route = try RouteNormalization(configuration, route: path, settings: settings)
        } catch {
            throw CommandError.usage("--route: \(error)")
        }
        let document = try NormalizeCommand.read(invocation) { try route.normalize($0, options: $1) }
        return try NormalizeCommand.write(
            document, invocation, isExplained: route.isExplained, source: DocumentSource(dialect: "json"))
    }
}
