import Foundation
import JSONText
import LenientCoding

/// The recorded answers that lie beside the repository; see README.md there.
enum RecordedForecasts {
    /// A recorded file; without a value it is no JSON.
    struct Document: Sendable {
        let name: String
        let bytes: [UInt8]
        let value: JSONValue?

        /// Whether it is a whole forecast: an object with a place and its time zone.
        var isWhole: Bool { ["latitude", "longitude", "timezone"].allSatisfy { value?[$0] != nil } }
    }

    private static var corpus: URL {
        let shared =
            ProcessInfo.processInfo.environment["WEIR_CORPUS"].map { URL(fileURLWithPath: $0) }
            ?? URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("shared")
        return shared.appendingPathComponent("corpus")
    }

    /// All of Dark Sky's and Pirate Weather's, in the order of their names; none, and a line about it, without the folder.
    static let all: [Document] = ["broken", "darksky", "docs-examples"].flatMap { folder in
        let url = corpus.appendingPathComponent(folder)
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: url.path) else {
            print("recorded forecasts: skipped, there is no folder \(url.path)")
            return [Document]()
        }
        return names.sorted().compactMap { name in
            guard let data = FileManager.default.contents(atPath: url.appendingPathComponent(name).path) else {
                return nil
            }
            return Document(name: "\(folder)/\(name)", bytes: Array(data), value: JSONValue(parsing: Array(data)))
        }
    }

    /// The whole ones.
    static var whole: [Document] { all.filter(\.isWhole) }
}

extension JSONValue {
    /// The value that `bytes` spell; nil when they are no JSON.
    init?(parsing bytes: [UInt8]) {
        var parser = JSONParser()
        guard let value = try? parser.withDocument(bytes, { JSONValue($0) }) else { return nil }
        self = value
    }

    /// The value as compact JSON.
    var bytes: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
    }
}
