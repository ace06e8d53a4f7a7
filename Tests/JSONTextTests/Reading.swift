import Foundation
import JSONText

/// Parses `text` and returns the result of `body` for its root.
func reading<Result>(
    _ text: String, options: JSONOptions = JSONOptions(), _ body: (JSONNode) throws -> Result
) throws -> Result {
    var parser = JSONParser(options: options)
    return try parser.withDocument(Array(text.utf8), body)
}

/// Returns the error that the parser throws for `bytes`, or nil if it accepts them.
func refusal(of bytes: [UInt8], options: JSONOptions = JSONOptions()) -> JSONSyntaxError? {
    var parser = JSONParser(options: options)
    do {
        try parser.withDocument(bytes) { _ in }
        return nil
    } catch {
        return error as? JSONSyntaxError
    }
}

/// Returns the error that the parser throws for `text`, or nil if it accepts it.
func refusal(of text: String, options: JSONOptions = JSONOptions()) -> JSONSyntaxError? {
    refusal(of: Array(text.utf8), options: options)
}

/// Returns the text that `body` writes.
func written(_ body: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    body(&writer)
    return String(decoding: writer.bytes, as: UTF8.self)
}

/// A conformance suite where it lies beside the repository; see suites/README.md there.
struct ConformanceSuite {
    let name: String

    var folder: URL {
        let shared =
            ProcessInfo.processInfo.environment["WEIR_CORPUS"].map { URL(fileURLWithPath: $0) }
            ?? URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("shared")
        return shared.appendingPathComponent("suites").appendingPathComponent(name)
    }

    /// The files with the given ending, in the order of their names; none, and a line about it, without the suite.
    func files(_ ending: String) throws -> [(name: String, bytes: [UInt8])] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else {
            print("\(name): skipped, there is no folder \(folder.path)")
            return []
        }
        return try names.sorted().filter { $0.hasSuffix(ending) }.map {
            ($0, Array(try Data(contentsOf: folder.appendingPathComponent($0))))
        }
    }
}
