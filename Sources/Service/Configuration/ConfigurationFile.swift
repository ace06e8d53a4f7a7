import EventLoop
import JSONText
import LenientCoding

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
        } catch let error as FileContents.TooLarge {
            throw ConfigurationError(description: "\(path): \(error)")
        } catch let error as FileContents.NotAFile {
            throw ConfigurationError(description: "\(path): \(error)")
        }
    }

    /// A file with the content `bytes`.
    public init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }

    /// Returns the path of a file or folder that is named in this file.
    package func resolve(_ name: String) -> String {
        guard !name.hasPrefix("/"), let slash = path.lastIndex(of: "/") else { return name }
        return path[...slash] + name
    }

    /// Decodes settings strictly: nothing is converted, and unknown and duplicate keys are errors.
    package func decode<Settings: Decodable>(_ type: Settings.Type) throws(ConfigurationError) -> Settings {
        var decoder = LenientDecoder()
        decoder.jsonOptions = Self.options
        var drift = DriftReport()
        var faults = ConfigurationFaults()
        var settings: Settings?
        do {
            settings = try decoder.decode(type, from: bytes, drift: &drift)
        } catch let error as ConfigurationFaults {
            faults = error
        } catch DecodingError.dataCorrupted(let context) {
            let reason = context.underlyingError.map { "\($0)" } ?? context.debugDescription
            throw ConfigurationError(description: "\(path): \(reason)".withoutControls)
        } catch {
            faults.note("", "must be an object")
        }
        for entry in drift.entries where entry.kind == .duplicateKey {
            faults.note(entry.example, "appears more than once; keep one of them")
        }
        guard let settings, faults.list.isEmpty else { throw error(faults) }
        return settings
    }

    /// Returns an error with the line and column of each fault, in their order.
    package func error(_ faults: ConfigurationFaults) -> ConfigurationError {
        let located = faults.list.prefix(Self.maximumMessages).compactMap { fault in
            JSONLocation(of: fault.path, in: bytes, options: Self.options).map { (location: $0, fault: fault) }
        }
        var lines = located.sorted { $0.location < $1.location }.map { location, fault in
            "\(path): \(location): \(fault.path.isEmpty ? "the document" : fault.path) \(fault.detail)".withoutControls
        }
        let others = faults.list.count - lines.count
        if others > 0 { lines.append("\(path): \(others) more errors") }
        return ConfigurationError(description: lines.joined(separator: "\n"))
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
