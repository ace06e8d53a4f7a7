import Contracts
import EventLoop
import JSONText
import LenientCoding

extension Configuration {
    private static let maximumBytes = 1 << 20

    /// Where `weir` looks when it is not told: the first of these that exists.
    public static let defaultPaths = ["Config/weir.json", "/etc/weir/weir.json"]

    /// Reads and checks a configuration file: JSON, with comments.
    /// - Throws: `SystemError` when it cannot be read, `ConfigurationError` naming all that is wrong with it.
    public static func load(path: String) throws -> Configuration {
        let bytes: [UInt8]
        do {
            bytes = try FileContents.read(path: path, limit: maximumBytes)
        } catch let error as FileContents.TooLarge {
            throw ConfigurationError(file: path, faults: [error.description])
        }
        return try parse(bytes, file: path)
    }

    /// Reads and checks a configuration from its text; `file` is its name in messages.
    /// - Throws: `ConfigurationError`.
    public static func parse(_ bytes: [UInt8], file: String) throws -> Configuration {
        let configuration: Configuration
        do {
            var parser = JSONParser(options: JSONOptions(maximumDepth: 64, allowsComments: true))
            configuration = try parser.withDocument(bytes) { try Configuration.readStrictly($0) }
        } catch let error as JSONSyntaxError {
            throw ConfigurationError(file: file, faults: [error.description])
        } catch let error as ContractError {
            throw ConfigurationError(file: file, faults: error.failures.map(describe))
        }
        let faults = configuration.faults
        if !faults.isEmpty { throw ConfigurationError(file: file, faults: faults) }
        return configuration
    }

    private static func describe(_ failure: ContractError.Failure) -> String {
        let path = failure.path.isEmpty ? "the document" : failure.path
        return switch failure.reason {
        case .missing, .null: "\(path) is missing: it takes \(failure.expected)"
        case .unknownKey: "\(path) is no setting; expected \(failure.expected)"
        case .duplicate: "\(path) is there twice; expected \(failure.expected)"
        default: "\(path) must be \(failure.expected)"
        }
    }

    /// What the tables cannot say.
    private var faults: [String] {
        var faults: [String] = []
        if SocketAddress(listen) == nil { faults.append("listen must be HOST:PORT or unix:PATH, not \"\(listen)\"") }
        var names: Set<String> = []
        for (index, upstream) in upstreams.enumerated() {
            faults += upstream.faults.map { "upstreams[\(index)]\($0)" }
            if !names.insert(upstream.name).inserted {
                faults.append("upstreams[\(index)].name: \"\(upstream.name)\" is taken already")
            }
        }
        faults += Self.choiceFaults(weather.units, among: Shaping.Units.names, "weather.units")
        if weather.upstreams.isEmpty { faults.append("weather.upstreams must name an upstream") }
        faults += routeFaults(weather.upstreams, "weather.upstreams") { Dialect.named($0) != nil }
        faults += routeFaults(tweets.upstreams, "tweets.upstreams") { TweetDialect.named($0) != nil }
        return faults
    }

    /// What is wrong with the upstreams that a route names: one is not there, or speaks of something else.
    private func routeFaults(_ names: [String], _ path: String, suits: (_ dialect: String) -> Bool) -> [String] {
        names.enumerated().compactMap { index, name in
            guard let upstream = upstreams.first(where: { $0.name == name }) else {
                let nearest = Parameters.hint(name, among: upstreams.map(\.name).sorted())
                return "\(path)[\(index)]: there is no upstream \"\(name)\"\(nearest)"
            }
            if suits(upstream.dialect) || !UpstreamConfiguration.dialects.contains(upstream.dialect) { return nil }
            return "\(path)[\(index)]: \"\(name)\" speaks \(upstream.dialect), which is not of this route"
        }
    }

    /// What is wrong with the setting at `path` when it is none of `choices`.
    fileprivate static func choiceFaults(_ value: String, among choices: [String], _ path: String) -> [String] {
        if choices.contains(value) { return [] }
        let hint = Parameters.hint(value, among: choices)
        return ["\(path): \"\(value)\" is none of \(choices.joined(separator: ", "))\(hint)"]
    }
}

extension UpstreamConfiguration {
    /// The names of every dialect, of forecasts and of tweets.
    static var dialects: [String] { Dialect.all.map(\.name) + TweetDialect.all.map(\.name) }

    /// What is wrong, each beginning with the path below the upstream.
    fileprivate var faults: [String] {
        var faults: [String] = []
        if name.isEmpty { faults.append(".name must not be empty") }
        faults += Configuration.choiceFaults(dialect, among: Self.dialects, ".dialect")
        faults += Configuration.choiceFaults(units, among: ["si", "us", "ca", "uk2"], ".units")
        faults += authorizationFaults
        switch (baseURL, sample) {
        case (nil, nil): faults.append(" must have a baseURL, or a sample to be served in its stead")
        case (_?, _?): faults.append(" must have a baseURL or a sample, not both")
        case (let url?, nil):
            if let fault = Self.fault(inURL: url) { faults.append(".baseURL \(fault)") }
        case (nil, let folder?):
            if folder.isEmpty { faults.append(".sample must not be empty") }
        }
        if let key, (key.environment == nil) == (key.file == nil) {
            faults.append(".key must say environment or file")
        }
        return faults
    }

    private var authorizationFaults: [String] {
        guard let authorization, Self.dialects.contains(dialect) else { return [] }
        guard TweetDialect.named(dialect)?.keyPlace == .bearer else {
            return [".authorization: \(dialect) leaves no choice"]
        }
        if let name = Authorization.planned[authorization] {
            return [".authorization: \(authorization) (\(name)) is not supported yet; \(dialect) takes bearer"]
        }
        return Configuration.choiceFaults(authorization, among: Authorization.configurable, ".authorization")
    }

    /// Why a base URL cannot be used.
    ///
    /// It is never quoted: somebody may have put a key into it.
    private static func fault(inURL url: String) -> String? {
        let lowercased = url.lowercased()
        guard let scheme = ["http://", "https://"].first(where: lowercased.hasPrefix) else {
            return "must start with http:// or https://"
        }
        let rest = url.dropFirst(scheme.count)
        if rest.isEmpty || rest.hasPrefix("/") { return "must name a host" }
        if rest.contains("@") { return "must not hold a user or a password" }
        if rest.contains("?") || rest.contains("#") { return "must not have a query or a fragment" }
        let isPlain = url.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        return isPlain ? nil : "must not hold spaces or characters that are not ASCII"
    }
}
