import HTTPCore
import JSONText

/// Writes metrics in the text format of Prometheus, version 0.0.4.
///
/// The families come one after another, each with its help, its type and all of its samples.
public struct MetricsText: ~Copyable {
    /// The media type of the text.
    public static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

    /// The type of a family.
    public enum Kind: String, Sendable {
        /// A number that only grows.
        case counter
        /// A number that rises and falls.
        case gauge
        /// Counts by upper bounds.
        case histogram
        /// Quantiles with a count and a sum.
        case summary
    }

    private var writer = JSONWriter(capacity: 16 << 10)
    private var family = ""

    /// A text without metrics.
    public init() {}

    /// The text.
    public var bytes: [UInt8] { writer.bytes }

    /// Starts the family `name`; `help` is one line without backslashes.
    public mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
        family = name
        write("# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n")
    }

    /// Writes a sample of the current family; `suffix` is such as `_bucket`, and `bound` the last label `le`.
    public mutating func sample(
        _ value: Double, _ labels: KeyValuePairs<String, String> = [:], suffix: String = "", bound: String = ""
    ) {
        write(family)
        write(suffix)
        var separator = "{"
        // A label without a value is the same as none.
        for (name, value) in labels.map({ ($0, $1) }) + [("le", bound)] where !value.isEmpty {
            write("\(separator)\(name)=\"")
            write(escaped: value)
            writer.write(byte: UInt8(ascii: "\""))
            separator = ","
        }
        if separator == "," { write("}") }
        write(" ")
        if value.isFinite { writer.write(value) } else { write(value.isNaN ? "NaN" : value > 0 ? "+Inf" : "-Inf") }
        write("\n")
    }

    /// Writes a histogram of the current family: the counts by upper bounds in seconds, then that of those above, and the
    /// sum in seconds.
    public mutating func histogram(
        _ counts: [some BinaryInteger], bounds: [Double], sum: Double, _ labels: KeyValuePairs<String, String>
    ) {
        var total = 0.0
        for (bound, count) in zip(bounds.map { "\($0)" } + ["+Inf"], counts) {
            total += Double(count)
            sample(total, labels, suffix: "_bucket", bound: bound)
        }
        sample(sum, labels, suffix: "_sum")
        sample(total, labels, suffix: "_count")
    }

    /// Writes a family with one sample.
    public mutating func single(_ name: String, _ kind: Kind, _ help: String, _ value: Double) {
        begin(name, kind, help)
        sample(value)
    }

    private mutating func write(_ text: String) { for byte in text.utf8 { writer.write(byte: byte) } }

    private mutating func write(escaped text: String) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\\"): write("\\\\")
            case UInt8(ascii: "\""): write("\\\"")
            case UInt8(ascii: "\n"): write("\\n")
            default: writer.write(byte: byte)
            }
        }
    }
}

// Prometheus's text of the counters.
extension RequestMetrics {
    /// Writes the counters: `http_server_*` with the labels of OpenTelemetry; `routes` are in the order of their numbers.
    public func write(to text: inout MetricsText, routes: [RouteLabel]) {
        writeDurations(to: &text, routes)
        text.single(
            "http_server_active_requests", .gauge, "Requests whose responses have not been sent.",
            Double(max(0, active)))
        text.single("http_server_open_connections", .gauge, "Open connections of clients.", Double(max(0, connections)))
        text.single(
            "http_server_accepted_connections_total", .counter, "Connections of clients since the start.",
            Double(accepted))
        text.single(
            "http_server_received_bytes_total", .counter, "Bytes of requests, heads included.", Double(received))
        text.single("http_server_sent_bytes_total", .counter, "Bytes of responses, heads included.", Double(sent))
        text.begin(
            "http_server_refusals_total", .counter, "Requests and connections that were refused before a route.")
        for (reason, count) in zip(Refusal.allCases, refusals) {
            text.sample(Double(count), ["reason": reason.rawValue])
        }
        text.begin("http_server_incomplete_total", .counter, "Exchanges that ended before the whole response was sent.")
        text.sample(Double(clientsLeft), ["outcome": "client_left"])
        text.sample(Double(timeouts), ["outcome": "timeout"])
        text.sample(Double(stopped), ["outcome": "shutdown"])
        text.begin("weir_cache_answers_total", .counter, "Answers by the part that the cache took.")
        for result in CacheResult.allCases {
            text.sample(Double(cached[result.index]), ["result": result.rawValue])
        }
    }

    private func writeDurations(to text: inout MetricsText, _ routes: [RouteLabel]) {
        text.begin(
            "http_server_request_duration_seconds", .histogram,
            "Time from the first byte of a request to the last one of its response.")
        let bounds = Self.bounds.map { Double($0) / 1e9 }
        for series in series {
            let number = series.route.map { Int($0) } ?? routes.count
            let (route, method) = (number < routes.count ? routes[number].template : "", series.method.name)
            let status = series.status > 0 ? "\(series.status)" : series.status == 0 ? "_OTHER" : ""
            text.histogram(
                series.buckets, bounds: bounds, sum: Double(series.sum) / 1e9,
                ["http_request_method": method, "http_response_status_code": status, "http_route": route])
        }
    }
}
