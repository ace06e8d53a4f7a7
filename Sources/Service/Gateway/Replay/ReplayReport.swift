import API
import JSONText
import Mapping
import Proxy
package import Records

/// How the answers of two configurations to the same requests differ.
package struct ReplayReport {
    /// The most paths of a route with one set of parameters.
    static let mostFindings = 1000

    /// The result of a request: under the old configuration, under the new one, or of the comparison.
    enum Verdict {
        case equal
        case changed([(change: AnswerComparison.Change, detail: String)])
        case failed(status: Int, detail: String)
        /// No route takes the request, or a document that the route asks for is in no snapshot.
        case notAnswered
        case answeredNow, neverAnswered

        /// The name in JSON; for people, its words.
        fileprivate var name: String {
            switch self {
            case .equal: "equal"
            case .changed: "changed"
            case .failed: "failed"
            case .notAnswered: "noLongerAnswered"
            case .answeredNow: "answeredNow"
            case .neverAnswered: "neverAnswered"
            }
        }
    }

    /// A difference of a group: a change of a path, or a status.
    private struct Finding {
        let kind: String, path: String, detail: String
        /// The target of the first request.
        let example: String
        var answers = 0
    }

    private struct Group {
        var answers = 0
        var verdicts: [(name: String, count: Int)] = []
        var findings: [Finding] = []
        var numbers: [String: Int] = [:]
        /// The differences beyond those that are kept.
        var unlisted = 0

        mutating func note(_ kind: String, _ path: String, _ detail: String, _ example: String) {
            let key = "\(kind) \(path)"
            // Keys that are data could fill the report.
            if numbers[key] == nil, findings.count == ReplayReport.mostFindings {
                unlisted += 1
            } else if numbers[key] == nil {
                numbers[key] = findings.count
                findings.append(Finding(kind: kind, path: path, detail: detail, example: example))
            }
            if let number = numbers[key] { findings[number].answers += 1 }
        }
    }

    private struct GroupKey: Hashable {
        let route: String, parameters: [String]
        var text: String { route + (parameters.isEmpty ? "" : " with " + parameters.joined(separator: ", ")) }
    }

    private var order: [GroupKey] = [], groups: [GroupKey: Group] = [:]
    private var drift: [DriftPattern] = []
    private let documents: Int, withoutRequest: Int
    private let accepted: [String]

    /// A report about so many documents, some of which have no request, without differences yet.
    ///
    /// `accepted` are paths of answers, or templates of routes, whose changes are announced.
    init(documents: Int, withoutRequest: Int, accepting accepted: [String]) {
        (self.documents, self.withoutRequest) = (documents, withoutRequest)
        self.accepted = accepted.map { $0.replacing("[*]", with: "[]") }
    }

    /// Counts a request for a route with parameters of these names.
    mutating func note(_ verdict: Verdict, route: String, parameters: [String], target: String) {
        let key = GroupKey(route: route, parameters: parameters)
        if groups[key] == nil { order.append(key) }
        var group = groups.removeValue(forKey: key) ?? Group()
        group.answers += 1
        let index = group.verdicts.firstIndex { $0.name == verdict.name } ?? group.verdicts.endIndex
        if index == group.verdicts.endIndex { group.verdicts.append((verdict.name, 0)) }
        group.verdicts[index].count += 1
        switch verdict {
        case .changed(let changes):
            for (change, detail) in changes { group.note(change.kind.rawValue, change.path, detail, target) }
        case .failed(let status, let detail): group.note("status", "\(status)", detail, target)
        case .notAnswered: group.note("status", "none", "no route or no document", target)
        case .equal, .answeredNow, .neverAnswered: break
        }
        groups[key] = group
    }

    /// Notes the patterns of drift that the old configuration does not report.
    mutating func note(drift new: [DriftPattern], beside old: [DriftPattern]) {
        func key(_ pattern: DriftPattern) -> [String] { [pattern.upstream, pattern.route, pattern.kind, pattern.path] }
        let known = Set(old.map(key))
        drift = new.filter { !known.contains(key($0)) }
    }

    /// Whether there is a difference that is not announced.
    package var isDifferent: Bool {
        groups.contains { key, group in
            group.findings.contains { !isAccepted($0, of: key.route) }
                || group.unlisted > 0 && !accepted.contains(key.route)
        }
            || drift.contains { !isAccepted($0) }
    }

    private func isAccepted(_ finding: Finding, of route: String) -> Bool {
        accepted.contains(route) || finding.kind != "status" && isAccepted(path: finding.path)
    }

    private func isAccepted(_ pattern: DriftPattern) -> Bool {
        accepted.contains(pattern.route) || isAccepted(path: pattern.path)
    }

    /// Whether a path, or one that leads to it, is announced.
    private func isAccepted(path: String) -> Bool {
        accepted.contains { path == $0 || path.hasPrefix($0 + ".") || path.hasPrefix($0 + "[") }
    }

    /// The report for people.
    package var text: String {
        var lines: [String] = []
        for key in order {
            guard let group = groups[key] else { continue }
            let verdicts = group.verdicts.map { "\($0.count) \($0.name.words)" }.joined(separator: ", ")
            lines.append("\(key.text): \(verdicts)")
            lines += group.findings.map { finding in
                let kind = finding.kind.padding(to: 8), path = finding.path.isEmpty ? "the answer" : finding.path
                let detail = finding.detail.isEmpty ? "" : ": \(finding.detail)"
                return "  \(kind)\(path) in \(finding.answers) of \(group.answers), first \(finding.example)\(detail)"
                    + (isAccepted(finding, of: key.route) ? " (accepted)" : "")
            }
            if group.unlisted > 0 { lines.append("  and \(group.unlisted) changes at further paths") }
        }
        lines += drift.map { pattern in
            "new drift: \(pattern.kind) \(pattern.path) in \(pattern.documents) documents of \(pattern.upstream) for "
                + pattern.route + (isAccepted(pattern) ? " (accepted)" : "")
        }
        lines.append("\(documents) documents, \(withoutRequest) of them without a request")
        return lines.map(\.withoutControlCharacters).joined(separator: "\n")
    }

    /// The report as JSON.
    package var json: JSONValue {
        let routes = order.map { key -> JSONValue in
            let group = groups[key] ?? Group()
            let findings = group.findings.map { finding -> JSONValue in
                [
                    "change": .string(finding.kind), "path": .string(finding.path), "detail": .string(finding.detail),
                    "answers": .integer(finding.answers), "example": .string(finding.example),
                    "accepted": .bool(isAccepted(finding, of: key.route)),
                ]
            }
            return [
                "route": .string(key.route), "parameters": .array(key.parameters.map { .string($0) }),
                "answers": .integer(group.answers),
                "results": .object(group.verdicts.map { .init($0.name, .integer($0.count)) }),
                "changes": .array(findings), "unlistedChanges": .integer(group.unlisted),
            ]
        }
        let patterns = drift.map { pattern -> JSONValue in
            [
                "upstream": .string(pattern.upstream), "route": .string(pattern.route), "kind": .string(pattern.kind),
                "path": .string(pattern.path), "documents": .integer(pattern.documents),
                "accepted": .bool(isAccepted(pattern)),
            ]
        }
        return [
            "documents": .integer(documents), "withoutRequest": .integer(withoutRequest),
            "routes": .array(routes), "drift": .array(patterns),
        ]
    }
}

extension String {
    /// The words of a name: `no longer answered` for `noLongerAnswered`.
    fileprivate var words: String { map { $0.isUppercase ? " " + $0.lowercased() : String($0) }.joined() }

    fileprivate func padding(to width: Int) -> String { self + String(repeating: " ", count: max(1, width - count)) }
}
