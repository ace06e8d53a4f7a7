/// The limits that all upstreams share.
struct FetchingConfiguration: Codable, Sendable {
    /// The time for one request of a client, over all its tries.
    var deadlineMilliseconds = 5000

    init() {}

    init(from decoder: any Decoder) throws {
        var settings = try SettingsReader<CodingKeys>(decoder)
        settings.read(&deadlineMilliseconds, .deadlineMilliseconds, in: 1...600_000)
        try settings.finish()
    }
}
