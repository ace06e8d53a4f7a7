import TestSupport

/// The tables of docs/suites.md, made from the outcomes of the cases.
struct SuiteTables {
    /// The outcome of a case with both pairs of coders.
    struct Outcome {
        let suite: OtherLibrary
        let item: SuiteCase
        /// Why the case fails; nil if it passes.
        let ours: String?
        let foundations: String?
    }

    let outcomes: [Outcome]

    init() {
        outcomes = OtherLibrary.all.flatMap { suite in
            suite.cases.map {
                Outcome(
                    suite: suite, item: $0, ours: $0.failure(with: .lenient),
                    foundations: $0.failure(with: .foundation))
            }
        }
    }

    /// The tables by the names in the comments that enclose them.
    var tables: [(name: String, text: String)] {
        var tables = [("summary", summary), ("differences", differences)]
        for suite in OtherLibrary.all { tables.append((suite.name, cases(of: suite))) }
        return tables
    }

    /// Returns the document with new tables between the comments `<!-- name -->` and `<!-- end -->`.
    func updated(_ text: String) -> String {
        GeneratedTables.updated(text, with: tables)
    }

    private var summary: String {
        var lines = ["| library | cases | `LenientDecoder` | `JSONDecoder` |", "| --- | --- | --- | --- |"]
        func line(_ name: String, _ outcomes: [Outcome]) -> String {
            let ours = outcomes.count { $0.ours == nil }, foundations = outcomes.count { $0.foundations == nil }
            return "| \(name) | \(outcomes.count) | \(ours) | \(foundations) |"
        }
        for suite in OtherLibrary.all {
            let link = "[\(suite.name)](https://github.com/\(suite.repository))"
            lines.append(line(link, outcomes.filter { $0.suite.repository == suite.repository }))
        }
        lines.append(line("all", outcomes))
        return lines.map { $0 + "\n" }.joined()
    }

    private var differences: String {
        var lines = ["| case | expected there | here |", "| --- | --- | --- |"]
        for outcome in outcomes {
            guard let difference = outcome.item.difference else { continue }
            lines.append("| `\(outcome.item.origin)` | \(outcome.item.behaviour) | \(difference) |")
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private func cases(of suite: OtherLibrary) -> String {
        var lines = ["| case | what is expected | `LenientDecoder` | `JSONDecoder` |", "| --- | --- | --- | --- |"]
        for outcome in outcomes where outcome.suite.repository == suite.repository {
            let results = [outcome.ours, outcome.foundations].map { $0 == nil ? "passes" : "differs" }
            lines.append(
                "| `\(outcome.item.origin)` | \(outcome.item.behaviour) | \(results[0]) | \(results[1]) |")
        }
        return lines.map { $0 + "\n" }.joined()
    }
}
