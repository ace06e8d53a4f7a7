import Foundation

/// A new temporary folder.
package struct TemporaryFolder: Sendable {
    package let path: String

    package init() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("weir-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    /// Returns the path of the file named `name` in the folder.
    package func path(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file, creating its folder if necessary, and returns its path.
    @discardableResult
    package func write(_ bytes: some Collection<UInt8>, to name: String) throws -> String {
        let url = URL(fileURLWithPath: path(name))
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
        return url.path
    }

    /// Writes a file, creating its folder if necessary, and returns its path.
    @discardableResult
    package func write(_ text: String, to name: String) throws -> String { try write(text.utf8, to: name) }

    /// Deletes the folder and its content.
    package func remove() { try? FileManager.default.removeItem(atPath: path) }
}
