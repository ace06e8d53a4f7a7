import EventLoop
import Records
import Operations
import TestSupport
import Testing

@testable import Proxy

@Suite("The book of drift")
struct DriftBookTests {
    private final class Fixture: Sendable {
        let seconds = Watched(1_800_000_000)
        private let lines = Watched<[String]>([])
        private let writer: LineWriter
        let book: DriftBook

        init() {
            writer = LineWriter("drift", maximumBytes: 1 << 20) { [lines] bytes in
                lines.update { $0 += String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init) }
                return true
            }
            let clock = Clock(now: { .now }, milliseconds: { [seconds] in seconds.current * 1000 })
            book = DriftBook(log: Log(writer: writer), clock: clock)
        }

        func note(_ paths: [String], upstream: String = "sky") {
            var report = DriftReport()
            for path in paths { report.note(.dropped, .mistyped, [0, 1], path) }
            book.note(report, upstream: upstream, route: "/weather")
        }

        var samples: [String] { samples(of: "weir_drift_total") }

        func samples(of figure: String) -> [String] {
            String(decoding: DriftBook.table.text(of: book), as: UTF8.self).split(separator: "\n")
                .filter { $0.hasPrefix(figure + "{") }.map(String.init)
        }

        func messages(_ message: String) -> Int {
            #expect(writer.flush(within: .seconds(60)))
            return lines.current.count { $0.contains("\"message\":\"\(message)\"") }
        }
    }

    @Test("500 patterns are kept; documents with others share a series")
    func bounded() {
        let fixture = Fixture()
        for part in 0..<3 { fixture.note((0..<200).map { "key\(part * 200 + $0)" }) }
        #expect(fixture.book.summary().patterns.count == 500)
        #expect(fixture.book.summary().unlistedDocuments == 1)
        #expect(fixture.samples.count == 501 && fixture.samples.last == #"weir_drift_total{path="_OTHER"} 1"#)
        // A known pattern counts on, and a path of any length does not grow the book.
        fixture.note(["key0"])
        fixture.note([String(repeating: "x", count: 10_000)])
        #expect(fixture.book.summary().patterns.first?.path == "key0" && fixture.samples.last?.hasSuffix(" 2") == true)
    }

    @Test("The first document of an upstream is the baseline, and the log has 20 new patterns a minute at most")
    func lines() {
        let fixture = Fixture()
        fixture.note((0..<30).map { "a\($0)" })
        #expect(fixture.messages("drift") == 1 && fixture.messages("upstream changed") == 0)
        fixture.note((0..<30).map { "b\($0)" })
        #expect(fixture.messages("upstream changed") == 20)
        fixture.seconds.update { $0 += 60 }
        fixture.note((0..<30).map { "b\($0)" })
        #expect(fixture.messages("upstream changed") == 20)
        fixture.note(["c"])
        #expect(fixture.messages("upstream changed") == 21)
        // Another upstream has a baseline of its own, also without drift.
        fixture.note([], upstream: "sea")
        #expect(fixture.messages("drift") == 2)
        fixture.note(["d"], upstream: "sea")
        #expect(fixture.messages("upstream changed") == 22)
    }

    @Test("After a restart, the patterns of the file are no news, and the first document of a standby is a baseline")
    func restored() throws {
        let (before, after) = (Fixture(), Fixture())
        before.note(["a"])
        before.note(["a", "b"])
        after.book.restore(try #require(before.book.changedContent))
        let labels = #"{upstream="sky",route="/weather",kind="dropped",path="#
        #expect(after.samples == ["a", "b"].map { #"weir_drift_total\#(labels)"\#($0)"} 0"# })
        let figure = "weir_drift_first_seen_timestamp_seconds"
        let news = [#"\#(figure)\#(labels)"b"} 1800000000"#]
        #expect(before.samples(of: figure) == news && after.samples(of: figure) == news)
        after.seconds.update { $0 += 5 * 86_400 }
        after.note(["a", "b"])
        #expect(after.samples.map { $0.last } == ["1", "1"] && after.messages("drift") == 0)
        // Both were seen today, and neither for the first time.
        #expect(after.book.summary(since: 86_400).patterns.count == 2)
        #expect(after.book.summary(news: 86_400).patterns.isEmpty)
        #expect(after.book.summary(news: 6 * 86_400).patterns.map(\.path) == ["b"])
        after.note(["c"], upstream: "standby")
        #expect(after.messages("drift") == 1 && after.messages("upstream changed") == 0)
        #expect(after.samples(of: figure) == news)
        after.note(["d"], upstream: "standby")
        #expect(after.messages("upstream changed") == 1)
        #expect(after.book.summary(news: 60).patterns.map(\.path) == ["d"])
    }

    @Test("A summary has the patterns that were seen since a time, the latest one first")
    func times() {
        let fixture = Fixture()
        fixture.note(["a", "b"])
        fixture.seconds.update { $0 += 3600 }
        fixture.note(["b"])
        let all = fixture.book.summary().patterns
        #expect(all.map(\.path) == ["b", "a"])
        #expect(all.map(\.documents) == [2, 1] && all.map(\.values) == [4, 2])
        #expect(all.map(\.first.seconds) == [1_800_000_000, 1_800_000_000])
        #expect(all.map(\.last.seconds) == [1_800_003_600, 1_800_000_000])
        #expect(fixture.book.summary(since: 3599).patterns.map(\.path) == ["b"])
    }
}
