import TestSupport
import Testing

@Suite("docs/configuration.md", .timeLimit(.minutes(10)))
struct ConfigurationDocumentTests {
    private static let environment = ["WEIR_WEATHER_KEY": "key", "WEIR_TWITTER_TOKEN": "token"]

    @Test("The configurations in the repository are valid", arguments: ["weir.json", "demo.json"])
    func configurations(name: String) throws {
        let file = "\(Checkout.root)/Config/\(name)"
        let result = try WeirProcess.run(["check", "--config", file], environment: Self.environment)
        #expect(result.status == 0, "\(result.errors)")
    }

    @Test("Every configuration in a document is valid", arguments: Document.all)
    func examples(in document: Document) throws {
        for block in document.blocks where block.text.contains("\"upstreams\":") && block.language == "jsonc" {
            let result = try Self.check(block.text)
            #expect(result.status == 0, "\(document.path): \(result.errors)")
        }
    }

    @Test("Every route beside one of KrakenD is accepted without a warning")
    func routes() throws {
        let blocks = try Document.named("docs/from-krakend.md").blocks.filter { $0.language == "jsonc" }
        let start = try #require(blocks.first).text.dropLast("\n    ]\n}\n".count)
        #expect(blocks.count > 6)
        for route in blocks.dropFirst() {
            let result = try Self.check("\(start), \(route.text)]}", "--strict")
            #expect(result.status == 0, "\(route.text)\(result.errors)")
        }
    }

    @Test("The tables have every key with its default")
    func keys() throws {
        let minimal = Self.configuration(upstream: #""key": {"environment": "WEIR_WEATHER_KEY"}"#)
        let printed = try Parsed(Self.check(minimal, "--print").output)
        // Keys without a default are not printed.
        let leaves = printed.leaves().map { leaf in
            (leaf.path.replacing(/\[\d+\]$/, with: "").replacing(/\[\d+\]/, with: "[]"), leaf.value)
        }
        let rows = try Self.rows()
        for (path, value) in leaves {
            let row = try #require(rows[path], "\(path) is not documented")
            if row[1].hasPrefix("`") { #expect(value.isWritten(row[1].filter { $0 != "`" }), "\(path)") }
        }
    }

    @Test("The bounds in the tables are those that the service enforces")
    func bounds() throws {
        var bounds: [String: (low: Int, high: Int)] = [:]
        for (path, row) in try Self.rows() {
            guard let match = row[2].firstMatch(of: /^(\d+) to (\d+)$/), let low = Int(match.1), let high = Int(match.2)
            else { continue }
            bounds[path] = (low, high)
        }
        #expect(bounds.count >= 30)
        for values in [bounds.mapValues(\.low), bounds.mapValues(\.high)] {
            let result = try Self.check(Self.configuration(settings: values))
            #expect(result.status == 0, "\(result.errors)")
        }
        // In parts, because only the first faults are listed.
        let parts = Dictionary(grouping: bounds) { ["u", "c"].firstIndex(of: $0.key.prefix(1)) ?? -1 }
        for part in parts.values.map({ Dictionary(uniqueKeysWithValues: $0.map { ($0.key, $0.value) }) }) {
            for values in [part.mapValues { $0.low - 1 }, part.mapValues { $0.high + 1 }] {
                let result = try Self.check(Self.configuration(settings: values))
                #expect(result.status == 78)
                for path in part.keys {
                    let place = path.replacing("[]", with: "[0]")
                    #expect(result.errors.contains(place + " "), "\(path): \(result.errors)")
                }
            }
        }
    }

    /// Returns the rows of all tables by the path of their key.
    private static func rows() throws -> [String: [String]] {
        let document = try Document.named("docs/configuration.md")
        let sections = [
            "Root", "`server`", "`server.tls`", "`fetching`", "`cache`", "`upstreams[]`", "`upstreams[].key`",
            "`upstreams[].oauth1`",
            "`upstreams[].oauth2`", "`upstreams[].jwt`", "`upstreams[].tls`", "`upstreams[].breaker`",
            "`upstreams[].quota`", "`weather`", "`tweets`",
        ]
        let rows = try sections.flatMap { try document.rows(in: $0) }
        return Dictionary(rows.map { ($0[0].filter { $0 != "`" }, $0) }) { $1 }
    }

    private static func check(_ configuration: String, _ arguments: String...) throws -> WeirProcess.Result {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = try folder.write(configuration, to: "weir.json")
        return try WeirProcess.run(["check", "--config", file] + arguments, environment: environment)
    }

    /// Returns a configuration with numbers by their paths, such as `server.maximumConnections`.
    private static func configuration(settings: [String: Int]) -> String {
        func members(of parent: String) -> String {
            let prefix = parent.isEmpty ? "" : parent + "."
            let inside = settings.filter { $0.key.hasPrefix(prefix) && !(parent.isEmpty && $0.key.contains(".")) }
            let names = Set(inside.keys.compactMap { $0.dropFirst(prefix.count).split(separator: ".").first })
            return names.map { name in
                let path = prefix + name
                return "\"\(name)\": \(settings[path].map { "\($0)" } ?? "{\(members(of: path))}")"
            }.joined(separator: ", ")
        }
        func continued(_ members: String) -> String { members.isEmpty ? "" : ", " + members }
        let objects = ["server", "fetching", "cache"].map { ", \"\($0)\": {\(members(of: $0))}" }.joined()
        return configuration(
            root: continued(members(of: "")) + objects, upstream: members(of: "upstreams[]"),
            weather: continued(members(of: "weather")))
    }

    private static func configuration(root: String = "", upstream: String = "", weather: String = "") -> String {
        """
        {"upstreams": [{"name": "a", "dialect": "openMeteo", "baseURL": "https://weather.example"\
        \(upstream.isEmpty ? "" : ", " + upstream)}],
         "weather": {"upstreams": ["a"]\(weather)}\(root)}
        """
    }
}

extension Parsed {
    /// Whether the value is the one that `text` writes: a string, an integer, `true` or `false`.
    fileprivate func isWritten(_ text: String) -> Bool {
        string == text || integer == Int(text) ?? ["false": 0, "true": 1][text]
    }
}
