package import Records

/// Where the spans of requests go.
package struct TracesConfiguration: Record {
    package var endpoint = ""
    package var ratio = 0.01
    package var headers: [String: KeyConfiguration]?

    package init() {}

    package static let schema = Schema<TracesConfiguration>(.exact, .defaulted) {
        Field(
            \.endpoint, .required, .takes("like `upstreams[].baseURL`"),
            .example(#""http://127.0.0.1:4318/v1/traces""#),
            .note("The address of a collector that takes OTLP over HTTP as JSON."))
        Field(
            \.ratio, .plausible(0...1), .example("0.1"),
            .note(
                "The part of the traces without a `traceparent` of the client that is recorded. The flag of a "
                    + "`traceparent` decides otherwise."))
        Field(
            \.headers, .takes("sources of keys by names of header fields, like `upstreams[].key`"),
            .example(#"{"Authorization": {"environment": "OTLP_AUTHORIZATION"}}"#),
            .note("The fields of the requests to the collector. Their values may have spaces."))
    }
}
