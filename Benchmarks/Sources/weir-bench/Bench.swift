import Foundation

@main
struct Bench {
    static func main() { exit(bench(Array(CommandLine.arguments.dropFirst()))) }
}

/// Runs the command line and returns the exit code.
func bench(_ arguments: [String]) -> Int32 {
    do {
        let invocation = try Invocation(arguments)
        return try invocation.run()
    } catch {
        Terminal.say("weir-bench: \(error)")
        return 70
    }
}

/// The output: figures go to standard output, everything else to standard error.
enum Terminal {
    /// Writes a line to standard error.
    static func say(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }

    /// Writes a line to standard output.
    static func print(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}
