import Foundation

/// A temporary folder for the files of a suite's servers, deleted with this object.
final class BenchFolder {
    let path: String

    /// Creates a folder that holds the document.
    init(document: [UInt8]) throws {
        path = NSTemporaryDirectory() + "weir-bench-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try Data(document).write(to: URL(fileURLWithPath: path + "/document.json"))
        // A server that starts as root reads the files as another user.
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    }

    /// Creates a folder whose document is an array of numbers, so that no compression or cache of a peer can help it.
    convenience init(numbersOf bytes: Int) throws {
        var generator = SplitMix64(seed: 1)
        var text = "[0"
        while text.utf8.count < bytes { text += ",\(generator.next() % 1_000_000)" }
        try self.init(document: Array((text + "]").utf8))
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file and returns its path.
    func write(_ text: String, as name: String) throws -> String {
        let file = path + "/" + name
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        return file
    }

    /// Writes a copy of the peer file `name` with the words in braces replaced, and returns its path.
    func fill(_ name: String, _ words: [String: String]) throws -> String {
        var text = try String(contentsOfFile: Peers.folder + "/" + name, encoding: .utf8)
        for (word, value) in words.merging(["folder": path], uniquingKeysWith: { $1 }) {
            text = text.replacingOccurrences(of: "{\(word)}", with: value)
        }
        return try write(text, as: name)
    }
}
