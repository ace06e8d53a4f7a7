import Contracts
import EventLoop
import Glibc
import HTTPCore

/// What became of an upstream's key.
enum KeyReading: Sendable {
    /// It is asked for without one.
    case none
    /// It is here.
    case key(Secret)
    /// It is optional and not there, and why.
    case missing(String)
}

extension Configuration {
    private static let maximumKeyBytes = 4096

    /// The keys of the upstreams, in their order.
    /// - Throws: `ConfigurationError` naming each key that is not where the configuration says, or is not there at all
    ///   though the dialect needs one, and a route that is left without upstreams.
    func readKeys(file: String) throws -> [KeyReading] {
        var faults: [String] = []
        let keys = upstreams.enumerated().map { index, upstream -> KeyReading in
            do throws(KeyFault) {
                return try upstream.readKey()
            } catch {
                faults.append("upstreams[\(index)].key: \(error.detail)")
                return .none
            }
        }
        let missing = Set(zip(upstreams, keys).filter { $0.1.isMissing }.map(\.0.name))
        if missing.isSuperset(of: weather.upstreams) {
            faults.append("weather.upstreams: there is a key for none of them")
        }
        if !faults.isEmpty { throw ConfigurationError(file: file, faults: faults) }
        return keys
    }

    /// Checks that every key is where the configuration says.
    /// - Returns: a sentence for each upstream that is left out as its optional key is not there.
    /// - Throws: `ConfigurationError`.
    public func checkKeys(file: String) throws -> [String] {
        zip(upstreams, try readKeys(file: file)).compactMap { upstream, key in
            guard case .missing(let reason) = key else { return nil }
            return "the upstream \(upstream.name) is left out: \(reason)"
        }
    }

    fileprivate static func read(_ key: KeyConfiguration) throws(KeyFault) -> KeyReading {
        if let name = key.environment {
            guard let value = getenv(name).map({ String(cString: $0) }), !value.isEmpty else {
                return try missing(key, "the environment variable \(name) is not set")
            }
            return .key(try usable(value, "the environment variable \(name)"))
        }
        let path = key.file ?? ""
        do {
            let bytes = try FileContents.read(path: path, limit: maximumKeyBytes)
            let text = String(decoding: bytes, as: UTF8.self)
            let value = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
            return .key(try usable(value, "the file \(path)"))
        } catch let fault as KeyFault {
            throw fault
        } catch let error as SystemError where error.code == ENOENT {
            return try missing(key, "\(error)")
        } catch {
            throw KeyFault(detail: "\(error)")
        }
    }

    private static func missing(_ key: KeyConfiguration, _ reason: String) throws(KeyFault) -> KeyReading {
        guard key.optional else { throw KeyFault(detail: reason) }
        return .missing(reason)
    }

    /// A key goes into a path or a header: it is one word of visible ASCII.
    private static func usable(_ value: String, _ source: String) throws(KeyFault) -> Secret {
        guard !value.isEmpty, value.utf8.count <= maximumKeyBytes, value.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw KeyFault(detail: "\(source) does not hold a key: one word of visible ASCII") }
        return Secret(value)
    }
}

extension UpstreamConfiguration {
    fileprivate func readKey() throws(KeyFault) -> KeyReading {
        if let key { return try Configuration.read(key) }
        let keyPlace = Dialect.named(dialect)?.keyPlace ?? TweetDialect.named(dialect)?.keyPlace
        if sample == nil, keyPlace != Dialect.KeyPlace.none {
            throw KeyFault(detail: "is missing: \(dialect) asks for one; say {\"environment\": \"NAME\"}")
        }
        return .none
    }
}

extension KeyReading {
    fileprivate var isMissing: Bool {
        if case .missing = self { true } else { false }
    }
}

/// Why a key cannot be had; never holds the key.
private struct KeyFault: Error {
    let detail: String
}
