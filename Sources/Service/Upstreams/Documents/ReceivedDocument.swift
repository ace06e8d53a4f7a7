import EventLoop
import JSONText
import Records

/// An upstream's document as a value of an answer.
enum ReceivedDocument {
    /// Returns a document that an upstream sent as JSON, without blocking the event loop for a large one.
    static func json(_ bytes: [UInt8]) async -> [UInt8] {
        bytes.count < Upstream.largeDocument ? read(bytes) : await WorkPool.run { read(bytes) }
    }

    /// Returns the bytes themselves if they are JSON (RFC 8259), and otherwise the values that reading finds in them.
    private static func read(_ bytes: [UInt8]) -> [UInt8] {
        func options(_ leniency: JSONLeniency) -> JSONOptions {
            JSONOptions(maximumBytes: .max, maximumDepth: JSONOptions.greatestDepth, leniency: leniency)
        }
        var strict = JSONParser(options: options([]))
        if (try? strict.withDocument(bytes) { _ in true }) == true { return bytes }
        var lenient = JSONParser(options: options(.upstream))
        let value = try? lenient.withDocument(bytes) { JSONValue($0) }
        return JSONWriter.bytes(expecting: bytes.count) { (value ?? .null).write(to: &$0) }
    }
}
