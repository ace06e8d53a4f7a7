import TestSupport
import Testing

/// `weir normalize --drift` and `--drift-baseline`.
@Suite("Drift of recorded answers", .timeLimit(.minutes(10)))
struct NormalizeDriftTests {
    private static let good =
        #"{"latitude":1,"longitude":2,"timezone":"GMT","hourly":{"data":[{"time":1767290400,"icon":"rain","#
        + #""temperature":"1","humidity":0.5,"windSpeed":1,"precipIntensity":0}]},"flags":{"units":"si"}}"#

    private static func run(_ arguments: [String], _ input: String) throws -> WeirProcess.Result {
        try WeirProcess.run(["normalize"] + arguments, input: Array(input.utf8))
    }

    @Test("The list of repairs and an explanation are baselines; kinds and paths that they lack give status 1")
    func baseline() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let dialect = ["--as", "darkSky"]
        let drift = try Self.run(dialect + ["--drift"], Self.good)
        #expect(drift.status == 0 && drift.errors.isEmpty)
        #expect(
            drift.output
                == #"[{"kind":"coerced","path":"hourly.data[].temperature","reason":"numericString","count":1,"#
                + #""example":"hourly.data[0].temperature"}]"# + "\n")
        let explained = try Self.run(dialect + ["--explain"], Self.good).output
        let renamed = Self.good.replacing("windSpeed", with: "windspeed")
        for text in [drift.output, explained, #"[{"kind":"coerced","path":"hourly.data[].temperature"}]"#] {
            let file = try folder.write(text, to: "baseline.json")
            let same = try Self.run(dialect + ["--drift-baseline", file], Self.good)
            #expect(same.status == 0 && same.output.hasPrefix(#"{"latitude":1"#))
            let other = try Self.run(dialect + ["--drift-baseline", file], renamed)
            #expect(other.status == 1)
            for line in ["unexpectedKey hourly.data[].windspeed", "missing hourly.data[].windSpeed"] {
                #expect(other.errors.contains("weir: not in \(file): \(line)\n"), "\(other.errors)")
            }
            #expect(!other.errors.contains("not in \(file): coerced"))
        }
        #expect(try Self.run(dialect + ["--drift", "--drift-baseline", "/dev/null"], Self.good).status == 65)
        let other = try folder.write("{}", to: "other.json")
        let result = try Self.run(dialect + ["--drift-baseline", other], Self.good)
        #expect(result.status == 65 && result.errors.contains("there is no list of repairs"))
        #expect(try Self.run(dialect + ["--drift-baseline", "nothing.json"], Self.good).status == 66)
    }

    @Test("Documents of no contract and tweets have baselines, too; a rendering of tweets has none")
    func others() throws {
        let json = try Self.run(["--as", "json", "--drift"], #"{"a":1,"a":2}"#)
        #expect(json.output.hasPrefix(#"[{"kind":"duplicateKey","path":"a""#))
        let tweet = #"{"id":"1","text":"a","created_at":"Wed Aug 27 13:08:45 +0000 2008","new":1}"#
        #expect(
            try Self.run(["--as", "twitter", "--drift"], tweet).output.hasPrefix(
                #"[{"kind":"unexpectedKey","path":"new""#))
        let text = try Self.run(["--as", "twitter", "--text", "--drift"], tweet)
        #expect(text.status == 64 && text.errors.contains("--drift does not go with"))
    }
}
