import HTTPCore

// Prometheus's text of the counters.
extension RequestMetrics {
    /// Writes the counters: `http_server_*` with the labels of OpenTelemetry.
    public func write(to text: inout MetricsText) {
        writeDurations(to: &text)
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
        text.begin("weir_drift_values_total", .counter, "Values of upstreams' documents that were changed.")
        text.sample(Double(repaired), ["action": "repaired"])
        text.sample(Double(dropped), ["action": "dropped"])
    }

    private func writeDurations(to text: inout MetricsText) {
        text.begin(
            "http_server_request_duration_seconds", .histogram,
            "Time from the first byte of a request to the last one of its response.")
        let bounds = Self.bounds.map { "\(Double($0) / 1e9)" } + ["+Inf"]
        for series in series {
            let (route, method) = (series.route < routes.count ? routes[series.route] : "", series.method.name)
            let status = series.status > 0 ? "\(series.status)" : series.status == 0 ? "_OTHER" : ""
            var count: UInt64 = 0
            for (bound, number) in zip(bounds, series.buckets) {
                count += number
                text.sample(
                    Double(count),
                    [
                        "http_request_method": method, "http_response_status_code": status, "http_route": route,
                        "le": bound,
                    ], suffix: "_bucket")
            }
            let labels: KeyValuePairs = [
                "http_request_method": method, "http_response_status_code": status, "http_route": route,
            ]
            text.sample(Double(series.sum) / 1e9, labels, suffix: "_sum")
            text.sample(Double(count), labels, suffix: "_count")
        }
    }
}
