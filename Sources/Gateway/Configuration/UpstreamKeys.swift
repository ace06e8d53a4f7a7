import Contracts
import EventLoop
import Glibc
import HTTPCore

/// The outcome of reading an upstream's key.
enum KeyReading: Sendable {
    /// The key; nil if the upstream is asked without one.
    case key(Secret?)
    /// The key is optional and does not exist, so the upstream is left out.
    case missing(reason: String)
}

extension Configuration {
    /// Checks that every key exists where the configuration says.
    /// - Returns: a sentence for each upstream that is left out because its optional key does not exist.
    /// - Throws: `ConfigurationError`.
    public func checkKeys(in file: ConfigurationFile) throws(ConfigurationError) -> [String] {
        zip(upstreams, try readKeys(in: file)).compactMap { upstream, key in
            guard case .missing(let reason) = key else { return nil }
            return "the upstream \(upstream.name) is left out: \(reason)"
        }
    }

    /// Returns the keys of the upstreams, in their order.
    /// - Throws: `ConfigurationError` naming each required key that does not exist or cannot be used, and the weather
    ///   route if it is left without upstreams.
    func readKeys(in file: ConfigurationFile) throws(ConfigurationError) -> [KeyReading] {
        var faults = ConfigurationFaults()
        var missing: Set<String> = []
        let keys = upstreams.enumerated().map { index, upstream -> KeyReading in
            do throws(KeyFault) {
                let key = try upstream.readKey()
                if case .missing = key { missing.insert(upstream.name) }
                return key
            } catch {
                faults.note("upstreams[\(index)].key", error.detail)
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

/// Why a key cannot be used; never holds the key.
private struct KeyFault: Error {
    let detail: String
}

extension UpstreamConfiguration {
    fileprivate func readKey() throws(KeyFault) -> KeyReading {
        if let key { return try key.read() }
        let keyPlace = Dialect.named(dialect)?.keyPlace ?? TweetDialect.named(dialect)?.keyPlace
        if sample == nil, keyPlace != KeyLocation.none {
            throw KeyFault(detail: "is missing: \(dialect) needs one, such as {\"environment\": \"NAME\"}")
        }
        return .key(nil)
    }
}

extension KeyConfiguration {
    private static let maximumBytes = 4096

    fileprivate func read() throws(KeyFault) -> KeyReading {
        if let environment {
            let source = "the environment variable \(environment)"
            let value = getenv(environment).map { String(cString: $0) } ?? ""
            return value.isEmpty ? try missing("\(source) is not set") : try Self.key(value, from: source)
        }
        let path = file ?? ""
        do {
            let text = String(decoding: try FileContents.read(path: path, limit: Self.maximumBytes), as: UTF8.self)
            return try Self.key(String(text.split(whereSeparator: \.isNewline).first ?? ""), from: "the file \(path)")
        } catch let error as KeyFault {
            throw error
        } catch let error as SystemError where error.code == ENOENT {
            return try missing("\(error)")
        } catch {
            throw KeyFault(detail: "cannot be read: \(error)")
        }
    }

    private func missing(_ reason: String) throws(KeyFault) -> KeyReading {
        guard optional else { throw KeyFault(detail: "does not exist: \(reason)") }
        return .missing(reason: reason)
    }

    // A key goes into a path or a header field, so it must be one word of visible ASCII.
    private static func key(_ text: String, from source: String) throws(KeyFault) -> KeyReading {
        guard !text.isEmpty, text.utf8.count <= maximumBytes, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw KeyFault(detail: "cannot be used: \(source) does not hold one word of visible ASCII") }
        return .key(Secret(text))
    }
}
