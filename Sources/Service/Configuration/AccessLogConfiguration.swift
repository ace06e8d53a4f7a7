package import Telemetry

/// The access log on standard output.
package struct AccessLogConfiguration: Codable, Equatable, Sendable {
    /// The form of the lines: json, common or none.
    package var format = "json"
    /// The least important exchanges that are logged: info, warning or error.
    package var level = "info"
    /// Of the exchanges of level info, one in so many is logged.
    package var sampleEvery = 1
    /// Whether requests of `/livez`, `/readyz` and `/metrics` are logged.
    package var probes = false
    /// The bytes that may wait for a slow reader.
    package var maximumWaitingBytes = 1_048_576

    package init() {}

    package init(from decoder: any Decoder) throws {
        var settings = try SettingsReader<CodingKeys>(decoder)
        settings.read(&format, .format)
        settings.read(&level, .level)
        settings.read(&sampleEvery, .sampleEvery, in: 1...1_000_000)
        settings.read(&probes, .probes)
        settings.read(&maximumWaitingBytes, .maximumWaitingBytes, in: 65_536...1_073_741_824)
        try settings.finish()
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
package struct CrossOriginConfiguration: Codable, Sendable {
    /// Origins such as `https://app.example`, or `*` for all; without any, answers have no CORS fields.
    package var origins: [String] = []
    /// The time for which a browser may keep the answer to a preflight request.
    package var maximumAgeSeconds = 600

    package init() {}

    package init(from decoder: any Decoder) throws {
        var settings = try SettingsReader<CodingKeys>(decoder)
        origins = settings.optional(.origins) ?? []
        settings.read(&maximumAgeSeconds, .maximumAgeSeconds, in: 0...86_400)
        try settings.finish()
    }

    /// The indices of origins that are no origins (RFC 6454 §6.2).
    package var faults: [Int] {
        origins.indices.filter { index in
            origins[index] != "*"
                && origins[index].wholeMatch(of: /https?:\/\/(?:[a-z0-9.\-]+|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?/) == nil
        }
    }
}
