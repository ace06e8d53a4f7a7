import Foundation
import TestSupport
import Testing

/// The tests of http-tests/cache-tests for caches, played without sockets and without waiting.
@Suite("http-tests/cache-tests")
struct CacheSuiteTests {
    private static let path = "docs/cache-tests.md"
    private static let tables = CacheSuiteTables()

    @Test("What at least 7 of the 8 published proxies pass, passes")
    func core() {
        for outcome in Self.tables.core {
            #expect(outcome.failure == nil, "\(outcome.test.id): \(outcome.failure?.text ?? "")")
        }
    }

    @Test("A test passes unless its exception is explained")
    func exceptions() {
        guard !Self.tables.outcomes.isEmpty else { return }
        let failing = Set(Self.tables.judged.filter { $0.failure != nil }.map(\.test.id))
        let explained = CacheSuiteExceptions.tests.flatMap(\.ids)
        for outcome in Self.tables.judged where outcome.failure != nil {
            #expect(explained.contains(outcome.test.id), "\(outcome.test.id): \(outcome.failure?.text ?? "")")
        }
        #expect(Set(explained).subtracting(failing).isEmpty)
        #expect(Set(explained).count == explained.count)
        let others = Self.tables.outcomes.filter { !CacheSuiteTables.groups.contains($0.test.group) }
        for group in Set(others.map(\.test.group)) {
            let reason = CacheSuiteExceptions.groups.first { $0.id == group }?.reason
            let passes = others.allSatisfy { $0.test.group != group || $0.failure == nil }
            #expect(reason?.isEmpty == passes, "\(group)")
        }
    }

    @Test("Without a cache the runner has the outcomes of the suite's own client")
    func withoutCache() {
        guard !Self.tables.outcomes.isEmpty else { return }
        // That client, connected to the suite's server, passes 121 tests. Four more pass here, because a connection that
        // ends without a response is an answer with status 502 and not an error of the client.
        #expect(Self.tables.outcomes.count { SuiteClient.failure(of: $0.test, nil) == nil } == 121 + 4)
    }

    @Test(
        "Stale answers are given and forbidden as RFC 5861 says",
        arguments: [
            "stale-while-revalidate", "stale-while-revalidate-window", "stale-sie-close", "stale-sie-503",
            "stale-close-must-revalidate", "stale-close-s-maxage=2",
        ])
    func stale(_ id: String) {
        guard !Self.tables.outcomes.isEmpty else { return }
        let outcome = Self.tables.outcomes.first { $0.test.id == id }
        #expect(outcome != nil && outcome?.failure == nil, "\(outcome?.failure?.text ?? "")")
    }

    @Test("The tables of docs/cache-tests.md are those of the outcomes; make docs rewrites them")
    func document() throws {
        guard !Self.tables.outcomes.isEmpty else { return }
        let text = try Checkout.text(Self.path)
        let updated = GeneratedTables.updated(text, with: Self.tables.tables)
        if ProcessInfo.processInfo.environment["WEIR_WRITE_DOCS"] == "1" {
            try Data(updated.utf8).write(to: URL(fileURLWithPath: "\(Checkout.root)/\(Self.path)"), options: .atomic)
        } else {
            let isCurrent = text == updated
            #expect(isCurrent, "run make docs")
        }
        for (name, _) in Self.tables.tables { #expect(text.contains("<!-- \(name) -->\n"), "\(name)") }
    }
}
