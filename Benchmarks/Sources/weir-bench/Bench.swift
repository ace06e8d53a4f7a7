import Foundation

@main
struct Bench {
    static func main() { exit(bench(Array(CommandLine.arguments.dropFirst()))) }
}

/// Runs what the arguments ask for; the exit code.
func bench(_ arguments: [String]) -> Int32 {
    do {
        let invocation = try Invocation(arguments)
        return try invocation.run()
    } catch {
        Terminal.say("weir-bench: \(error)")
        return 70
    }
}
