import Settings
import API
import CivilDates
import EventLoop
import HTTPClient
import HTTPCore
import TestSupport
import Testing

@testable import Proxy

@Suite("The stage that sends requests", .timeLimit(.minutes(10)))
struct TransferStageTests {
    @Test("The next stage gets the response to a request with the key, and the log gets its figures")
    func response() async throws {
        let server = try ScriptedUpstream { _ in .answer(201, #"{"a":1}"#) }
        defer { server.stop() }
        let test = try StageTest(baseURL: server.baseURL, credentials: .key(Secret("some-key"), .header("X-Key")))
        defer { test.stop() }
        let (fetch, seen) = (test.fetch(), Watched<[Fetch]>([]))
        let result = await test.run([.access, .transfer], fetch) { fetch in
            seen.update { $0.append(fetch) }
            return test.found("new")
        }
        #expect(result.text == "new")
        #expect(seen.current.map(\.attempt.response?.status) == [201])
        #expect(seen.current.map(\.attempt.response?.body) == [Array(#"{"a":1}"#.utf8)])
        #expect(seen.current.map(\.attempt.sent) == [MovedTime.start])
        #expect(server.requests.first?.hasPrefix("GET / HTTP/1.1\r\n") == true)
        #expect(server.requests.first?.contains("X-Key: some-key\r\n") == true)
        let record = fetch.attempt.record
        #expect(record.isAdmitted)
        #expect((record.status, record.bytes, record.sent) == (201, 7, 1))
        #expect(test.state.latencies.count == 1)
        #expect(test.state[.forecast].expectedBody == 7)
    }

    @Test("The upstream is asked whether the known document is still the same")
    func validators() async throws {
        let server = try ScriptedUpstream { _ in .bytes(Array("HTTP/1.1 304 Same\r\nETag: \"a\"\r\n\r\n".utf8)) }
        defer { server.stop() }
        let (test, seen) = (try StageTest(baseURL: server.baseURL), Watched<[IncomingResponse?]>([]))
        defer { test.stop() }
        var fetch = test.fetch()
        fetch = fetch.with(known: test.document(.ok, "old", headers: [("ETag", "\"a\"")]))
        _ = await test.run([.transfer], fetch) { fetch in
            seen.update { $0.append(fetch.attempt.response) }
            return test.found("old")
        }
        #expect(seen.current.map { $0?.isNotModified } == [true])
        #expect(server.requests.first?.contains("If-None-Match: \"a\"\r\n") == true)
    }

    @Test("Only a request that is sent is taken from the quota")
    func quota() async throws {
        let server = try ScriptedUpstream { _ in .answer("{}") }
        defer { server.stop() }
        let test = try StageTest(baseURL: server.baseURL) { $0.quota.perMonth = 1 }
        defer { test.stop() }
        for _ in 0..<3 {
            let waiting = await test.run([.quota], test.fetch()) { _ throws(FetchFailure) in throw .unread }
            #expect(waiting.text == "not read in time")
        }
        let sent = await test.run([.quota, .transfer], test.fetch()) { _ in test.found("new") }
        #expect(sent.text == "new")
        // The quota was spent while the request waited behind the first check.
        let late = test.fetch()
        #expect(await test.run([.transfer], late) { _ in test.found("new") }.text == "quota used up")
        #expect(!late.attempt.record.isAdmitted)
        #expect(server.requests.count == 1)
        #expect(test.logLines.filter { $0.contains("upstream quota used up") }.count == 1)
    }

    @Test(
        "An answer that demands a pause suspends further requests",
        arguments: [
            (429, "Retry-After: 30", 30, true), (503, "Retry-After: 30", 30, true),
            (429, "Retry-After: 30\r\nRateLimit-Remaining: 0", 30, false),
            (200, "Retry-After: 30", nil, false),
            (200, "RateLimit-Limit: 9\r\nRateLimit-Remaining: 0\r\nRateLimit-Reset: 20", 20, false),
            (429, "X: a", nil, false),
        ])
    func pause(status: Int, field: String, seconds: Int?, isPause: Bool) async throws {
        let server = try ScriptedUpstream { _ in .answer(status, "{}", headers: [field]) }
        defer { server.stop() }
        let test = try StageTest(baseURL: server.baseURL)
        defer { test.stop() }
        let result = await test.run([.transfer], test.fetch()) { _ in test.found("new") }
        #expect(result.text == "new")
        let refusal = test.fetch().refusal()
        #expect(refusal?.seconds == seconds)
        #expect(refusal?.result == seconds.map { _ in isPause ? "paused" : "quota used up" })
    }

    @Test("The log has one line when a clock begins to differ, and one a minute after it last did")
    func clock() async throws {
        let offset = Watched(0)
        let server = try ScriptedUpstream { _ in
            let date = HTTPDate.format(secondsSinceEpoch: MovedTime.start + offset.current)
            return .answer(200, "{}", headers: ["Date: " + String(decoding: date, as: UTF8.self)])
        }
        defer { server.stop() }
        let test = try StageTest(baseURL: server.baseURL)
        defer { test.stop() }
        var lines: [Int] = [], isWrong: [Bool?] = []
        // The seconds that pass, and how far the clock is ahead then; one of several servers can have a wrong clock.
        for (passed, ahead) in [(0, 60), (0, -61), (0, 0), (30, 3600), (0, 3600), (59, 0), (1, 0), (0, 0)] {
            test.time.move(seconds: passed)
            offset.update { $0 = test.time.passed / 1000 + ahead }
            _ = await test.run([.transfer], test.fetch()) { _ in test.found("new") }
            isWrong.append(test.state.clockOffset?.isWrong)
            lines.append(test.logLines.count { $0.contains("upstream clock") })
        }
        #expect(lines == [0, 1, 1, 1, 1, 1, 2, 2])
        #expect(isWrong == [false, true, true, true, true, true, false, false])
        #expect(test.logLines.first { $0.contains(#""state":"wrong""#) }?.contains(#""offsetSeconds":-61"#) == true)
    }

    @Test("A request without an answer ends the path, and counts in the quota")
    func failures() async throws {
        let (port, closing) = (try RefusingPort(), try ScriptedUpstream { _ in .close })
        defer {
            port.release()
            closing.stop()
        }
        let cases = [
            (port.baseURL, "it does not accept connections"),
            (closing.baseURL, "it closed the connection without an answer"),
        ]
        for (baseURL, text) in cases {
            let (test, runs) = (try StageTest(baseURL: baseURL) { $0.quota.perMonth = 1 }, Watched(0))
            defer { test.stop() }
            let result = await test.run([.transfer], test.fetch()) { _ in
                runs.increase()
                return test.found("new")
            }
            #expect(result.text == text)
            #expect(runs.current == 0)
            #expect(test.fetch().refusal()?.result == "quota used up")
        }
    }

    @Test("An answer for which there is no memory is given up")
    func memory() async throws {
        let server = try ScriptedUpstream { _ in .answer(String(repeating: " ", count: 1 << 20)) }
        defer { server.stop() }
        let test = try StageTest(baseURL: server.baseURL, bodyBytes: 4 * BodyBudget.step)
        defer { test.stop() }
        let result = await test.run([.memory, .transfer], test.fetch()) { _ in test.found("new") }
        #expect(result.text == "too many answers are in memory")
        #expect(test.upstream.bodies.reserved == 0)
    }
}
