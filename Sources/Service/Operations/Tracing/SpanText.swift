import EventLoop
import HTTPCore
import JSONText

/// The spans of an exchange in the JSON form of OTLP (opentelemetry-proto 1, `Span`), with the names of OpenTelemetry's
/// semantic conventions.
///
/// A span has no value of a client but the client's address: the path is the route's template, and there is no query.
struct SpanText: ~Copyable {
    /// The tries of an exchange that have spans: those of a long list of pages would fill the buffer.
    private static let mostTries = 32
    private enum Kind: Int64 { case `internal` = 1, server, client }

    private var writer = JSONWriter(capacity: 2048)
    /// The number of spans.
    private(set) var count = 0
    /// What turns the monotonic clock into unix time, in nanoseconds.
    private let offset = WallClock.nanoseconds - Int(truncatingIfNeeded: MonotonicTime.now.nanoseconds)

    /// The spans, with commas between them.
    var bytes: [UInt8] { writer.bytes }

    /// The spans of an exchange with this position in a trace; `scheme` is that of the service.
    init(
        _ exchange: ExchangeRecord, _ route: RouteLabel?, at trace: TraceContext, scheme: String,
        _ addresses: AccessLogSettings.Addresses
    ) {
        let (note, method) = (exchange.note, exchange.method.map { KnownMethod($0) })
        let (verb, template) = (method == .other ? "HTTP" : method?.name ?? "HTTP", route?.template)
        add(
            verb + (template.map { " " + $0 } ?? ""), .server, trace, exchange.start, exchange.end,
            [
                "http.request.method": method?.name, "http.route": template, "url.path": template, "url.scheme": scheme,
                "http.response.status_code": exchange.status?.code,
                "network.protocol.version": exchange.version.map { $0 == .http10 ? "1.0" : "1.1" },
                "client.address": addresses.shown(exchange.client)?.text,
                "error.type": exchange.hasFailed ? exchange.errorType : nil,
                "weir.upstream": note.upstream,
            ], isError: exchange.hasFailed, state: note.tries?.traceState)
        let all = note.tries?.all ?? []
        let tries = all.filter { !$0.isOfOtherRequest }.prefix(Self.mostTries)
        let moments = tries.compactMap(\.span?.moments)
        let answered = exchange.answered > 0 ? exchange.answered : exchange.end
        if note.cache != nil || !moments.isEmpty {
            add(
                "cache", .internal, trace.child(-1), exchange.headComplete, moments.map(\.start).min() ?? answered,
                ["weir.cache": note.cache?.rawValue],
                links: all.filter(\.isOfOtherRequest).prefix(Self.mostTries).compactMap(\.span?.position))
        }
        for (index, entry) in tries.enumerated() {
            add(entry, repetition: tries.prefix(index).count { $0.upstream == entry.upstream })
        }
        if exchange.answered > 0 {
            add("respond", .internal, trace.child(-2), moments.map(\.end).max() ?? answered, exchange.end)
        }
    }

    private mutating func add(_ entry: UpstreamTry, repetition: Int) {
        guard let span = entry.span else { return }
        add(
            span.method, span.moments.sent > 0 ? .client : .internal, span.position, span.moments.start,
            span.moments.end,
            [
                "http.request.method": span.method, "server.address": span.host, "server.port": span.port,
                "http.response.status_code": span.status, "error.type": span.errorType,
                "http.request.resend_count": repetition > 0 ? repetition : nil, "weir.upstream": entry.upstream,
                "weir.requests": entry.requests,
            ], isError: span.errorType != nil)
        for (index, phase) in span.phases(onUsedConnection: entry.isReused == true).enumerated() {
            add(phase.name, .internal, span.position.child(index + 1), phase.start, phase.end)
        }
    }

    private mutating func add(
        _ name: String, _ kind: Kind, _ position: TraceContext, _ start: UInt64, _ end: UInt64,
        _ attributes: KeyValuePairs<String, any LogValue> = [:], isError: Bool = false, links: [TraceContext] = [],
        state: String? = nil
    ) {
        writer.write(raw: count == 0 ? "{" : ",{")
        count += 1
        write(identifiersOf: position)
        writer.write(#","parentSpanId":"#, position.parentID == 0 ? nil : TraceContext.text(position.parentID))
        writer.write(#","traceState":"#, state)
        writer.write(#","name":"#, name)
        writer.write(raw: #","kind":"#)
        writer.write(kind.rawValue)
        writer.write(#","startTimeUnixNano":"#, "\(offset + Int(truncatingIfNeeded: start))")
        writer.write(#","endTimeUnixNano":"#, "\(offset + Int(truncatingIfNeeded: max(start, end)))")
        writer.write(raw: #","attributes":["#)
        var separator: StaticString = #"{"key":"#
        for (key, value) in attributes where !value.isAbsent {
            writer.write(separator, key)
            // A number of 64 bits is a text in the JSON form of proto3.
            let number = value as? Int
            writer.write(raw: number == nil ? #","value":{"stringValue":"# : #","value":{"intValue":"#)
            if let number { writer.write("\(number)") } else { value.write(to: &writer) }
            writer.write(raw: "}}")
            separator = #",{"key":"#
        }
        writer.write(raw: "]")
        for (index, link) in links.enumerated() {
            writer.write(raw: index == 0 ? #","links":[{"# : ",{")
            write(identifiersOf: link)
            writer.write(raw: index == links.count - 1 ? "}]" : "}")
        }
        writer.write(raw: isError ? #","status":{"code":2}}"# : "}")
    }

    private mutating func write(identifiersOf position: TraceContext) {
        writer.write(#""traceId":"#, position.traceIDText)
        writer.write(#","spanId":"#, position.spanIDText)
    }
}

extension ExchangeRecord {
    /// Whether the service has failed: a status from 500 on, or an answer that was not completed.
    ///
    /// What is wrong with a request is no failure, whether a route or the server refuses it.
    var hasFailed: Bool { errorType != nil && !(400..<500 ~= status?.code ?? 500) }
}
