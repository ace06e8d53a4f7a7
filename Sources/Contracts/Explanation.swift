import JSONText
import LenientCoding

/// Where a document comes from, as `explain` tells it.
public struct DocumentSource: Sendable {
    /// The name of the upstream; nil where the document was read from a file.
    public var upstream: String?
    /// The name of its dialect.
    public var dialect: String
    /// The names of the upstreams that were asked before it in vain.
    public var failed: [String] = []

    /// The source of a document in a dialect.
    public init(upstream: String? = nil, dialect: String, failed: [String] = []) {
        self.upstream = upstream
        self.dialect = dialect
        self.failed = failed
    }
}

extension Normalized {
    /// The document with what had to be repaired: `{"data":…,"drift":[…],"source":{…}}`.
    public func explained(source: DocumentSource) -> [UInt8] {
        var writer = JSONWriter(capacity: body.count + 1024)
        writer.write(raw: "{\"data\":")
        body.withUnsafeBufferPointer { writer.write(raw: $0) }
        writer.write(raw: ",\"drift\":")
        drift.write(to: &writer)
        writer.write(raw: ",\"source\":{")
        if let upstream = source.upstream {
            writer.write(raw: "\"upstream\":")
            writer.write(upstream)
            writer.write(raw: ",")
        }
        writer.write(raw: "\"dialect\":")
        writer.write(source.dialect)
        for (index, name) in source.failed.enumerated() {
            writer.write(raw: index == 0 ? ",\"failed\":[" : ",")
            writer.write(name)
        }
        if !source.failed.isEmpty { writer.write(raw: "]") }
        writer.write(raw: "}}")
        return writer.bytes
    }
}
