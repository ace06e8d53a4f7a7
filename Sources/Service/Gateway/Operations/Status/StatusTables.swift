import CivilDates
import Records
import API
import Proxy
import JSONText

// The status as tables, always the same ones in the same order.
extension ServiceStatus {
    var tables: [StatusTable] {
        [
            StatusTable("Service", ["figure", "value"], figures),
            StatusTable(
                "Routes", ["route", "requests", "errors", "p50 ms", "p95 ms", "p99 ms"],
                routes.map { route in
                    [route.route.isEmpty ? "(none)" : route.route, "\(route.requests)", "\(route.errors)"]
                        + [route.p50, route.p95, route.p99].map { $0.map(\.formatted) ?? "more" }
                }),
            StatusTable("Clients", ["client", "of the last requests"], clients.map { [$0.client, "\($0.requests)"] }),
            StatusTable("Errors by cause", ["cause", "number"], errorRows),
            StatusTable(
                "Upstreams",
                ["upstream", "breaker", "quota left", "pause", "latency", "under way", "last success", "last failure"],
                upstreams.map { upstream in
                    let checks = upstream.checks
                    return [
                        upstream.name, text(checks["configured"] ?? checks["breaker"]), text(checks["quotaLeft"]),
                        text(checks["pause"]), text(checks["latency"]),
                        "\(upstream.active), \(upstream.waiting) waiting", text(checks["lastSuccess"]),
                        text(checks["lastFailure"]),
                    ]
                }),
            StatusTable(
                "Cache", ["figure", "value"],
                cache.answers.sorted { $0.key < $1.key }.map { ["answers: \($0.key)", "\($0.value)"] } + [
                    ["documents", "\(cache.documents)"], ["bytes", "\(cache.bytes)"],
                    ["evictions", "\(cache.evictions)"], ["requests under way", "\(cache.flights)"],
                ]),
            StatusTable("Shared store", ["figure", "value"], sharedRows),
            interventions.table,
            drift.table,
            StatusTable("Log", ["line"], log.map { [$0] }),
        ]
    }

    private var figures: [[String]] {
        let reload = configuration.lastReload.map { "\($0.at) \($0.result)" } ?? "none"
        let refusal = configuration.lastRefusal.map { "\($0.at) \($0.detail ?? "")" } ?? "none"
        let limit = memory.limitBytes.map { ", \(memory.usedBytes ?? 0) of \($0) bytes" } ?? ""
        return [
            ["Weir", version], ["stage", stage], ["time of the figures", time], ["connections", "\(connections)"],
            ["requests under way", "\(active)"],
            ["memory", "\(memory.level)\(limit), \(memory.shed) requests refused"],
            ["configuration", "\(configuration.hash), since \(configuration.takenAt), reload \(configuration.number)"],
            ["last reload", reload], ["last refused reload", refusal],
            ["settings for a restart", configuration.needsRestart.joined(separator: ", ")],
        ]
    }

    private var sharedRows: [[String]] {
        guard let shared else { return [["quotas", "of this replica alone"]] }
        return [
            ["quotas", shared.quotas], ["last answer", shared.lastMilliseconds.map { "\($0.formatted) ms" } ?? "none"],
            ["last loss", shared.lastLoss ?? "none"],
        ] + shared.events.sorted { $0.key < $1.key }.map { [$0.key, "\($0.value)"] }
    }

    private var errorRows: [[String]] {
        errors.map { [$0.cause, "\($0.count)"] }
            + upstreams.flatMap { upstream in
                upstream.tries.filter { !["200", "304"].contains($0.key) }.sorted { $0.key < $1.key }
                    .map { ["\(upstream.name): \($0.key)", "\($0.value)"] }
            }
    }

    /// Returns the checks of one measurement: `p50: 12 ms; p95: 40 ms`.
    private func text(_ checks: [HealthCheck]?) -> String {
        (checks ?? []).map { check in
            let value = check.observedValue.map { $0.stringValue ?? "\($0)" }
            let words = [value, check.observedUnit, check.time, check.output].compactMap(\.self)
            return (check.componentID.map { "\($0): " } ?? "") + words.joined(separator: " ")
        }.joined(separator: "; ")
    }
}

extension [Intervention] {
    /// The changes by hand that are in force, the oldest first.
    var table: StatusTable {
        StatusTable(
            "By hand", ["action", "subject", "until", "address", "who", "why"],
            map { [$0.action, $0.subject, $0.until, $0.address, $0.who ?? "", $0.why ?? ""] })
    }
}

extension DriftSummary {
    /// The patterns, the latest one first.
    var table: StatusTable {
        func text(_ time: UnixSeconds) -> String { ISO8601Timestamp.format(secondsSinceEpoch: time.seconds) ?? "" }
        return StatusTable(
            "Drift", ["last", "first", "upstream", "route", "kind", "reason", "documents", "path", "from"],
            patterns.map { pattern in
                [
                    text(pattern.last), text(pattern.first), pattern.upstream, pattern.route, pattern.kind,
                    pattern.reason,
                    "\(pattern.documents)", pattern.path, pattern.from,
                ]
            })
    }
}

extension Double {
    /// The number without a fraction of 0.
    fileprivate var formatted: String { self == rounded() ? "\(Int(self))" : "\(self)" }
}

/// A table for people, whose cells are texts of one line; a page, a stream and a terminal show the same one.
struct StatusTable: Record {
    private(set) var title = "", columns: [String] = [], rows: [[String]] = []

    static let schema = Schema<StatusTable> {
        Field(\.title)
        Field(\.columns)
        Field(\.rows)
    }

    init() {}

    /// A table in whose cells characters without a shape show as their numbers.
    init(_ title: String, _ columns: [String], _ rows: [[String]]) {
        (self.title, self.columns, self.rows) = (title, columns, rows.map { $0.map(\.visible) })
    }

    /// Returns the columns and the rows for a terminal, one in a line; with a `width`, the cells of the widest columns continue in
    /// further lines.
    func text(width: Int = .max) -> String {
        var widths = columns.indices.map { column in ([columns] + rows).map { $0[column].count }.max() ?? 0 }
        while widths.reduce(-2, { $0 + $1 + 2 }) > width, let most = widths.max(), most > 1 {
            if let widest = widths.firstIndex(of: most) { widths[widest] -= 1 }
        }
        let lines = ([columns] + rows).flatMap { row in
            let cells = zip(row, widths).map { $0.lines(of: $1) }
            return (0..<(cells.map(\.count).max() ?? 0)).map { line in
                zip(cells, widths).map { cell, width in
                    let text = line < cell.count ? cell[line] : ""
                    return text + String(repeating: " ", count: width - text.count)
                }.joined(separator: "  ")
            }
        }
        return lines.map { String($0.reversed().drop { $0 == " " }.reversed()) }.joined(separator: "\n")
    }

    /// The table as HTML, which `Pages/status.js` keeps up to date.
    var html: String {
        func row(_ cells: [String], _ tag: String) -> String {
            "<tr>" + cells.map { "<\(tag)>\($0.escaped)</\(tag.prefix(2))>" }.joined() + "</tr>\n"
        }
        return """
            <h2>\(title.escaped)</h2>
            <div class="scrolling" tabindex="0" role="region" aria-label="\(title.escaped)"><table>
            <thead>\(row(columns, "th scope=\"col\""))</thead>
            <tbody>\(rows.map { row($0, "td") }.joined())</tbody>
            </table></div>

            """
    }
}

extension String {
    /// The text on one line, in which controls, directions of text and spaces of no width show as their numbers: `\u202e`.
    var visible: String {
        if utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) { return self }
        var text = ""
        for scalar in unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: text += scalar.number
            default:
                // Fillers that have no shape although they count as letters and marks.
                if [0x34F, 0x115F, 0x1160, 0x3164, 0xFFA0].contains(scalar.value) {
                    text += scalar.number
                } else {
                    text.unicodeScalars.append(scalar)
                }
            }
        }
        return text
    }

    /// The text in lines of at most `width` characters, which end at a space where there is one.
    fileprivate func lines(of width: Int) -> [String] {
        var (lines, rest) = ([String](), self[...])
        while rest.count > width {
            let line = rest.prefix(width)
            let end = rest.dropFirst(width).first == " " ? line.endIndex : line.lastIndex(of: " ") ?? line.endIndex
            lines.append(String(rest[..<end]))
            rest = rest[end...].drop { $0 == " " }
        }
        return rest.isEmpty && !lines.isEmpty ? lines : lines + [String(rest)]
    }

    /// The text in HTML, also in an attribute.
    fileprivate var escaped: String {
        let escapes: [Character: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;"]
        return reduce(into: "") { text, character in text += escapes[character] ?? String(character) }
    }
}

extension Unicode.Scalar {
    fileprivate var number: String {
        let digits = String(value, radix: 16)
        return "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
