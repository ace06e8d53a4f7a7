import TestSupport
import Testing

@Suite("Commands in the documents", .timeLimit(.minutes(10)))
struct CommandTests {
    @Test("Every command runs and ends as its comment says", arguments: Document.all)
    func commands(in document: Document) throws {
        let commands = document.blocks.filter { $0.language == "sh" }.flatMap(Command.all)
        let demo = commands.contains(where: \.isRequest) ? try WeirProcess.demo() : nil
        defer { demo?.kill() }
        for command in commands { try command.run(demo: demo) }
    }

    @Test("The list of commands that are not run has no outdated entry")
    func notRun() {
        let commands = Document.all.flatMap(\.blocks).filter { $0.language == "sh" }.flatMap(Command.all)
        for start in Command.notRun.keys {
            #expect(commands.contains { $0.text.hasPrefix(start) }, "no document has a command \"\(start)…\"")
        }
    }

    @Test("Every code block names its language", arguments: Document.all)
    func languages(of document: Document) {
        let known = ["sh", "json", "jsonc", "http", "swift", "text", "nginx"]
        for block in document.blocks {
            #expect(known.contains(block.language), "\(document.path): ```\(block.language)")
        }
        #expect(document.prose.allSatisfy { !$0.hasPrefix("    ") }, "\(document.path): use a fenced block")
    }

    @Test("The usage lines name exactly the options of each command")
    func usage() throws {
        let lines = try #require(
            Document.named("docs/api.md").blocks.first { $0.text.hasPrefix("weir serve ") }
        ).lines
        var options: [String: Set<String>] = [:]
        for line in lines {
            let words = line.split { " []|".contains($0) }.map(String.init)
            options[words[1], default: []].formUnion(words.filter { $0.hasPrefix("--") && $0 != "--" })
        }
        let overview = try WeirProcess.run(["--help"]).output
        let commands = overview.matches(of: #/(?m)^  ([a-z]+) /#).map { String($0.1) }.filter { $0 != "help" }
        #expect(Set(options.keys) == Set(commands))
        for (command, documented) in options {
            let help = try WeirProcess.run([command, "--help"]).output
            let known = Set(help.matches(of: /(?m)^  (--[a-z-]+)/).map { String($0.1) })
            #expect(documented == known.subtracting(["--help"]), "weir \(command)")
        }
    }
}
