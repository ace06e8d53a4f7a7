import Contracts
import EventLoop
import Glibc
import HTTPCore
import LenientCoding

/// The outcome of reading an upstream's key.
enum KeyReading: Sendable {
    /// The key; nil if the upstream needs none.
    case key(Secret?)
    /// The key is optional and does not exist, so the upstream is omitted.
    case missing(reason: String)
}

extension Configuration {
    /// Checks that every key exists.
    /// - Returns: A sentence for each upstream that is omitted because its optional key does not exist, and for each key
    ///   that is too short to be recognized in documents.
    public func checkKeys(in file: ConfigurationFile) throws(ConfigurationError) -> [String] {
        zip(upstreams, try readKeys(in: file)).compactMap { upstream, key in
            switch key {
            case .missing(let reason): "the upstream \(upstream.name) is left out: \(reason)"
            case .key(let key?) where KeyScrubber.isShort(key):
                "the key of the upstream \(upstream.name) has fewer than \(KeyScrubber.shortestKey) characters, so it is "
                    + "not removed from documents that repeat it"
            case .key: nil
            }
        }
    }

    /// Returns the settings with their defaults as JSON, without keys: neither those that the settings name nor parts of
    /// a base URL's path that may be one.
    public func printed(in file: ConfigurationFile) throws -> [UInt8] {
        var configuration = self
        for index in upstreams.indices {
            let url = upstreams[index].baseURL
            configuration.upstreams[index].baseURL = url.map { (try? BaseURL($0))?.withoutSecrets ?? "***" }
        }
        var bytes = try CompactEncoder().encode(configuration)
        let keys = try readKeys(in: file).compactMap { if case .key(let key) = $0 { key } else { nil } }
        _ = KeyScrubber(keys).scrub(&bytes)
        return bytes
    }

    /// Returns the keys of the upstreams, in their order.
    /// - Throws: `ConfigurationError` naming each required key that does not exist or cannot be used, and the weather
    ///   route if the keys of all its upstreams are missing.
    func readKeys(in file: ConfigurationFile) throws(ConfigurationError) -> [KeyReading] {
        var faults = ConfigurationFaults()
        var missing: Set<String> = []
        let keys = upstreams.enumerated().map { index, upstream -> KeyReading in
            do {
                let key = try upstream.readKey()
                if case .missing = key { missing.insert(upstream.name) }
                return key
            } catch {
                faults.note("upstreams[\(index)].key", "\(error)")
                return .key(nil)
            }
        }
        if missing.isSuperset(of: weather.upstreams) {
            faults.note("weather.upstreams", "names only upstreams whose keys do not exist")
        }
        if !faults.list.isEmpty { throw file.error(faults) }
        return keys
    }
}

/// Why a key cannot be used, without the key.
private struct KeyFault: Error, CustomStringConvertible {
    let description: String
}

extension UpstreamConfiguration {
    fileprivate func readKey() throws -> KeyReading {
        if let key { return try key.read() }
        let keyLocation = Dialect.named(dialect)?.keyLocation ?? TweetDialect.named(dialect)?.keyLocation
        if sample != nil || keyLocation == KeyLocation.none { return .key(nil) }
        throw KeyFault(description: "is missing: \(dialect) needs one, such as {\"environment\": \"NAME\"}")
    }
}

extension KeyConfiguration {
    private static let maximumBytes = 4096

    fileprivate func read() throws -> KeyReading {
        let text: String
        if let environment {
            text = getenv(environment).map { String(cString: $0) } ?? ""
            if text.isEmpty { return try missing("the environment variable \(environment) is not set") }
        } else {
            do {
                let bytes = try FileContents.read(path: file ?? "", limit: Self.maximumBytes)
                text = String(String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).first ?? "")
            } catch let error as SystemError where error.code == ENOENT {
                return try missing("\(error)")
            }
        }
        // A key goes into a path or a header field, so it must be one word of visible ASCII.
        guard !text.isEmpty, text.utf8.count <= Self.maximumBytes, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw KeyFault(description: "cannot be used: it is not one word of visible ASCII") }
        // As a segment of a path, it would remove another one.
        if text == "." || text == ".." { throw KeyFault(description: "cannot be used: it consists of dots") }
        return .key(Secret(text))
    }

    private func missing(_ reason: String) throws -> KeyReading {
        if optional { return .missing(reason: reason) }
        throw KeyFault(description: "does not exist: \(reason)")
    }
}
