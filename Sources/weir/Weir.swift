import EventLoop
import Glibc

/// The process.
///
/// Nothing else stands here: closures written in a type marked `@main` belong to the main actor.
@main
enum Weir {
    static func main() async { exit(await run(Array(CommandLine.arguments.dropFirst())).rawValue) }
}

/// Runs the command that the arguments name and says how it ended.
nonisolated func run(_ arguments: [String]) async -> ExitCode {
    do {
        let invocation = try Invocation(arguments)
        return try await invocation.command.run(invocation)
    } catch let error as CommandError {
        Terminal.complain(error.message)
        return error.code
    } catch {
        Terminal.complain("\(error)")
        return .unavailable
    }
}
