public import LenientCoding

/// One place where documents come from.
public struct UpstreamConfiguration: Record {
    /// The name that routes, logs and problems use.
    public var name = ""
    /// How it speaks.
    public var dialect = ""
    /// Its address: `https://HOST`, with a path where it is not at the root.
    public var baseURL: String?
    /// In place of an address: the folder of a sample that is served in its stead, relative to the configuration file.
    public var sample: String?
    /// Where its key comes from.
    public var key: KeyConfiguration?
    /// How the key is shown, where the dialect knows more than one way: bearer, which is the default.
    public var authorization: String?
    /// The units that it is asked for: si, us, ca or uk2.
    public var units = "si"
    /// How long it may take, in milliseconds, waiting for its turn included.
    public var deadline = 5000
    /// The largest document that is taken, in bytes, after decompression.
    public var maximumBytes = 8 << 20

    /// An upstream that is nowhere.
    public init() {}

    /// One line a setting.
    public static let schema = Schema<UpstreamConfiguration>(.exact) {
        Field(\.name)
        Field(\.dialect)
        Field(\.baseURL, .note("http or https, without query"))
        Field(\.sample, .note("a folder, in place of baseURL"))
        Field(\.key)
        Field(\.authorization, .note("bearer, for Twitter"))
        Field(\.units, .defaulted, .note("si, us, ca or uk2"))
        Field("deadlineMilliseconds", \.deadline, .defaulted, .plausible(1...600_000))
        Field(\.maximumBytes, .defaulted, .plausible(1...268_435_455))
    }
}

/// Where a key comes from: never from the configuration file itself, which is printed and kept.
public struct KeyConfiguration: Record {
    /// The name of an environment variable.
    public var environment: String?
    /// The path of a file that holds nothing else, such as a mounted secret.
    public var file: String?
    /// Whether the upstream is left out where there is no such variable or file, in place of nothing being served.
    public var optional = false

    /// A key from nowhere.
    public init() {}

    /// One line a setting.
    public static let schema = Schema<KeyConfiguration>(.exact) {
        Field(\.environment)
        Field(\.file)
        Field(\.optional, .defaulted, .note("whether the upstream is left out where there is no key"))
    }
}
