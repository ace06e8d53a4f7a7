import Foundation
import TestSupport
import Testing

/// Upstreams whose documents are made to take long or to need much stack.
@Suite("Hostile documents of upstreams", .timeLimit(.minutes(10)))
struct HostileUpstreamTests {
    @Test("Documents of 7.8 MB with millions of empty objects do not outlive their deadline")
    func deadline() throws {
        let upstream = try ScriptedUpstream { _ in .answer(Self.slowForecast) }
        defer { upstream.stop() }
        let deadline = 5000
        let weir = try WeirProcess.serve(
            configuration([upstream.baseURL], deadline: deadline, requestDeadline: deadline))
        defer { weir.kill() }
        let statuses = Watched<[Int]>([])
        let address = try weir.address()
        // Each takes seconds to read in a debug build, and with a sanitizer longer to receive.
        let count = Sanitizer.isPresent ? 6 : 24
        let time = seconds {
            for _ in 0..<count {
                Thread.detachNewThread {
                    let status = (try? RawClient(address).get(weather).status) ?? 0
                    statuses.update { $0.append(status) }
                }
            }
            _ = statuses.wait { $0.count == count ? true : nil }
        }
        #expect(statuses.current.count == count)
        #expect(statuses.current.allSatisfy { $0 == 200 || $0 == 504 || $0 == 503 }, "\(statuses.current)")
        // A busy machine may take some times as long as another.
        #expect(time.seconds < 4 * Double(deadline) / 1000, "\(time.seconds) s")
        // Nobody reads on for clients that have their answers; what has been read may take a while to release.
        var (used, looks) = (Duration.seconds(1), 0)
        while used >= .milliseconds(250), looks < 8 { (used, looks) = (try weir.idleTime(), looks + 1) }
        #expect(used < .milliseconds(250), "\(used) in each half of four seconds")
    }

    @Test("A signal counts at once while all threads read documents")
    func signal() throws {
        let upstream = try ScriptedUpstream { _ in .answer(Self.slowForecast) }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(
            configuration([upstream.baseURL], deadline: 60_000, requestDeadline: 60_000))
        defer { weir.kill() }
        let statuses = Watched<[Int]>([])
        let address = try weir.address()
        let count = ProcessInfo.processInfo.activeProcessorCount
        for _ in 0..<count {
            Thread.detachNewThread {
                let status = (try? RawClient(address).get(weather).status) ?? 0
                statuses.update { $0.append(status) }
            }
        }
        while try weir.processorTime < .seconds(1), statuses.current.isEmpty {}
        weir.send(signal: SIGTERM)
        _ = try weir.logLine("draining")
        #expect(statuses.current.isEmpty)
        weir.send(signal: SIGTERM)
        #expect(try weir.waitForExit() == 0)
        #expect(statuses.wait { $0.count == count ? $0 : nil } == [Int](repeating: 0, count: count))
    }

    /// It takes seconds to read in a debug build: each list has fewer elements than are read at most.
    private static let slowForecast: String = {
        let regions = Array(repeating: "{}", count: 9000).joined(separator: ",")
        let alert = #"{"title":"x","time":1,"regions":[\#(regions)]}"#
        let alerts = Array(repeating: alert, count: 285).joined(separator: ",")
        // An answer without a value would be refused.
        let current = #"{"time":1767290437,"temperature":1}"#
        return #"{"latitude":1,"longitude":2,"timezone":"x","currently":\#(current),"alerts":[\#(alerts)]}"#
    }()

    /// Documents that nest as deep as the default limit allows, below the root.
    private static func nested(_ dialect: String, _ levels: Int) -> String {
        let status = #"{"id":"1","created_at":"2019-12-08","content":"x","quote":"#
        let tweet = #"{"created_at":"Wed Aug 27 13:08:45 +0000 2008","id":1,"text":"x","quoted_status":"#
        let open = dialect == "mastodon" ? status : tweet
        return String(repeating: open, count: levels) + "null" + String(repeating: "}", count: levels)
    }

    @Test(
        "64 levels are read with stacks of 2 MB: on the main thread, on a shard and in the work pool",
        arguments: ["twitter", "mastodon"])
    func stack(_ dialect: String) throws {
        let small = Self.nested(dialect, 64)
        // Documents of 64 KiB and more are read in the pool.
        let large = small.replacing("\"x\"", with: "\"\(String(repeating: "x", count: 2000))\"")
        for document in [small, large] {
            let normalize = try WeirProcess(
                ["normalize", "--as", dialect, "--explain"], input: Array(document.utf8), limit: "-s 2048")
            #expect(try normalize.waitForExit() == 0)
            let upstream = try ScriptedUpstream { _ in .answer(document) }
            defer { upstream.stop() }
            let folder = try TemporaryFolder()
            defer { folder.remove() }
            let file = try folder.write(
                TweetRouteTests.configuration([(dialect, upstream.baseURL)]), to: "weir.json")
            let weir = try WeirProcess(
                ["serve", "--config", file], environment: ["WEIR_TEST_KEY": "test-key"], limit: "-s 2048")
            defer { weir.kill() }
            let answer = try weir.get("/tweets/1?explain=1")
            #expect(answer.status == 200)
            #expect(try weir.terminate() == 0)
        }
    }

    @Test("Documents may nest 64 levels", arguments: ["twitter", "mastodon"])
    func depth(_ dialect: String) throws {
        for (levels, status) in [(64, 200), (65, 502), (200, 502)] {
            let answer = ScriptedUpstream.Reaction.answer(Self.nested(dialect, levels))
            let upstream = try ScriptedUpstream { _ in answer }
            defer { upstream.stop() }
            let weir = try WeirProcess.serve(TweetRouteTests.configuration([(dialect, upstream.baseURL)]))
            defer { weir.kill() }
            let found = try weir.get("/tweets/1")
            #expect(found.status == status, "\(levels): \(found.text)")
            #expect(found.text.contains("nested deeper than the limit of") == (status == 502))
            #expect(try weir.terminate() == 0)
        }
    }
}
