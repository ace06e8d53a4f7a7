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
    package static func corpus(_ folder: String) -> [String] {
        files(in: "corpus/\(folder)").filter { $0.name.hasSuffix(".json") }.map(\.path)
    }

    /// Returns the files of the public conformance suite in `folder`, sorted by name; empty without a corpus.
    package static func suite(_ folder: String) -> [(name: String, path: String)] {
        files(in: "suites/\(folder)")
    }

    /// Returns the content of the files in `folder`, such as `corpus/darksky`, and in its subfolders, sorted by name.
    ///
    /// Without the folder it prints a line and returns no files, so that the tests that need them are skipped.
    package static func sharedFiles(_ folder: String, ending: String = "") -> [(name: String, bytes: [UInt8])] {
        let path = "\(shared)/\(folder)"
        guard let names = try? FileManager.default.subpathsOfDirectory(atPath: path) else {
            print("\(folder): skipped, there is no folder \(path)")
            return []
        }
        return names.sorted().filter { $0.hasSuffix(ending) }.compactMap { name in
            (try? read("\(path)/\(name)")).map { (name, $0) }
        }
    }

    /// The folder `shared` beside the working copy, or the folder that `WEIR_CORPUS` names.
    private static let shared = ProcessInfo.processInfo.environment["WEIR_CORPUS"] ?? "\(root)/../shared"

    private static func files(in folder: String) -> [(name: String, path: String)] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(shared)/\(folder)")) ?? []
        return names.sorted().map { ($0, "\(shared)/\(folder)/\($0)") }
    }
}
