import Settings
import EventLoop
import Gateway
import Glibc
import Operations

/// The process.
///
/// `run` is not a method, because closures in a type marked `@main` belong to the main actor.
@main
enum Weir {
    static func main() async {
        AddressSpaceLimit.prepare()
        FileContents.openStandardStreams()
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.first == ServeCommand.command.name { Signals.hold() }
        exit(await run(arguments).rawValue)
    }
}

/// Runs the command that `arguments` name and returns its exit code.
nonisolated func run(_ arguments: [String]) async -> ExitCode {
    let failure: CommandError
    do {
        let invocation = try Invocation(arguments)
        return try await invocation.command.run(invocation)
    } catch let error as CommandError {
        failure = error
    } catch let error as ConfigurationError {
        failure = CommandError(code: .configuration, message: "\(error)")
    } catch {
        failure = CommandError(code: .unavailable, message: "\(error)")
    }
    // A person writes a command line; a program reads the log of a service.
    if arguments.first == ServeCommand.command.name, failure.code != .usage {
        Log.standard.write(
            .error, "not started", ["detail": failure.message, "exitStatus": Int(failure.code.rawValue)])
        Log.standard.flush()
    } else {
        Terminal.complain(failure.message)
    }
    return failure.code
}

enum Terminal {
    static func say(_ text: String) throws { try write(Array((text + "\n").utf8)) }

    static func write(_ bytes: [UInt8]) throws {
        do {
            try FileContents.writeStandardOutput(bytes)
        } catch {
            throw CommandError(code: .unavailable, message: "standard output: \(error)")
        }
    }

    /// Writes lines to standard error.
    static func complain(_ text: String) {
        let lines = text.split(separator: "\n").map { "weir: \($0)\n" }.joined()
        FileContents.writeStandardError(Array(lines.utf8))
    }
}
