import Foundation

/// The folders that tests read.
enum TestFiles {
    private static let checkout = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
        url.deletingLastPathComponent()
    }

    static let fixtures = checkout.appendingPathComponent("Tests/Fixtures")

    /// The recorded answers: in `shared` beside the repository, or in the folder that `WEIR_CORPUS` names.
    static let corpus =
        (ProcessInfo.processInfo.environment["WEIR_CORPUS"].map { URL(fileURLWithPath: $0) }
        ?? checkout.deletingLastPathComponent().appendingPathComponent("shared"))
        .appendingPathComponent("corpus")

    /// Returns the recorded files of a folder, sorted by name; none, after printing a line, if there is no such folder.
    static func recorded(in folder: String) -> [(name: String, bytes: [UInt8])] {
        let url = corpus.appendingPathComponent(folder)
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: url.path) else {
            print("recorded answers are not tested: there is no folder \(url.path)")
            return []
        }
        return names.sorted().compactMap { name in
            FileManager.default.contents(atPath: url.appendingPathComponent(name).path).map { (name, Array($0)) }
        }
    }
}
