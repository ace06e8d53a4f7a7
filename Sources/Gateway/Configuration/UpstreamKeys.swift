import Contracts
import EventLoop
import Glibc
import HTTPCore

/// The outcome of reading an upstream's key.
enum KeyReading: Sendable {
    /// The upstream is asked without a key.
    case none
    case key(Secret)
    /// The key is optional and does not exist, so the upstream is left out.
    case missing(reason: String)

    var secret: Secret? {
        if case .key(let secret) = self { secret } else { nil }
    }

    var missingReason: String? {
        if case .missing(let reason) = self { reason } else { nil }
    }
}

extension Configuration {
    /// Checks that every key exists where the configuration says.
    /// - Returns: a sentence for each upstream that is left out because its optional key does not exist.
    /// - Throws: `ConfigurationError`.
    public func checkKeys(in file: ConfigurationFile) throws(ConfigurationError) -> [String] {
        zip(upstreams, try readKeys(in: file)).compactMap { upstream, key in
            key.missingReason.map { "the upstream \(upstream.name) is left out: \($0)" }
        }
    }

    /// Returns the keys of the upstreams, in their order.
    /// - Throws: `ConfigurationError` naming each required key that does not exist or cannot be used, and the weather
    ///   route if it is left without upstreams.
    func readKeys(in file: ConfigurationFile) throws(ConfigurationError) -> [KeyReading] {
        var faults = ConfigurationFaults()
        let keys = upstreams.enumerated().map { index, upstream -> KeyReading in
            do throws(KeyFault) {
                return try upstream.readKey()
            } catch {
                faults.note("upstreams[\(index)].key", error.detail)
                return .none
            }
        }
        let missing = zip(upstreams, keys).filter { $0.1.missingReason != nil }.map(\.0.name)
        if weather.upstreams.allSatisfy(missing.contains) {
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
        if sample == nil, keyPlace != Dialect.KeyPlace.none {
            throw KeyFault(detail: "is missing: \(dialect) needs one, such as {\"environment\": \"NAME\"}")
        }
        return .none
    }
}

extension KeyConfiguration {
    private static let maximumBytes = 4096

    fileprivate func read() throws(KeyFault) -> KeyReading {
        if let environment {
            let source = "the environment variable \(environment)"
            guard let value = getenv(environment), value.pointee != 0 else {
                return try missing("\(source) is not set")
            }
            return .key(try Self.secret(String(cString: value), from: source))
        }
        let path = file ?? ""
        let bytes: [UInt8]
        do {
            bytes = try FileContents.read(path: path, limit: Self.maximumBytes)
        } catch let error as SystemError where error.code == ENOENT {
            return try missing("\(error)")
        } catch {
            throw KeyFault(detail: "does not exist: \(error)")
        }
        let line = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).first
        return .key(try Self.secret(String(line ?? ""), from: "the file \(path)"))
    }

    private func missing(_ reason: String) throws(KeyFault) -> KeyReading {
        guard optional else { throw KeyFault(detail: "does not exist: \(reason)") }
        return .missing(reason: reason)
    }

    // A key goes into a path or a header field, so it must be one word of visible ASCII.
    private static func secret(_ text: String, from source: String) throws(KeyFault) -> Secret {
        guard !text.isEmpty, text.utf8.count <= maximumBytes, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw KeyFault(detail: "cannot be used: \(source) does not hold one word of visible ASCII") }
        return Secret(text)
    }
}
