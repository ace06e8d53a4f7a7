import API
import HTTPCore
import TestSupport
import Testing

@testable import Proxy

@Suite("The stage that renews keys", .timeLimit(.minutes(10)))
struct RenewalStageTests {
    private static func key(_ text: String) -> Credentials { .key(Secret(text), .bearer) }

    @Test(
        "The rest runs once more after a 401 if there is another key",
        arguments: [
            ("second-key", [401], ["first-key", "second-key"], "new"),
            ("second-key", [401, 401], ["first-key", "second-key"], "401"),
            ("first-key", [401], ["first-key"], "401"), ("second-key", [403], ["first-key"], "403"),
        ])
    func renewed(replacement: String, statuses: [Int], keys: [String], text: String) async throws {
        let test = try StageTest(credentials: Self.key("first-key"), replacement: Self.key(replacement))
        defer { test.stop() }
        let seen = Watched<[Attempt]>([])
        let result = await test.run([.renew, .access], test.fetch()) { fetch throws(FetchFailure) in
            let count = seen.update { seen -> Int in
                seen.append(fetch.attempt)
                return seen.count
            }
            if count <= statuses.count { throw .answered(statuses[count - 1]) }
            return test.found("new")
        }
        #expect(result.text == text)
        #expect(seen.current.map { $0.record.access?.credentials } == keys.map(Self.key))
        #expect(seen.current.map(\.isExtra) == Array([false, true].prefix(keys.count)))
        #expect(test.logLines.filter { $0.contains("upstream key replaced") }.count == keys.count - 1)
    }

    @Test("A 401 before any key was found ends the path")
    func withoutAccess() async throws {
        let (test, runs) = (
            try StageTest(credentials: Self.key("first"), replacement: Self.key("second")), Watched(0)
        )
        defer { test.stop() }
        let result = await test.run([.renew], test.fetch()) { _ throws(FetchFailure) in
            runs.increase()
            throw .answered(401)
        }
        #expect(result.text == "401")
        #expect(runs.current == 1)
    }
}
