import Contracts
import EventLoop
import Glibc
import HTTPCore

/// The outcome of reading an upstream's key.
enum KeyReading: Sendable {
    /// The key; nil if the upstream needs none.
    case key(Secret?)
    /// The key is optional and does not exist, so the upstream is omitted.
    case missing(reason: String)
}

extension Configuration {
    /// Checks that every key exists.
    /// - Returns: A sentence for each upstream that is omitted because its optional key does not exist.
    public func checkKeys(in file: ConfigurationFile) throws(ConfigurationError) -> [String] {
        zip(upstreams, try readKeys(in: file)).compactMap { upstream, key in
            guard case .missing(let reason) = key else { return nil }
            return "the upstream \(upstream.name) is left out: \(reason)"
        }
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
        return .key(Secret(text))
    }

    private func missing(_ reason: String) throws -> KeyReading {
        if optional { return .missing(reason: reason) }
        throw KeyFault(description: "does not exist: \(reason)")
    }
}
