import Contracts
import EventLoop
import Glibc
import HTTPCore

extension Configuration {
    private static let maximumKeyBytes = 4096

    /// The keys of the upstreams, in their order.
    /// - Throws: `ConfigurationError` naming each key that is not where the configuration says, or is not there at all
    ///   though the dialect needs one.
    func readKeys(file: String) throws -> [Secret?] {
        var faults: [String] = []
        let keys = upstreams.enumerated().map { index, upstream -> Secret? in
            do throws(KeyFault) {
                return try upstream.readKey()
            } catch {
                faults.append("upstreams[\(index)].key: \(error.detail)")
                return nil
            }
        }
        if !faults.isEmpty { throw ConfigurationError(file: file, faults: faults) }
        return keys
    }

    /// Checks that every key is where the configuration says.
    /// - Throws: `ConfigurationError`.
    public func checkKeys(file: String) throws { _ = try readKeys(file: file) }

    fileprivate static func read(_ key: KeyConfiguration) throws(KeyFault) -> Secret {
        if let name = key.environment {
            guard let value = getenv(name).map({ String(cString: $0) }), !value.isEmpty else {
                throw KeyFault(detail: "the environment variable \(name) is not set")
            }
            return try usable(value, "the environment variable \(name)")
        }
        let path = key.file ?? ""
        do {
            let bytes = try FileContents.read(path: path, limit: maximumKeyBytes)
            let text = String(decoding: bytes, as: UTF8.self)
            let value = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
            return try usable(value, "the file \(path)")
        } catch let fault as KeyFault {
            throw fault
        } catch {
            throw KeyFault(detail: "\(error)")
        }
    }

    /// A key goes into a path or a header: it is one word of visible ASCII.
    private static func usable(_ value: String, _ source: String) throws(KeyFault) -> Secret {
        guard !value.isEmpty, value.utf8.count <= maximumKeyBytes, value.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw KeyFault(detail: "\(source) does not hold a key: one word of visible ASCII") }
        return Secret(value)
    }
}

extension UpstreamConfiguration {
    fileprivate func readKey() throws(KeyFault) -> Secret? {
        if let key { return try Configuration.read(key) }
        if sample == nil, Dialect.named(dialect)?.needsKey == true {
            throw KeyFault(detail: "is missing: \(dialect) asks for one; say {\"environment\": \"NAME\"}")
        }
        return nil
    }
}

/// Why a key cannot be had; never holds the key.
private struct KeyFault: Error {
    let detail: String
}
