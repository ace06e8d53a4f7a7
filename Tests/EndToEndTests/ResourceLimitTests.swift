import Glibc
import TestSupport
import Testing

/// The service under limits of its process.
@Suite("Limits of the process", .timeLimit(.minutes(10)))
struct ResourceLimitTests {
    /// Limits that are too low, what the error says is missing, and its unit in that of `ulimit`.
    private static let limits: [(String, Int, String, Int)] = {
        let limits = [("-n", 64, "open files", 1), ("-v", 200 << 10, "MiB of address space", 1024)]
        // A sanitizer maps terabytes for its own use at the start, and ends the process if it cannot.
        return Sanitizer.isPresent ? [limits[0]] : limits
    }()

    @Test(
        "With too low a limit, the service says what is missing, and with that much more it serves",
        arguments: limits)
    func tooLow(_ option: String, _ limit: Int, _ name: String, _ unit: Int) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = try folder.write(configuration([Checkout.sample]), to: "weir.json")
        func serve(_ limit: Int) throws -> WeirProcess {
            try WeirProcess(["serve", "--config", file], limit: "\(option) \(limit)")
        }
        let refused = try serve(limit)
        defer { refused.kill() }
        #expect(try refused.waitForExit() == 69)
        let text = "cannot serve (?:with at most|in) \(limit / unit) \(name), ([0-9]+) more are needed"
        let match = try #require(try refused.errors.firstMatch(of: Regex(text, as: (Substring, Substring).self)))
        let missing = try #require(Int(match.1))
        if name == "open files" {
            let almost = try serve(limit + missing - 1)
            defer { almost.kill() }
            #expect(try almost.waitForExit() == 69)
            #expect(almost.errors.contains("\(limit + missing - 1) open files, 1 more are needed"))
        }
        // Loaders take more address space at one time than at another.
        let weir = try serve(limit + (name == "open files" ? missing : missing + missing / 10) * unit)
        defer { weir.kill() }
        // There may be room for a single connection.
        let client = try weir.client()
        for _ in 0..<20 { #expect(try client.get(weather).status == 200) }
        client.close()
        #expect(try weir.terminate() == 0)
    }

    @Test("With stacks too small for the deepest document, nothing is read, and the error says what is missing")
    func stacks() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let text = configuration([Checkout.sample])
        // The expressions and shapes of routes take 322 levels beside the 64 of a document.
        let routes = #""routes": [{"path": "/a", "fetch": {"upstream": "b"}}], "upstreams": ["#
        let deep = text.replacing(
            #""upstreams": [{"#, with: routes + #"{"name": "b", "sample": "\#(Checkout.sample)"}, {"#)
        let file = try folder.write(deep, to: "weir.json")
        let shallow = try folder.write(text, to: "shallow.json")
        for (words, limit, levels, missing) in [
            (["serve", "--config", file], 512, 386, 388), (["serve", "--config", shallow], 200, 64, 56),
            (["normalize", "--as", "mastodon"], 1151, 512, 1), (["normalize", "--as", "twitter"], 256, 512, 896),
        ] {
            let weir = try WeirProcess(words, limit: "-s \(limit)")
            defer { weir.kill() }
            #expect(try weir.waitForExit() == 69)
            let expected =
                "cannot read documents of \(levels) levels with stacks of \(limit) KiB, \(missing) more"
            #expect(weir.errors.contains(expected), "\(weir.errors)")
        }
        let weir = try WeirProcess(["serve", "--config", shallow], limit: "-s 800")
        defer { weir.kill() }
        #expect(try weir.get(weather).status == 200)
        try folder.write(deep, to: "shallow.json")
        weir.send(signal: SIGHUP)
        let line = try weir.logLine("configuration refused")
        #expect(line["detail"].string?.contains("with stacks of 800 KiB, 100 more are needed") == true)
        #expect(try weir.get(weather).status == 200)
    }

    @Test("The processor time of pipelined requests behind a slow answer grows with their number, not its square")
    func pipelined() throws {
        let folder = try sample(delayMilliseconds: 1, forecast: smallForecast)
        defer { folder.remove() }
        let weir = try WeirProcess.serve(configuration([folder.path]))
        defer { weir.kill() }
        let request = "GET \(weather) HTTP/1.1\r\nHost: a\r\n\r\n"
        func time(_ count: Int) throws -> Duration {
            let client = try weir.client()
            let start = try weir.processorTime
            client.send(String(repeating: request, count: count))
            for _ in 0..<count { #expect(try client.read().status == 200) }
            return try weir.processorTime - start
        }
        _ = try time(100)
        // All of them are in one read of the server.
        let (few, many) = try (time(100), time(800))
        #expect(many < few * 8 * 2, "\(few) for 100, \(many) for 800")
    }
}
