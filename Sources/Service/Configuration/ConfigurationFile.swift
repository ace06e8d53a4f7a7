import EventLoop
import JSONText
package import Records

/// A file of settings: JSON with comments.
public struct ConfigurationFile: Sendable {
    /// The files that `weir` looks for if none is named; it reads the first that exists.
    public static let defaultPaths = ["Config/weir.json", "/etc/weir/weir.json"]

    private static let maximumBytes = 1 << 20
    private static let maximumMessages = 32
    private static let options = JSONOptions(maximumDepth: 64, allowsComments: true)

    /// The path of the file, for messages and to resolve relative paths in it.
    public let path: String
    private let bytes: [UInt8]

    /// Reads the file at `path`; with `waits`, it may also be a pipe, whose end is waited for.
    /// - Throws: `SystemError` if it cannot be read, `ConfigurationError` if it is no file, or larger than 1 MiB.
    public init(path: String, waits: Bool = false) throws {
        let read = waits ? FileContents.readStream : FileContents.read
        do {
            self.init(path: path, bytes: try read(path, Self.maximumBytes))
        } catch let error where error is FileContents.TooLarge || error is FileContents.NotAFile {
            throw ConfigurationError(description: "\(path): \(error)")
        }
    }

    /// A file with the content `bytes`.
    public init(path: String, bytes: [UInt8]) { (self.path, self.bytes) = (path, bytes) }

    /// Returns the path of a file or folder that is named in this file.
    package func resolve(_ name: String) -> String {
        guard !name.hasPrefix("/"), let slash = path.lastIndex(of: "/") else { return name }
        return path[...slash] + name
    }

    /// Reads the settings strictly: nothing is converted, and unknown and duplicate keys are errors.
    ///
    /// `settle` sets the defaults that depend on other settings.
    /// - Throws: `ConfigurationError` with every fault, its line and its column.
    package func read<Settings: Record>(
        _ type: Settings.Type, settle: (inout Settings, _ given: JSONValue) -> Void = { _, _ in }
    ) throws(ConfigurationError) -> Settings {
        var parser = JSONParser(options: Self.options)
        do {
            return try parser.withDocument(bytes) { root in
                var settings = try Settings.readStrictly(root)
                settle(&settings, JSONValue(root))
                return settings
            }
        } catch let error as ContractError {
            let faults = ConfigurationFaults()
            for failure in error.failures {
                // An empty key has the path of the document.
                let isEmptyKey = failure.path.isEmpty && !failure.keys.isEmpty
                faults.note(failure.path, isEmptyKey ? "has the key \"\", which \(failure.detail)" : failure.detail)
            }
            faults.others = error.others
            throw self.error(faults)
        } catch {
            throw ConfigurationError(description: "\(path): \(error)".withoutControls)
        }
    }

    /// Returns an error with the line and column of each fault, in their order.
    package func error(_ faults: ConfigurationFaults) -> ConfigurationError {
        let located = faults.list.prefix(Self.maximumMessages).compactMap { fault in
            location(of: fault.path).map { (location: $0, fault: fault) }
        }
        var lines = located.sorted { $0.location < $1.location }.map { location, fault in
            "\(path): \(location): \(fault.path.isEmpty ? "the document" : fault.path) \(fault.detail)".withoutControls
        }
        let others = faults.list.count + faults.others - lines.count
        if others > 0 { lines.append("\(path): \(others) more errors") }
        return ConfigurationError(description: lines.joined(separator: "\n"))
    }
}

extension ConfigurationFile {
    /// Returns the place of a value, or of the nearest one around a place that is no path.
    private func location(of path: String) -> JSONLocation? {
        if let location = JSONLocation(of: path, in: bytes, options: Self.options) { return location }
        guard let end = path.lastIndex(where: { $0 == "." || $0 == "[" }) else {
            return JSONLocation(of: "", in: bytes, options: Self.options)
        }
        return location(of: String(path[..<end]))
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
    /// A line for each fault: `weir.json: line 4, column 9: upstreams[0].name must be a string`.
    public let description: String

    package init(description: String) { self.description = description }
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
