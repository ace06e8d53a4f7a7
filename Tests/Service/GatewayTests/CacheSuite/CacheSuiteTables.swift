import HTTPCore
import TestSupport

/// The tables of docs/cache-tests.md, made from the outcomes of the tests.
struct CacheSuiteTables {
    /// The outcome of a test.
    struct Outcome {
        let test: CacheTest
        /// Why the test fails; nil if it passes.
        let failure: SuiteClient.Failure?
        /// Why it cannot be played through the service.
        let limit: SuiteLimit?
        /// Its outcome through the service; nil if it is not played there.
        let served: SuiteClient.Outcome?
    }

    /// A proxy whose results the suite publishes.
    struct Proxy {
        let name: String
        /// Whether the table names it beside Weir.
        let isShown: Bool
        let passed: Set<String>

        init(_ name: String, _ file: String, isShown: Bool = true) {
            (self.name, self.isShown, passed) = (name, isShown, CacheTest.passed(by: file))
        }
    }

    /// The groups that a cache of whole documents, which are fetched with GET, can pass.
    static let groups = [
        "cc-freshness", "cc-parse", "age-parse", "expires", "expires-parse", "cc-response", "stale", "heuristic",
        "status", "vary", "vary-parse", "conditional-lm", "conditional-inm", "update304", "other", "auth", "pragma",
    ]

    /// The route of the tests: it accepts stale documents for an hour after a failure, and clients' directives.
    static let policy = CachePolicy(staleIfError: 3600, countsClientDirectives: true)

    let outcomes: [Outcome]
    let proxies = [
        Proxy("nginx", "nginx"), Proxy("Varnish", "varnish"), Proxy("Squid", "squid"), Proxy("httpd", "apache"),
        Proxy("HAProxy", "haproxy"), Proxy("Traffic Server", "trafficserver", isShown: false),
        Proxy("Caddy", "caddy", isShown: false), Proxy("Fastly", "fastly", isShown: false),
    ]

    /// Plays all tests.
    init() async throws {
        let tests = CacheTest.all.filter { !$0.isForBrowsers }
        let served = try await SuiteService.outcomes(
            of: tests.filter { SuiteLimit.groups.contains($0.group) && SuiteLimit($0) == nil })
        outcomes = tests.map { test in
            Outcome(
                test: test, failure: SuiteClient.outcome(of: test, Self.policy).failure, limit: SuiteLimit(test),
                served: served[test.id])
        }
    }

    /// The outcomes in `groups`.
    var judged: [Outcome] { outcomes.filter { Self.groups.contains($0.test.group) } }

    /// The tests in `groups` that at least 7 of the 8 proxies pass.
    var core: [Outcome] { judged.filter { passing($0.test) >= 7 } }

    /// The tables by the names in the comments that enclose them.
    var tables: [(name: String, text: String)] {
        [
            ("groups", comparison(Self.groups, isTotal: true)), ("kinds", kinds), ("core", coreSentence),
            ("exceptions", exceptions), ("others", comparison(CacheSuiteExceptions.groups.map(\.id), isTotal: false)),
            ("reasons", reasons), ("limits", limits),
        ]
    }

    private func passing(_ test: CacheTest) -> Int { proxies.count { $0.passed.contains(test.id) } }

    /// A row with the numbers of tests, of those that pass here, by the rules and through the service, and of those that
    /// pass in each proxy.
    private func row(_ name: String, _ outcomes: [Outcome]) -> [String] {
        let others = proxies.filter(\.isShown).map { proxy in outcomes.count { proxy.passed.contains($0.test.id) } }
        let played = outcomes.compactMap(\.served)
        let served = played.isEmpty ? "" : "\(played.count { $0.failure == nil }) of \(played.count)"
        let passed = outcomes.count { $0.failure == nil }
        return [name, String(outcomes.count), String(passed), served] + others.map(String.init)
    }

    private var columns: [String] { ["tests", "Weir", "service"] + proxies.filter(\.isShown).map(\.name) }

    private func comparison(_ groups: [String], isTotal: Bool) -> String {
        let rows = groups.map { group in row("`\(group)`", outcomes.filter { $0.test.group == group }) }
        return GeneratedTables.table(["group"] + columns, rows + (isTotal ? [row("all", judged)] : []))
    }

    private var kinds: String {
        let rows = ["required", "optimal", "check"].map { kind in row(kind, judged.filter { $0.test.kind == kind }) }
        return GeneratedTables.table(["kind"] + columns, rows)
    }

    private var coreSentence: String {
        "At least 7 of the 8 proxies pass \(core.count) tests of these groups. "
            + "Weir passes \(core.count { $0.failure == nil }) of them; "
            + "\(core.count { $0.served != nil }) can be played through the service, "
            + "which passes \(core.count { $0.served.map { $0.failure == nil } ?? false }).\n"
    }

    private var exceptions: String {
        let rows = CacheSuiteExceptions.tests.flatMap { exception in
            exception.ids.map { id in
                let test = judged.first { $0.test.id == id }?.test
                return ["`\(id)`", test?.kind ?? "", String(test.map(passing) ?? 0), exception.reason]
            }
        }
        return GeneratedTables.table(["test", "kind", "proxies", "reason"], rows)
    }

    private var limits: String {
        let rows = SuiteLimit.allCases.map { limit in
            let tests = outcomes.filter { $0.limit == limit && SuiteLimit.groups.contains($0.test.group) }.map(\.test)
            let groups = SuiteLimit.groups.compactMap { group in
                let count = tests.count { $0.group == group }
                return count == 0 ? nil : "`\(group)` \(count)"
            }
            return [limit.rawValue, String(tests.count), groups.joined(separator: ", ")]
        }
        return GeneratedTables.table(["reason", "tests", "groups"], rows)
    }

    private var reasons: String {
        let groups = CacheSuiteExceptions.groups.filter { !$0.reason.isEmpty }
        return GeneratedTables.table(["group", "reason"], groups.map { ["`\($0.id)`", $0.reason] })
    }
}

extension SuiteClient.Outcome {
    /// Why the test fails; nil if it passes.
    var failure: SuiteClient.Failure? {
        if case .failure(let failure) = self { return failure }
        return nil
    }
}
