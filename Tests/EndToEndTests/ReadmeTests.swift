import TestSupport
import Testing

/// What the README shows, and what it can be run on.
@Suite(.timeLimit(.minutes(10)))
struct ReadmeTests {
    /// The blocks that are indented by four spaces, their indentation taken off.
    private static func blocks() throws -> [String] {
        var blocks: [String] = [""]
        for line in try text("README.md").split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("    ") { blocks[blocks.count - 1] += line.dropFirst(4) + "\n" }
            if !line.hasPrefix("    "), !line.isEmpty, blocks.last != "" { blocks.append("") }
        }
        return blocks.filter { !$0.isEmpty }
    }

    private static func text(_ file: String) throws -> String {
        String(decoding: try Checkout.read("\(Checkout.root)/\(file)"), as: UTF8.self)
    }

    @Test func itsConfigurationCanBeUsed() throws {
        let shown = try #require(try Self.blocks().first { $0.hasPrefix("{") })
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = try folder.write(shown, to: "weir.json")
        let result = try WeirProcess.run(["check", "--config", file], environment: ["WEIR_WEATHER_KEY": "k"])
        #expect(result.status == 0, "\(result.errors)")
    }

    @Test(arguments: ["weir.json", "demo.json"])
    func theConfigurationsThatComeWithWeirCanBeUsed(_ name: String) throws {
        let file = "\(Checkout.root)/Config/\(name)"
        let result = try WeirProcess.run(["check", "--config", file], environment: ["WEIR_WEATHER_KEY": "k"])
        #expect(result.status == 0, "\(result.errors)")
    }

    @Test func itsCommandLineIsTheOneThereIs() throws {
        let lines = try #require(try Self.blocks().first { $0.hasPrefix("weir serve ") }).split(separator: "\n")
        #expect(lines.count == 7)
        for line in lines {
            let words = line.split { " []|".contains($0) }.map(String.init)
            let help = try WeirProcess.run([words[1], "--help"]).output
            for option in words where option.hasPrefix("--") { #expect(help.contains(option), "\(line)") }
        }
    }

    @Test func itsMakeTargetsAndFoldersExist() throws {
        let (readme, makefile) = (try Self.text("README.md"), try Self.text("Makefile"))
        for match in readme.matches(of: /`?make ([a-z]+)/) {
            #expect(makefile.contains("\n\(match.1):"), "make \(match.1)")
        }
        for match in readme.matches(of: /`((?:Sources|Config|Tests)\/[A-Za-z\/]*)`/) {
            #expect(throws: Never.self) { try Checkout.names(in: String(match.1)) }
        }
    }

    @Test func itsAnswerIsTheDemosOwn() throws {
        let weir = try WeirProcess.demo()
        defer { weir.kill() }
        let shown = try #require(try Self.blocks().first { $0.contains("HTTP/1.1 200 OK") })
        let drift = try #require(try weir.get(weather).header("Weir-Drift"))
        #expect(shown.contains("Weir-Drift: \(drift)\n"))
    }

    @Test func itsPathsAreAnsweredAndItsParametersAreKnown() throws {
        let weir = try WeirProcess.demo()
        defer { weir.kill() }
        let readme = try Self.text("README.md")
        let targets = readme.matches(of: /curl 'localhost:8080([^']*)'/).map { String($0.1) }
        #expect(targets.count == 7)
        for target in targets { #expect(try weir.get(target).status == 200, "\(target)") }
        let known = try #require(try weir.get("/weather?x=1").json()["errors"][0]["detail"].string)
        let table = try #require(readme.split(separator: "| parameter | values |").last?.prefix { $0 != "#" })
        let names = table.matches(of: /(?m)^\| `([a-z]+)`(?:, `([a-z]+)`)? \|/).flatMap { [$0.1, $0.2 ?? $0.1] }
        #expect(Set(known.matches(of: /"([a-z]+)"/).map(\.1)) == Set(names))
    }
}
