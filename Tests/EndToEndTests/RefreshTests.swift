import TestSupport
import Testing

/// Documents that serve while they are refreshed.
@Suite("Refreshes", .timeLimit(.minutes(10)))
struct RefreshTests {
    /// A service whose documents are stale at once, and are refreshed in the background.
    private static func refreshing(_ upstream: ScriptedUpstream) throws -> WeirProcess {
        try WeirProcess.serve(
            configuration(
                [upstream.baseURL], deadline: 60_000,
                cache: #""weather": {"defaultSeconds": 0, "staleWhileRevalidateSeconds": 600}"#))
    }

    @Test("The log names a 404 when it occurs, and not each answer with it from memory")
    func remembered() throws {
        let upstream = try ScriptedUpstream { _ in .answer(404, "{}") }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(configuration([upstream.baseURL], cache: ""))
        defer { weir.kill() }
        for _ in 0..<3 { #expect(try weir.get(weather).status == 404) }
        #expect(try weir.terminate() == 0)
        #expect(weir.errors.split(separator: "\n").count { $0.contains("upstream failed") } == 1)
    }

    @Test("A 304 confirms the document, also if one of its fields has the key")
    func confirmed() throws {
        let count = Watched(0)
        let upstream = try ScriptedUpstream { _ in
            count.increase() == 1
                ? .answer(200, smallForecast, headers: ["ETag: \"v1\""])
                : .answer(304, "", headers: ["ETag: \"v1\"", "Content-Location: /forecast/test-key/1,2"])
        }
        defer { upstream.stop() }
        let cache = #""weather": {"defaultSeconds": 0, "staleWhileRevalidateSeconds": 0, "staleIfErrorSeconds": 0}"#
        let weir = try WeirProcess.serve(configuration([upstream.baseURL], cache: cache))
        defer { weir.kill() }
        for expected in ["fwd=uri-miss", "fwd-status=304", "fwd-status=304"] {
            let answer = try weir.get(weather)
            #expect(answer.status == 200)
            #expect(answer.header("Cache-Status")?.contains(expected) == true, "\(answer.everything)")
        }
    }

    @Test("A refresh that fails while its client waits has one line in the log")
    func waiting() throws {
        let count = Watched(0)
        let upstream = try ScriptedUpstream { _ in
            count.increase() == 1 ? .answer(smallForecast) : .answer(500, "{}")
        }
        defer { upstream.stop() }
        let cache = #""weather": {"defaultSeconds": 0, "staleWhileRevalidateSeconds": 0, "staleIfErrorSeconds": 600}"#
        let weir = try WeirProcess.serve(configuration([upstream.baseURL], cache: cache))
        defer { weir.kill() }
        for _ in 0..<2 { #expect(try weir.get(weather).status == 200) }
        #expect(try weir.terminate() == 0)
        #expect(weir.errors.split(separator: "\n").count { $0.contains("failed\"") } == 1)
        #expect(weir.errors.contains("upstream failed"))
    }

    @Test("The log names each refresh that failed, its upstream and the reason, without the key")
    func failure() throws {
        // The first answer is a forecast, the following ones are 502, 503 and so on.
        let count = Watched(0)
        let upstream = try ScriptedUpstream { _ in
            let number = count.increase()
            return number == 1 ? .answer(smallForecast) : .answer(500 + number, #"{"error":"test-key is wrong"}"#)
        }
        defer { upstream.stop() }
        let weir = try Self.refreshing(upstream)
        defer { weir.kill() }
        #expect(try weir.get(weather).status == 200)
        for number in 2...4 {
            // The refresh before may be about to end; another one begins after that.
            while count.current < number {
                let answer = try weir.get(weather)
                #expect(answer.status == 200)
                #expect(answer.header("Cache-Status")?.hasPrefix("Weir; fwd=stale") == true)
            }
            let line = try weir.logLine("refresh failed") {
                $0["detail"].string == "The upstream upstream-0 answered with status \(500 + number)."
            }
            #expect(line["level"].string == "warning")
            #expect(line["upstream"].string == "upstream-0")
            #expect(line["requests"].string == "forecast")
            #expect(line["status"].integer == 502)
            #expect(line["tries"].elements.map { $0["result"].string } == ["\(500 + number)"])
        }
        #expect(try weir.terminate() == 0)
        // Each has a status of its own; the last of them may have been cut off.
        let lines = weir.errors.split(separator: "\n").filter { $0.contains("refresh failed") }
        let reasons = lines.map { $0.split(separator: "answered with ").dropFirst().first?.prefix(10) }
        #expect(Set(reasons).count == lines.count)
        #expect(count.current - 2...count.current - 1 ~= lines.count)
        #expect(!weir.errors.contains("test-key"))
    }

    @Test("The log names a 404 that a refresh in the background has found")
    func absence() throws {
        let count = Watched(0)
        let upstream = try ScriptedUpstream { _ in count.increase() == 1 ? .answer(smallForecast) : .answer(404, "{}") }
        defer { upstream.stop() }
        let weir = try Self.refreshing(upstream)
        defer { weir.kill() }
        #expect(try weir.get(weather).status == 200)
        #expect(try weir.get(weather).status == 200)
        let line = try weir.logLine("refresh failed") { $0["status"].integer == 404 }
        #expect(line["tries"].elements.map { $0["result"].string } == ["404"])
    }
}
