import EventLoop
import HTTPCore
@testable import Operations
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct TracerTests {
    /// A tracer that keeps what a collector gets.
    private struct Exporter {
        let bodies = Watched<[String]>([])
        let tracer: Tracer

        init(ratio: Double = 0, failure: String? = nil) throws {
            tracer = Tracer(
                ratio: ratio, scheme: "http", version: "1", on: try Shard(index: 0), log: Log(writer: Output().writer())
            ) { [bodies] body, _ in
                bodies.update { $0.append(String(decoding: body, as: UTF8.self)) }
                return failure
            }
        }

        /// The spans that the collector has got.
        func spans() async throws -> [Parsed] {
            await tracer.finish()
            return try bodies.current.flatMap { body in
                try Parsed(body)["resourceSpans"][0]["scopeSpans"][0]["spans"].elements
            }
        }

        func counts() -> String {
            String(decoding: Tracer.table.text(of: tracer), as: UTF8.self)
                .split(separator: "\n").filter { $0.first != "#" }.joined(separator: " ")
                .replacing("weir_trace_spans_total{result=", with: "").replacing("}", with: "")
        }
    }

    private static func trace(isSampled: Bool = false) -> TraceContext {
        TraceContext(traceID: 0xAB, parentID: 0, spanID: 0xCD, isSampled: isSampled)
    }

    @Test(
        "Sampled, failed and slow exchanges have spans, and no others do",
        arguments: [
            (200, 999, .completed, false, false), (200, 1000, .completed, false, true),
            (499, 1, .completed, false, false),
            (500, 1, .completed, false, true), (200, 1, .clientLeft, false, true), (200, 1, .timedOut, false, true),
            (200, 1, .completed, true, true), (431, 1, .refused(.headTooLarge), false, false),
            (503, 1, .refused(.connectionLimit), false, true),
        ] as [(Int, UInt64, ExchangeRecord.Outcome, Bool, Bool)])
    func choice(
        _ status: Int, _ milliseconds: UInt64, _ outcome: ExchangeRecord.Outcome, _ isSampled: Bool, _ isKept: Bool
    ) async throws {
        let exporter = try Exporter()
        let exchange = ExchangeRecord.answered(status: status, milliseconds: milliseconds) { exchange in
            exchange.outcome = outcome
            exchange.note.trace = Self.trace(isSampled: isSampled)
        }
        #expect((exporter.tracer.add(exchange, routesOfExchanges[0]) != nil) == isKept)
        let spans = try await exporter.spans()
        #expect(spans.map { $0["name"].string } == (isKept ? ["GET /weather"] : []))
        #expect(spans.allSatisfy { $0["traceId"].string == String(repeating: "0", count: 30) + "ab" })
    }

    @Test func anExchangeWithoutATraceHasNoSpans() throws {
        #expect(try Exporter().tracer.add(.answered(status: 500), nil) == nil)
    }

    @Test("2,048 spans wait, and further ones are dropped and counted")
    func bound() async throws {
        let exporter = try Exporter()
        let exchange = ExchangeRecord.answered { $0.note.trace = Self.trace(isSampled: true) }
        let kept = (0..<2100).count { _ in exporter.tracer.add(exchange, nil) != nil }
        #expect(kept == 2048)
        #expect(exporter.counts() == #""exported" 0 "dropped" 52 "failed" 0"#)
        #expect(try await exporter.spans().count == 2048)
        #expect(exporter.bodies.current.count == 4)
        #expect(exporter.counts() == #""exported" 2048 "dropped" 52 "failed" 0"#)
        #expect(exporter.tracer.add(exchange, nil) != nil)
    }

    @Test func spansThatTheCollectorRefusesAreCounted() async throws {
        let exporter = try Exporter(failure: "no")
        _ = exporter.tracer.add(.answered { $0.note.trace = Self.trace(isSampled: true) }, nil)
        await exporter.tracer.finish()
        #expect(exporter.counts() == #""exported" 0 "dropped" 0 "failed" 1"#)
    }

    @Test(
        "The ratio decides by the last 56 bits of a trace's id",
        arguments: [
            (0.0, 0xFF_FFFF_FFFF_FFFF, false), (1.0, 0, true), (0.25, 0xC0_0000_0000_0000, true),
            (0.25, 0xBF_FFFF_FFFF_FFFF, false), (0.25, 0xFF00_0000_0000_0000, false),
        ] as [(Double, UInt64, Bool)])
    func ratio(_ ratio: Double, _ identifier: UInt64, _ isSampled: Bool) {
        #expect(TraceRatio(ratio).samples(UInt128(identifier)) == isSampled)
        #expect(TraceRatio(ratio).samples(UInt128(identifier) | UInt128(7) << 64) == isSampled)
    }

    @Test("A try is a span with its phases, and one of another request is a link")
    func tries() async throws {
        let exporter = try Exporter()
        let (tries, other) = (UpstreamTries(isTraced: true, traceState: "a=b"), UpstreamTries())
        func entry(
            _ number: Int, _ result: String, isReused: Bool?, _ change: (inout TryMoments) -> Void
        ) -> UpstreamTry {
            var moments = TryMoments()
            (moments.start, moments.end) = (6_000_000, 9_000_000)
            change(&moments)
            let status = Int(result)
            let span = TrySpan(
                Self.trace().child(number), method: "GET", host: "sky.example", port: 443, moments, status: status,
                errorType: status == 200 ? nil : "timeout")
            return UpstreamTry(
                upstream: "sky", requests: "forecast", result: result, milliseconds: 3, bytes: 0, sent: 1,
                isReused: isReused, span: span)
        }
        func end(_ entry: UpstreamTry, in tries: UpstreamTries) { tries.end(tries.begin { entry }, entry) }
        end(entry(9, "200", isReused: nil) { _ in }, in: other)
        tries.share(other)
        let late = entry(1, "late", isReused: nil) { moments in
            (moments.admitted, moments.sent, moments.received) = (6_100_000, 6_200_000, 9_000_000)
        }
        let new = entry(2, "200", isReused: false) { moments in
            (moments.sent, moments.connected) = (7_000_000, 7_100_000)
            (moments.received, moments.read) = (7_200_000, 7_300_000)
        }
        let reused = entry(3, "200", isReused: true) { moments in
            (moments.sent, moments.connected, moments.received) = (7_000_000, 7_000_100, 7_200_000)
        }
        for entry in [late, new, reused] { end(entry, in: tries) }
        let exchange = ExchangeRecord.answered(milliseconds: 8) { exchange in
            (exchange.headComplete, exchange.answered) = (5_100_000, 10_000_000)
            (exchange.note.trace, exchange.note.tries) = (Self.trace(isSampled: true), tries)
            exchange.note.cache = .miss
        }
        _ = exporter.tracer.add(exchange, routesOfExchanges[0])
        let spans = try await exporter.spans()
        let names = spans.map { $0["name"].string ?? "" }
        #expect(
            names == [
                "GET /weather", "cache", "GET", "queue", "connect", "GET", "connect", "transfer", "read", "shape",
                "GET",
                "transfer", "read", "respond",
            ])
        #expect(Set(spans.map { $0["spanId"].string }).count == spans.count)
        #expect(spans[0]["traceState"].string == "a=b")
        #expect(spans[1]["links"].elements.map { $0["spanId"].string?.count } == [16])
        func attribute(_ span: Parsed, _ key: String) -> String? {
            let value = span["attributes"].elements.first { $0["key"].string == key }?["value"]
            return value?["stringValue"].string ?? value?["intValue"].string
        }
        #expect(attribute(spans[2], "error.type") == "timeout")
        #expect(spans[2]["status"]["code"].integer == 2)
        #expect(attribute(spans[5], "http.request.resend_count") == "1")
        #expect(attribute(spans[5], "server.port") == "443")
        let times = ["startTimeUnixNano", "endTimeUnixNano"].compactMap { spans.last?[$0].string.flatMap { Int($0) } }
        #expect(times.count == 2 && times[1] - times[0] == 4_000_000)
    }
}
