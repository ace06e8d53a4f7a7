import Foundation

/// The files of the project that tests use.
package enum Checkout {
    /// The folder of Package.swift.
    package static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    /// The folder of the demo's sample upstream.
    package static let sample = "\(root)/Config/samples/darkSky"

    /// A full Dark Sky document with the usual untidiness.
    package static func forecast() throws -> [UInt8] { try read("\(sample)/forecast.json") }

    package static func read(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    /// The names of what is in a folder of the project.
    package static func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(root)/\(folder)")
    }

    /// The recorded documents in the corpus's `folder`, by name; empty where there is no corpus on this machine.
    package static func corpus(_ folder: String) -> [String] {
        let place = ProcessInfo.processInfo.environment["WEIR_CORPUS"] ?? "\(root)/../shared"
        let path = "\(place)/corpus/\(folder)"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { $0.hasSuffix(".json") }.sorted().map { "\(path)/\($0)" }
    }

    /// The files of the public conformance suite in `folder`, by name; empty where it is not on this machine.
    package static func suite(_ folder: String) -> [(name: String, path: String)] {
        let place = ProcessInfo.processInfo.environment["WEIR_CORPUS"] ?? "\(root)/../shared"
        let path = "\(place)/suites/\(folder)"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.sorted().map { ($0, "\(path)/\($0)") }
    }
}
