/// The program and its configuration, and how the last reload ended.
package struct ConfigurationMetrics: Sendable {
    private let version: String, hash: String
    private let isSuccessful: Bool
    private let seconds: Int

    /// A configuration with a digest; `seconds` is the unix time of the last reload, or else of the start.
    package init(version: String, hash: String, isSuccessful: Bool, seconds: Int) {
        (self.version, self.hash, self.isSuccessful, self.seconds) = (version, hash, isSuccessful, seconds)
    }

    package func write(to text: inout MetricsText) {
        text.begin("weir_build_info", .gauge, "The version of the program.")
        text.sample(1, ["version": version])
        text.begin("weir_configuration_hash_info", .gauge, "The digest of the settings in use.")
        text.sample(1, ["hash": hash])
        text.single(
            "weir_configuration_last_reload_successful", .gauge, "Whether the last reload was not refused.",
            isSuccessful ? 1 : 0)
        text.single(
            "weir_configuration_last_reload_timestamp_seconds", .gauge,
            "Time of the last reload, refused ones included, or else of the start.", Double(seconds))
    }
}
