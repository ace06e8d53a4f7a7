import Foundation

/// Access to the files of the working copy.
package enum Checkout {
    /// The folder that holds Package.swift.
    package static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    /// The folder of the Dark Sky sample upstream.
    package static let sample = "\(root)/Config/samples/darkSky"

    /// Returns the document of the Dark Sky sample, with the defects that real answers have.
    package static func forecast() throws -> [UInt8] { try read("\(sample)/forecast.json") }

    /// Returns the content of the file at `path`.
    package static func read(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    /// Returns the text of the file at `path`, which is relative to `root`.
    package static func text(_ path: String) throws -> String {
        String(decoding: try read("\(root)/\(path)"), as: UTF8.self)
    }

    /// Returns the names of the files and folders in `folder`, a path relative to `root`.
    package static func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(root)/\(folder)")
    }

    /// Returns the paths of the recorded documents in the corpus folder `folder`, sorted; empty without a corpus.
    ///
    /// The corpus is the folder `shared` beside the working copy, or the folder that `WEIR_CORPUS` names.
    package static func corpus(_ folder: String) -> [String] {
        files(in: "corpus/\(folder)").filter { $0.name.hasSuffix(".json") }.map(\.path)
    }

    /// Returns the files of the public conformance suite in `folder`, sorted by name; empty without a corpus.
    package static func suite(_ folder: String) -> [(name: String, path: String)] {
        files(in: "suites/\(folder)")
    }

    private static func files(in folder: String) -> [(name: String, path: String)] {
        let path = (ProcessInfo.processInfo.environment["WEIR_CORPUS"] ?? "\(root)/../shared") + "/" + folder
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.sorted().map { ($0, "\(path)/\($0)") }
    }
}
