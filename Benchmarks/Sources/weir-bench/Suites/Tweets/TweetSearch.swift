import Foundation
import JSONText
import Records

/// A search and the upstream's answer to it.
struct TweetSearch {
    let name: String
    let answer: [UInt8]
    let isGzip: Bool
    let isExplained: Bool

    /// Returns a search for the whole document and for parts of it, each plain and in gzip, with and without `explain`.
    static func all(_ document: Document) throws -> [TweetSearch] {
        let parts = try [31, 63, 127, 255].map { ("\($0)KB", try shortened(document.bytes, to: $0 << 10)) }
        return try ([("whole", document.bytes)] + parts).flatMap { size, bytes in
            let coded = [("", bytes, false), ("-gzip", try gzip(bytes), true)]
            return coded.flatMap { coding, bytes, isGzip in
                [("", false), ("-explained", true)].map { ending, isExplained in
                    TweetSearch(
                        name: size + coding + ending, answer: bytes, isGzip: isGzip, isExplained: isExplained)
                }
            }
        }
    }

    /// Returns the document, compact, with as many tweets as fit into `limit` bytes.
    private static func shortened(_ document: [UInt8], to limit: Int) throws -> [UInt8] {
        var parser = JSONParser()
        return try parser.withDocument(document) { root in
            var text = Array(#"{"statuses":["#.utf8)
            for (index, status) in (root["statuses"]?.elements ?? root.elements).enumerated() {
                let tweet = JSONWriter.bytes(expecting: 8192) { JSONValue(status).write(to: &$0) }
                if text.count + tweet.count + 3 > limit { break }
                if index > 0 { text.append(UInt8(ascii: ",")) }
                text += tweet
            }
            return text + Array("]}".utf8)
        }
    }

    private static func gzip(_ bytes: [UInt8]) throws -> [UInt8] {
        let folder = try BenchFolder(document: bytes)
        let process = Process(), output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["gzip", "-c", folder.path + "/document.json"]
        process.standardOutput = output
        try process.run()
        let packed = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Array(packed)
    }
}
