import TestSupport
import Testing

/// Segments `.` and `..` that would change the path of a request to an upstream, which carries the key.
@Suite(.timeLimit(.minutes(10)))
struct DotSegmentTests {
    @Test(
        "A client's path with dot segments is refused, and no upstream is asked",
        arguments: [
            "/timelines/..", "/timelines/.", "/timelines/%2e%2e", "/timelines/.%2E", "/timelines/%2e", "/tweets/..",
            "/tweets/%2e%2e", "/timelines/..%2f..%2fa", "/timelines/a%2f..%2f..", "/timelines/..%5c..",
            "/tweets/1/../2",
            "/forecast/../37.8267,-122.4233", "/forecast/a/../37.8267,-122.4233", "/../weather", "/a/..", "/.",
        ])
    func clients(_ path: String) throws {
        let upstream = try ScriptedUpstream { _ in .answer(#"{"data":{"id":"9","username":"weir"}}"#) }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(TweetRouteTests.configuration([("twitterV2", upstream.baseURL)]))
        defer { weir.kill() }
        let answer = try weir.get(path)
        #expect(answer.status == 400, "\(answer.text)")
        #expect(answer.text.contains("segment"), "\(answer.text)")
        #expect(upstream.requests.isEmpty)
    }

    @Test("A name with dots between other characters is forwarded")
    func names() throws {
        let upstream = try ScriptedUpstream { _ in .answer(#"{"id":"9","acct":"weir"}"#) }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(TweetRouteTests.configuration([("mastodon", upstream.baseURL)]))
        defer { weir.kill() }
        _ = try weir.get("/timelines/a..b")
        _ = try weir.get("/timelines/...")
        let names = upstream.requests.filter { $0.contains("/accounts/lookup?") }.compactMap {
            $0.split(separator: " ").dropFirst().first
        }
        #expect(names == ["/api/v1/accounts/lookup?acct=a..b", "/api/v1/accounts/lookup?acct=..."])
    }

    @Test(
        "An upstream's id that would change the path is a 502, and no request follows",
        arguments: ["twitterV2", "mastodon"],
        ["..", ".", "../..", "..%2f..", "%2e%2e", "9/../../..", "9?a=b", "9#", "a b", "", "..\\\\..", "\\u002e\\u002e"])
    func upstreams(_ dialect: String, _ id: String) throws {
        let body =
            dialect == "mastodon" ? #"{"id":"\#(id)","acct":"weir"}"# : #"{"data":{"id":"\#(id)","username":"weir"}}"#
        let upstream = try ScriptedUpstream { _ in .answer(body) }
        defer { upstream.stop() }
        let weir = try WeirProcess.serve(TweetRouteTests.configuration([(dialect, upstream.baseURL)]))
        defer { weir.kill() }
        let problem = try expectProblem(weir.get("/timelines/weir"), 502)
        #expect(problem["detail"].string?.contains("a user with a valid id") == true)
        #expect(upstream.requests.count == 1)
    }
}
