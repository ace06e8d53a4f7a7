import Foundation
import JSONText

/// The recorded answers of the corpus.
enum RecordedDocuments {
    private static var folder: URL {
        let shared =
            ProcessInfo.processInfo.environment["WEIR_CORPUS"].map { URL(fileURLWithPath: $0) }
            ?? URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("shared")
        return shared.appendingPathComponent("corpus")
    }

    /// All of them, in the order of their names; none, and a line about it, without the folder.
    static let all: [(name: String, bytes: [UInt8])] = {
        guard let names = try? FileManager.default.subpathsOfDirectory(atPath: folder.path) else {
            print("recorded documents: skipped, there is no folder \(folder.path)")
            return []
        }
        return names.sorted().compactMap { name in
            var isFolder = ObjCBool(false)
            let path = folder.appendingPathComponent(name).path
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue
            else { return nil }
            return FileManager.default.contents(atPath: path).map { (name, Array($0)) }
        }
    }()

    /// The arrays and objects in the recorded documents that are short enough to be damaged many times.
    static let fragments: [[UInt8]] = {
        var fragments = Set<[UInt8]>()
        for document in all {
            var parser = JSONParser()
            // A document that is not JSON has no fragments.
            try? parser.withDocument(document.bytes) { gather($0, &fragments) }
        }
        return fragments.sorted { $0.lexicographicallyPrecedes($1) }
    }()

    private static func gather(_ node: JSONNode, _ fragments: inout Set<[UInt8]>) {
        guard node.kind == .array || node.kind == .object else { return }
        if (12...200).contains(node.text.count) { fragments.insert(Array(node.text)) }
        guard node.text.count > 12 else { return }
        for element in node.elements { gather(element, &fragments) }
        for (_, value) in node.members { gather(value, &fragments) }
    }
}
