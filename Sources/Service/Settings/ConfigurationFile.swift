import HTTPCore
import JSONText
package import Records

/// A file of settings: JSON with comments.
public struct ConfigurationFile: Sendable {
    /// The files that `weir` looks for if none is named; it reads the first that exists.
    public static let defaultPaths = ["Config/weir.json", "/etc/weir/weir.json"]

    private static let maximumMessages = 32
    private static let options = JSONOptions(maximumDepth: 64, allowsComments: true)

    /// The path of the file, for messages and to resolve relative paths in it.
    public let path: String
    /// The settings of the command line, which have precedence.
    package let overrides: [SettingOverride]
    private let bytes: [UInt8]

    /// A file with the content `bytes`.
    public init(path: String, overrides: [SettingOverride] = [], bytes: [UInt8]) {
        (self.path, self.overrides, self.bytes) = (path, overrides, bytes)
    }

    /// Returns the path of a file or folder that is named in this file.
    package func resolve(_ name: String) -> String {
        guard !name.hasPrefix("/"), let slash = path.lastIndex(of: "/") else { return name }
        return path[...slash] + name
    }

    /// Reads the settings strictly: nothing is converted, and unknown and duplicate keys are errors.
    /// - Throws: `ConfigurationError` with every fault, its line and its column.
    package func read<Settings: Record>(_ type: Settings.Type) throws(ConfigurationError) -> Settings {
        switch try parse(bytes, { root in Result { () throws(ContractError) in try Settings.readStrictly(root) } }) {
        case .success(let settings): return settings
        case .failure(let failure): throw error(ConfigurationFaults(failure))
        }
    }

    /// Reads the settings of the service as `read` does, with the variables of the environment in texts and with the
    /// settings of the command line, and sets the defaults that depend on other settings.
    ///
    /// Retired settings are ignored. The sizes in memory that are not set follow `memoryLimit`, that of the container in bytes.
    package func readConfiguration(
        memoryLimit: Int?
    ) throws(ConfigurationError) -> (settings: Configuration, sources: SettingSources) {
        let original = try parse(bytes) { JSONValue($0) }
        var known = original
        let warnings = known.removeRetiredSettings()
        var resolution = SettingResolution(overrides)
        while true {
            var document = resolution.resolve(known)
            let others = document.removeRetiredSettings()
            if !resolution.faults.list.isEmpty { throw error(resolution.faults) }
            // The text of the file has what a value loses, such as lone surrogates.
            let text = document == original ? bytes : document.text
            let reading = try parse(text) { root in
                Result { () throws(ContractError) in try Configuration.readStrictly(root) }
            }
            switch reading {
            case .success(var settings):
                settings.settle(given: document, memoryLimit: memoryLimit)
                settings.retired = warnings + others
                return (settings, SettingSources(document, resolution))
            case .failure(let failure):
                let mistyped = failure.failures.filter { $0.reason == .mistyped }.map(\.path)
                if !resolution.switchValues(at: mistyped) { throw error(ConfigurationFaults(failure)) }
            }
        }
    }

    /// Returns the document with variables and settings of the command line in their places, without further checks.
    func resolvedDocument() throws(ConfigurationError) -> JSONValue {
        var resolution = SettingResolution(overrides)
        return resolution.resolve(try parse(bytes) { JSONValue($0) })
    }

    private func parse<Value>(
        _ bytes: [UInt8], _ body: (JSONNode) -> Value
    ) throws(ConfigurationError) -> Value {
        var parser = JSONParser(options: Self.options)
        do { return try parser.withDocument(bytes, body) } catch {
            throw ConfigurationError("\(path): \(error)".withoutControls)
        }
    }

    /// Returns an error with the place of each fault, those in the file in their order.
    package func error(_ faults: ConfigurationFaults) -> ConfigurationError {
        var located: [(location: JSONLocation, fault: ConfigurationError.Fault)] = []
        var others: [ConfigurationError.Fault] = []
        for (name, detail) in faults.list.prefix(Self.maximumMessages) {
            func fault(_ place: String) -> ConfigurationError.Fault {
                .init(place: place, setting: name.withoutControls, detail: detail.withoutControls)
            }
            if let override = overrides.last(where: { $0.covers(name) || $0.path.isSetting(name) && !isWritten(name) })
            {
                others.append(fault(override.option))
            } else if let location = location(of: name) {
                located.append((location, fault("\(location)")))
            }
        }
        let all = located.sorted { $0.location < $1.location }.map(\.fault) + others
        return ConfigurationError(all, in: path.withoutControls, others: faults.list.count + faults.others - all.count)
    }
}

extension ConfigurationFile {
    /// Returns the place of a value, or of the nearest one around a place that is no path.
    private func location(of path: String) -> JSONLocation? {
        JSONLocation(of: path, in: bytes, options: Self.options) ?? parent(of: path).flatMap(location)
    }

    /// Whether the file has the setting at `path`.
    private func isWritten(_ path: String) -> Bool { location(of: path) != parent(of: path).flatMap(location) }

    private func parent(of path: String) -> String? {
        if path.isEmpty { return nil }
        return path.lastIndex { $0 == "." || $0 == "[" }.map { String(path[..<$0]) } ?? ""
    }
}

extension ConfigurationFile {
    /// The address that commands ask, a URL without a path or `unix:PATH`: that for operators, or else the first of `listen`.
    ///
    /// Other faults of the file do not matter, because a service that has refused it goes on with the former one.
    /// - Returns: Nil if the port is known to the service alone, or the socket is another process's.
    /// - Throws: `ConfigurationError` if the file is not JSON.
    public func operatorsURL() throws(ConfigurationError) -> String? {
        let document = try resolvedDocument()
        let server = document[\Configuration.server]
        let operations = server?[\ServerConfiguration.operationsListen]?.stringValue
        let listen = document[\Configuration.listen]
        let text = operations ?? listen?.stringValue ?? listen?[0]?.stringValue ?? Configuration().listen.texts[0]
        let hasTLS = operations == nil && server?[\ServerConfiguration.tls]?.members != nil
        switch SocketAddress(text) {
        case .network(_, port: 0), .inherited, nil: return nil
        case .unix: return text
        case .network(let host, let port):
            // A socket at every address is reached at the loopback.
            let reached = ["0.0.0.0": "127.0.0.1", "::": "::1"][host] ?? host
            return "\(hasTLS ? "https" : "http")://\(SocketAddress.network(host: reached, port: port))"
        }
    }
}

extension ConfigurationFaults {
    /// The failures of a reading.
    fileprivate convenience init(_ error: ContractError) {
        self.init()
        for failure in error.failures {
            // An empty key has the path of the document.
            let isEmptyKey = failure.path.isEmpty && !failure.keys.isEmpty
            note(failure.path, isEmptyKey ? "has the key \"\", which \(failure.detail)" : failure.detail)
        }
        others = error.others
    }
}

extension ContractError.Failure {
    /// The failure as a sentence without its subject, the setting.
    fileprivate var detail: String {
        switch reason {
        case .missing, .null: "is missing: it takes \(expected)"
        case .duplicate: "appears more than once; keep one of them"
        case .unknownKey where expected.hasPrefix("\""): "is not a setting; did you mean \(expected)?"
        case .unknownKey: "is not a setting; the settings here are \(expected.dropFirst("one of ".count))"
        default: "must be \(expected)"
        }
    }
}

/// A configuration that cannot be used.
public struct ConfigurationError: Error, Sendable, CustomStringConvertible {
    /// A fault of a setting.
    package struct Fault: Sendable {
        /// The line and the column, or the option of the command line.
        package let place: String
        /// The path of the setting; empty for the document.
        package let setting: String
        /// A sentence without its subject, the setting.
        package let detail: String
    }

    /// The faults of settings; none if the file is not JSON or cannot be read.
    package let faults: [Fault]
    /// A line for each fault: `weir.json: line 4, column 9: upstreams[0].name must be a string`.
    public let description: String

    package init(_ description: String) { (faults, self.description) = ([], description) }

    /// An error of the file at `path`, with a number of further faults.
    init(_ faults: [Fault], in path: String, others: Int) {
        var lines = faults.map { fault in
            "\(path): \(fault.place): \(fault.setting.isEmpty ? "the document" : fault.setting) \(fault.detail)"
        }
        if others > 0 { lines.append("\(path): \(others) more errors") }
        (self.faults, description) = (faults, lines.joined(separator: "\n"))
    }
}

extension String {
    /// The text on one line, with escapes such as `\u{1B}` in place of control characters, which a terminal would obey.
    package var withoutControls: String {
        unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: text += scalar.escaped(asASCII: true)
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}

/// Returns a fault if `path` is set and cannot be the path of a file: the system would read it up to a NUL.
package func pathFault(_ path: String?) -> String? {
    guard let path, path.isEmpty || path.utf8.contains(0) else { return nil }
    return "must be a path, without NUL"
}
