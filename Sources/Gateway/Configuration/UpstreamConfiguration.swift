/// An upstream: how it is reached and what it speaks.
public struct UpstreamConfiguration: Codable, Sendable {
    /// The name that routes, log lines and problems use.
    public var name = ""
    /// The name of its dialect.
    public var dialect = ""
    /// Its address, http or https without a query; with a path if it is not at the root.
    public var baseURL: String?
    /// Instead of an address: the folder of a sample upstream, relative to the configuration file.
    public var sample: String?
    /// Where its key comes from.
    public var key: KeyConfiguration?
    /// How the key is sent, if the dialect has a choice: `bearer`, the default.
    public var authorization: String?
    /// The units that it is asked for: si, us, ca or uk2.
    public var units = "si"
    /// The longest time for one fetch, queueing included, 1 to 600,000.
    public var deadlineMilliseconds = 5000
    /// The largest document in bytes, after decompression, 1 to 268,435,455.
    public var maximumBytes = 8 << 20

    init() {}

    /// Reads the settings, or throws a list of everything that is wrong with them.
    public init(from decoder: any Decoder) throws {
        var settings = try SettingsReader<CodingKeys>(decoder)
        name = settings.required(.name) ?? name
        dialect = settings.required(.dialect) ?? dialect
        baseURL = settings.optional(.baseURL)
        sample = settings.optional(.sample)
        key = settings.optional(.key)
        authorization = settings.optional(.authorization)
        settings.read(&units, .units)
        settings.read(&deadlineMilliseconds, .deadlineMilliseconds, in: 1...600_000)
        settings.read(&maximumBytes, .maximumBytes, in: 1...268_435_455)
        try settings.finish()
    }
}

/// Where a key comes from: an environment variable or a file.
///
/// Never the configuration file itself, which is printed and kept.
public struct KeyConfiguration: Codable, Sendable {
    /// The name of an environment variable.
    public var environment: String?
    /// The path of a file that holds only the key, such as a mounted secret.
    public var file: String?
    /// Whether the service starts without this upstream if the variable or file does not exist.
    public var optional = false

    /// Reads the settings, or throws a list of everything that is wrong with them.
    public init(from decoder: any Decoder) throws {
        var settings = try SettingsReader<CodingKeys>(decoder)
        environment = settings.optional(.environment)
        file = settings.optional(.file)
        settings.read(&optional, .optional)
        try settings.finish()
    }
}
