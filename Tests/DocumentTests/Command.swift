import Foundation
import TestSupport
import Testing

/// A command in a `sh` block of a document.
struct Command: Sendable {
    let text: String
    /// The comment behind the command, which may announce an HTTP status or an exit status.
    let comment: String

    /// The commands that the tests do not run, by how they begin, and why.
    static let notRun = [
        "docker ": "needs a container engine and a base image",
        "perf ": "needs a benchmark build and a profiler",
        "swift ": "builds what the test run has built, or a separate package",
        "export PATH": "the tests find weir beside themselves",
        "SWIFT_BACKTRACE=enable=no": "needs an input that a fuzz target has saved",
    ]

    /// Returns the commands of a `sh` block; a line that ends with a backslash continues on the next line.
    static func all(in block: Document.Block) -> [Command] {
        var commands: [Command] = []
        var start = ""
        for line in block.lines {
            if line.hasSuffix("\\") {
                start += line.dropLast().drop { $0 == " " }
                continue
            }
            let (text, comment) = split(start.isEmpty ? line : start + line.drop { $0 == " " })
            start = ""
            if !text.isEmpty { commands.append(Command(text: text, comment: comment)) }
        }
        return commands
    }

    /// Splits a line at the first `#` that starts a word outside of quotes.
    private static func split(_ line: String) -> (text: String, comment: String) {
        var isQuoted = false
        var previous: Character = " "
        for index in line.indices {
            if line[index] == "'" { isQuoted.toggle() }
            if line[index] == "#", previous == " ", !isQuoted {
                return (line[..<index].trimmingCharacters(in: .whitespaces), String(line[index...]))
            }
            previous = line[index]
        }
        return (line.trimmingCharacters(in: .whitespaces), "")
    }

    /// Why the command is not run; nil if it is.
    var reasonNotRun: String? { Self.notRun.first { text.hasPrefix($0.key) }?.value }

    /// The words, with the quotes of single-quoted words removed.
    var words: [String] {
        text.matches(of: /'([^']*)'|[^\s']+/).map { String($0.1 ?? $0.0) }
    }

    /// Whether the command is an HTTP request to the demo.
    var isRequest: Bool { words.first == "curl" }

    /// Runs the command; requests go to `demo` in place of `localhost:8080`.
    func run(demo: WeirProcess?) throws {
        let program = words.first { !$0.contains("=") } ?? ""
        switch program {
        case _ where reasonNotRun != nil: return
        case "curl": try runRequest(#require(demo))
        case "make": try expectSuccess(of: "make -n " + text.dropFirst("make ".count))
        case "weir" where words.contains("serve"): try runService()
        case "weir": try expectSuccess(of: text)
        default: Issue.record("the tests do not know how to run \"\(text)\"")
        }
    }

    /// The status that the comment announces: `# status 404`, `# exits with 65`.
    private func announced(_ pattern: Regex<(Substring, Substring)>) -> Int32? {
        comment.firstMatch(of: pattern).flatMap { Int32($0.1) }
    }

    private func expectSuccess(of line: String) throws {
        let folder = (WeirProcess.binary as NSString).deletingLastPathComponent
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let result = try Tool.run(
            ["sh", "-c", line], environment: ["PATH": "\(folder):\(path)"], in: Checkout.root)
        #expect(result.status == announced(/exits with (\d+)/) ?? 0, "\(text): \(result.errors)")
    }

    /// Starts the service on a free port and stops it.
    private func runService() throws {
        var arguments = words.drop { $0 != "serve" }
        if let listen = arguments.firstIndex(of: "--listen") { arguments.removeSubrange(listen...listen + 1) }
        let pairs = words.prefix { $0.contains("=") }.map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
        let weir = try WeirProcess(
            arguments + ["--listen", "127.0.0.1:0"],
            environment: Dictionary(pairs.map { ($0[0], $0[1]) }) { $1 }, in: Checkout.root)
        defer { weir.kill() }
        _ = try weir.address()
        #expect(try weir.terminate() == 0, "\(text)")
    }

    private func runRequest(_ demo: WeirProcess) throws {
        let options = Set(words.filter { $0.hasPrefix("-") })
        #expect(options.isSubset(of: ["-i", "-I", "-H", "--compressed"]), "\(text): unknown option of curl")
        var fields: [String] = options.contains("--compressed") ? ["Accept-Encoding: gzip"] : []
        for (option, value) in zip(words, words.dropFirst()) where option == "-H" { fields.append(value) }
        let start = "localhost:8080"
        let target = try #require(words.first { $0.hasPrefix(start) }, "\(text) asks another host").dropFirst(
            start.count)
        let answer = try demo.get(String(target), method: options.contains("-I") ? "HEAD" : "GET", headers: fields)
        #expect(answer.status == announced(/status (\d+)/).map(Int.init) ?? 200, "\(text): \(answer.text)")
    }
}
