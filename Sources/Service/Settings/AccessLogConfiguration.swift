package import Operations
package import Records

/// The access log on standard output.
package struct AccessLogConfiguration: Record {
    package var format = "json"
    package var level = "info"
    package var sampleEvery = 1
    package var probes = false
    package var maximumWaitingBytes = 1_048_576

    package init() {}

    package static let schema = Schema<AccessLogConfiguration>(.exact, .defaulted) {
        Field(
            \.format, .oneOf(AccessLogSettings.Format.allCases.map(\.rawValue)), .fixed, .example(#""none""#),
            .note("The form of the [access log](operating.md#access-log) on standard output."))
        Field(
            \.level, .oneOf(AccessLogSettings.Level.allCases.map(\.rawValue)), .fixed, .example(#""warning""#),
            .note(
                "The least important requests that are logged: `warning` has those with a status from 400 or "
                    + "without a complete answer, `error` those with a status from 500."))
        Field(
            \.sampleEvery, .plausible(1...1_000_000), .fixed, .example("100"),
            .note("Of the requests of level `info`, each event loop logs one in so many."))
        Field(
            \.probes, .fixed, .example("true"),
            .note("Whether requests of `/livez`, `/readyz`, `/healthz` and `/metrics` are logged."))
        Field(
            \.maximumWaitingBytes, .plausible(65_536...1_073_741_824), .fixed, .example("16777216"),
            .note("The bytes that may wait for a slow reader. Further lines are dropped and counted."))
    }

    /// The settings of the log; nil without one.
    package var settings: AccessLogSettings? {
        var settings = AccessLogSettings()
        settings.format = AccessLogSettings.Format(rawValue: format) ?? .json
        settings.level = AccessLogSettings.Level(rawValue: level) ?? .info
        (settings.sampleEvery, settings.includesProbes) = (sampleEvery, probes)
        return settings.format == .none ? nil : settings
    }
}

/// The origins whose scripts may read answers.
package struct CrossOriginConfiguration: Record {
    package var origins: [String] = []
    package var maximumAgeSeconds = 600

    package init() {}

    package static let schema = Schema<CrossOriginConfiguration>(.exact, .defaulted) {
        Field(
            \.origins, .takes("origins such as `https://app.example`, or `*`"),
            .example(#"["https://app.example"]"#),
            .note("The origins whose scripts may [read answers](api.md#browsers)."))
        Field(
            \.maximumAgeSeconds, .plausible(0...86_400), .example("3600"),
            .note("How long a browser may keep the answer to a preflight request."))
    }

    /// The indices of origins that are no origins (RFC 6454 §6.2).
    package var faults: [Int] {
        origins.indices.filter { index in
            origins[index] != "*"
                && origins[index].wholeMatch(of: /https?:\/\/(?:[a-z0-9.\-]+|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?/) == nil
        }
    }
}
