import Foundation
import TestSupport
import Testing

/// The tests of http-tests/cache-tests for caches, played with the rules alone, without sockets, and through the service.
@Suite("http-tests/cache-tests")
struct CacheSuiteTests {
    private static let path = "docs/cache-tests.md"
    private static let played = Task { try await CacheSuiteTables() }

    private let tables: CacheSuiteTables

    init() async throws { tables = try await Self.played.value }

    @Test("What at least 7 of the 8 published proxies pass, passes")
    func core() {
        for outcome in tables.core {
            #expect(outcome.failure == nil, "\(outcome.test.id): \(outcome.failure?.text ?? "")")
        }
    }

    @Test("A test passes unless its exception is explained")
    func exceptions() {
        guard !tables.outcomes.isEmpty else { return }
        let failing = Set(tables.judged.filter { $0.failure != nil }.map(\.test.id))
        let explained = CacheSuiteExceptions.tests.flatMap(\.ids)
        for outcome in tables.judged where outcome.failure != nil {
            #expect(explained.contains(outcome.test.id), "\(outcome.test.id): \(outcome.failure?.text ?? "")")
        }
        #expect(Set(explained).subtracting(failing).isEmpty)
        #expect(Set(explained).count == explained.count)
        let others = tables.outcomes.filter { !CacheSuiteTables.groups.contains($0.test.group) }
        for group in Set(others.map(\.test.group)) {
            let reason = CacheSuiteExceptions.groups.first { $0.id == group }?.reason
            let passes = others.allSatisfy { $0.test.group != group || $0.failure == nil }
            #expect(reason?.isEmpty == passes, "\(group)")
        }
    }

    @Test("Through the service, each test that can be played has the outcome that it has with the rules alone")
    func service() {
        for outcome in tables.outcomes {
            guard let served = outcome.served else { continue }
            let texts = (rules: outcome.failure?.text ?? "passed", service: served.failure?.text ?? "passed")
            #expect((outcome.failure == nil) == (served.failure == nil), "\(outcome.test.id): \(texts)")
        }
    }

    @Test("Through a service without a cache, no test passes that expects something of a cache")
    func serviceWithoutCache() async throws {
        let tests = tables.outcomes.filter { $0.served != nil }.map(\.test)
        let outcomes = try await SuiteService.outcomes(of: tests, cache: #""maximumBytes": 0"#)
        for test in tests where test.steps.contains(where: { $0.type.map { $0 != "not_cached" } ?? false }) {
            #expect(outcomes[test.id]?.failure != nil, "\(test.id)")
        }
    }

    @Test("Without a cache the runner has the outcomes of the suite's own client")
    func withoutCache() {
        guard !tables.outcomes.isEmpty else { return }
        // That client, connected to the suite's server, passes 121 tests. Four more pass here, because a connection that
        // ends without a response is an answer with status 502 and not an error of the client.
        #expect(tables.outcomes.count { SuiteClient.outcome(of: $0.test, nil).failure == nil } == 121 + 4)
    }

    @Test(
        "Stale answers are given and forbidden as RFC 5861 says",
        arguments: [
            "stale-while-revalidate", "stale-while-revalidate-window", "stale-sie-close", "stale-sie-503",
            "stale-close-must-revalidate", "stale-close-s-maxage=2",
        ])
    func stale(_ id: String) {
        guard !tables.outcomes.isEmpty else { return }
        let outcome = tables.outcomes.first { $0.test.id == id }
        #expect(outcome != nil && outcome?.failure == nil, "\(outcome?.failure?.text ?? "")")
    }

    @Test("The tables of docs/cache-tests.md are those of the outcomes; make docs rewrites them")
    func document() throws {
        guard !tables.outcomes.isEmpty else { return }
        let text = try Checkout.text(Self.path)
        let updated = GeneratedTables.updated(text, with: tables.tables)
        if ProcessInfo.processInfo.environment["WEIR_WRITE_DOCS"] == "1" {
            try Data(updated.utf8).write(to: URL(fileURLWithPath: "\(Checkout.root)/\(Self.path)"), options: .atomic)
        } else {
            let isCurrent = text == updated
            #expect(isCurrent, "run make docs")
        }
        for (name, _) in tables.tables { #expect(text.contains("<!-- \(name) -->\n"), "\(name)") }
    }
}
