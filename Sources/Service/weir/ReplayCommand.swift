import Gateway
import JSONText
import Proxy
import Records
import EventLoop
import Settings
import Store

/// The command `weir replay`.
enum ReplayCommand {
    /// `weir replay`: the answers of two configurations to the requests of snapshots.
    static let command = Command(
        name: "replay", summary: "Compare the answers of two configurations to the documents of snapshots.",
        options: [
            .config,
            Command.Option(name: "--with", placeholder: "FILE", help: "The new configuration."),
            Command.Option(
                name: "--accept", placeholder: "PATH", repeats: true,
                help: "Path of answers or of a route whose changes are announced; the exit code is 1 for others."),
            Command.Option(name: "--json", help: "Print the differences as JSON."),
        ],
        operands: "SNAPSHOT…", maximumOperands: .max
    ) { invocation in
        guard invocation.has("--with"), !invocation.operands.isEmpty else {
            throw CommandError.usage("weir replay needs --with FILE and a snapshot; see weir replay --help")
        }
        try StackLimit.require(depth: JSONOptions.greatestDepth)
        let old = try invocation.configuration(), new = try invocation.configuration(of: "--with")
        let documents = try invocation.operands.flatMap(documents)
        let report = try await SnapshotReplay(documents, from: old, to: new, accepting: invocation.values("--accept"))
            .run()
        try Terminal.say(invocation.has("--json") ? report.json.description : report.text)
        return report.isDifferent ? .difference : .ok
    }

    /// Reads the documents of a snapshot.
    static func documents(ofSnapshotAt path: String) throws -> [KeptDocument] {
        do {
            return try KeptDocument.all(ofSnapshotAt: path)
        } catch let fault as SnapshotFault {
            let code: ExitCode =
                switch fault {
                case .absent, .system: .noInput
                default: .badData
                }
            throw CommandError(code: code, message: "\(path): the file \(fault)")
        }
    }
}
