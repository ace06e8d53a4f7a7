import Records
import Synchronization
package import Operations

/// The drift of the documents of all upstreams over time.
///
/// A document counts once: when it has arrived and is read, and not when the cache answers with it or when it is shaped
/// in another form. A part of an answer counts with the first answer that is made of it. The first document of an upstream
/// and a route is the baseline; a pattern that comes later is news, and logged.
package final class DriftBook: Sendable {
    /// The most patterns that are kept; upstreams whose keys are data could send any number.
    package static let maximumPatterns = 500
    /// The most pairs of an upstream and a route: reloads can add others.
    fileprivate static let maximumSources = 5000
    /// The longest path that is kept, in bytes.
    fileprivate static let longestPath = 512
    fileprivate static let linesPerMinute = 20

    fileprivate struct Key: Hashable {
        let source: DriftSource
        let kind: String, reason: String, path: String, from: String
    }

    /// A series of the counter.
    fileprivate struct Series: Hashable {
        let source: DriftSource
        let kind: String, path: String

        init(_ key: Key) { (source, kind, path) = (key.source, key.kind, key.path) }
    }

    fileprivate struct State {
        var patterns: [Key: DriftPattern] = [:]
        /// The documents since the start by series, 0 for those of the file, and those with patterns that have none.
        var documents: [Series: Int] = [:], others = 0
        /// The upstreams and routes whose baseline is known.
        var sources: Set<DriftSource> = []
        /// The lines of the current minute.
        var lines = (minute: 0, count: 0)
        var hasChanged = false
    }

    private let state = Mutex(State())
    private let log: Log
    private let clock: Clock

    init(log: Log, clock: Clock) { (self.log, self.clock) = (log, clock) }

    /// Counts the repairs of a document that was read for the first time.
    func note(_ report: DriftReport, upstream: String, route: String) {
        let source = DriftSource(upstream, route), now = clock.seconds
        let (isBaseline, news) = state.withLock { $0.note(report, of: source, now: now) }
        if isBaseline {
            log.write(.info, "drift", ["upstream": upstream, "route": route, "patterns": report.entries.count])
        }
        for pattern in news {
            log.write(
                .warning, "upstream changed",
                [
                    "upstream": upstream, "route": route, "kind": pattern.kind, "path": pattern.path,
                    "from": pattern.from, "reason": pattern.reason,
                ])
        }
    }

    /// Returns the patterns that were seen in the last `seconds`, or ever, the latest one first; with `news`, those alone that
    /// came after the baseline and were seen first in the last `news` seconds.
    package func summary(since seconds: Int? = nil, news: Int? = nil) -> DriftSummary {
        let now = clock.seconds
        func isWithin(_ seconds: Int?, _ time: UnixSeconds) -> Bool {
            seconds.map { time.seconds >= Double(now - $0) } ?? true
        }
        var summary = DriftSummary()
        (summary.patterns, summary.unlistedDocuments) = state.withLock { state in
            let patterns = state.patterns.values.filter { pattern in
                isWithin(seconds, pattern.last) && isWithin(news, pattern.first)
                    && (news == nil || pattern.news == true)
            }
            return (patterns, state.others)
        }
        summary.patterns.sort { left, right in
            left.last != right.last
                ? left.last > right.last
                : (left.upstream, left.route, left.path, left.kind, left.reason)
                    < (right.upstream, right.route, right.path, right.kind, right.reason)
        }
        return summary
    }

    /// The metrics.
    package static let table: [Figure<DriftBook>] = [
        Figure(
            "weir_drift_total", .counter, ["upstream", "route", "kind", "path"],
            "Documents of upstreams with a kind of drift at a path.",
            note: """
                A document counts once, when it has arrived, and not when the cache answers. The [kinds](api.md#drift) are \
                those of reports. `route` is the one for which the document was fetched. Patterns that \
                `<snapshotFile>.drift` has start at 0. Patterns beyond \(maximumPatterns) share the series with the `path` \
                `_OTHER`.
                """
        ) { book in
            let (documents, others) = book.state.withLock { ($0.documents, $0.others) }
            return samples(documents) + (others > 0 ? [FigureSample(others, "", "", "", "_OTHER")] : [])
        },
        Figure(
            "weir_drift_first_seen_timestamp_seconds", .gauge, ["upstream", "route", "kind", "path"],
            "When drift that came after the baseline was seen first, in unix seconds.",
            note: "Of several reasons for the same kind at a path, the latest one counts. The baseline has no series."
        ) { book in
            let news = book.state.withLock { $0.patterns.filter { $0.value.news == true } }
            return samples(Dictionary(news.map { (Series($0), $1.first.seconds) }, uniquingKeysWith: max))
        },
    ]

    private static func samples(_ values: [Series: some FigureValue]) -> [FigureSample] {
        let sorted = values.sorted { left, right in
            (left.key.source.upstream, left.key.source.route, left.key.path, left.key.kind)
                < (right.key.source.upstream, right.key.source.route, right.key.path, right.key.kind)
        }
        return sorted.map { FigureSample($1, $0.source.upstream, $0.source.route, $0.kind, $0.path) }
    }
}

// Saving and restoring.
extension DriftBook {
    typealias File = StateFile<Content>

    /// The content of the file that keeps the book over restarts.
    struct Content: Record {
        var sources: [DriftSource] = [], patterns: [DriftPattern] = []

        static let schema = Schema<Content> {
            Field(\.sources)
            Field(\.patterns)
        }
    }

    /// The file beside the snapshot at `path`; one with another content is overwritten.
    ///
    /// 500 patterns with the longest paths take about 1 MB.
    func file(besideSnapshot path: String) -> File {
        File(
            path: path + ".drift", maximumBytes: 4 << 20,
            StateFileMessages(
                name: "drift", unread: "drift not restored", unwritten: "drift not saved", file: "drift"),
            keepsUnread: false, log: log, clock: clock
        ) { try Content.read($0).record }
    }

    /// The content for a file; nil if the content has not changed since the last call.
    var changedContent: Content? {
        state.withLock { state in
            guard state.hasChanged else { return nil }
            state.hasChanged = false
            return Content(sources: Array(state.sources), patterns: Array(state.patterns.values))
        }
    }

    /// Takes over the content of a file, to which the log then refers.
    func restore(_ content: Content) {
        state.withLock { state in
            state.sources.formUnion(content.sources.prefix(Self.maximumSources))
            for pattern in content.patterns.prefix(Self.maximumPatterns) {
                let key = Key(
                    source: DriftSource(pattern.upstream, pattern.route), kind: pattern.kind, reason: pattern.reason,
                    path: pattern.path, from: pattern.from)
                state.patterns[key] = pattern
                state.documents[Series(key), default: 0] += 0
            }
        }
    }

    /// Notes that the content could not be written.
    func noteLoss() { state.withLock { $0.hasChanged = true } }
}

extension DriftBook.State {
    /// Counts a document; returns whether it is the baseline of its source, and the new patterns to log.
    fileprivate mutating func note(
        _ report: DriftReport, of source: DriftSource, now: Int
    ) -> (isBaseline: Bool, news: [DriftPattern]) {
        let isBaseline = sources.count < DriftBook.maximumSources && sources.insert(source).inserted
        hasChanged = hasChanged || isBaseline || !report.isEmpty
        var counted: Set<DriftBook.Series> = [], news: [DriftPattern] = []
        var hasOthers = report.unlisted > 0
        for entry in report.entries {
            let key = DriftBook.Key(
                source: source, kind: entry.kind.rawValue, reason: entry.reason.rawValue, path: entry.path,
                from: entry.from ?? entry.path)
            if patterns[key] == nil {
                let length = max(key.path.utf8.count, key.from.utf8.count)
                guard patterns.count < DriftBook.maximumPatterns, length <= DriftBook.longestPath else {
                    hasOthers = true
                    continue
                }
                let pattern = DriftPattern(key, example: entry.example, now: now, news: isBaseline ? nil : true)
                patterns[key] = pattern
                if !isBaseline, takeLine(now) { news.append(pattern) }
            }
            patterns[key]?.count(entry.count, now: now)
            counted.insert(DriftBook.Series(key))
        }
        for series in counted { documents[series, default: 0] += 1 }
        if hasOthers { others += 1 }
        return (isBaseline, news)
    }

    /// Returns whether the log may have another line in this minute.
    private mutating func takeLine(_ now: Int) -> Bool {
        if lines.minute != now / 60 { lines = (now / 60, 0) }
        lines.count += 1
        return lines.count <= DriftBook.linesPerMinute
    }
}

extension DriftPattern {
    fileprivate init(_ key: DriftBook.Key, example: String, now: Int, news: Bool?) {
        (upstream, route) = (key.source.upstream, key.source.route)
        (kind, reason, path, from) = (key.kind, key.reason, key.path, key.from)
        (self.example, self.news, first) = (example, news, UnixSeconds(Double(now)))
    }

    /// Counts a document with `count` repairs.
    fileprivate mutating func count(_ count: Int, now: Int) {
        last = UnixSeconds(Double(now))
        documents += 1
        values += count
    }
}
