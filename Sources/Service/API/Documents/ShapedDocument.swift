package import JSONText
public import Records

/// The parts of an answer beside the document.
package enum Explanation: Sendable {
    /// No other part: the answer is the document.
    case none
    /// The repairs and the source.
    case repairs
    /// The repairs, the source and the document of the upstream.
    case upstream
}

/// An upstream's document in the form that clients get, with the report of its repairs.
public struct ShapedDocument: Sendable {
    /// Compact JSON with camelCase keys in the order of the contract's tables; empty if the upstream has nothing.
    public let body: [UInt8]
    /// What was repaired.
    public private(set) var drift: DriftReport
    /// The `maxId` of the request for the next page of a list of tweets; nil on the last page.
    public let nextMaxId: String?
    /// The header fields of the answer that come from the upstream's response.
    package let fields: [(name: String, value: String)]

    /// A document in its final form.
    package init(
        body: [UInt8], drift: DriftReport, nextMaxId: String? = nil, fields: [(name: String, value: String)] = []
    ) {
        (self.body, self.drift, self.nextMaxId, self.fields) = (body, drift, nextMaxId, fields)
    }

    /// Reads the text of an upstream's document; the repairs of the text join those that `read` reports.
    ///
    /// `read` makes the answer, and may find something else that is passed on.
    /// - Throws: `JSONSyntaxError` if `text` is not JSON, or if the time passes; otherwise what `read` throws.
    package static func read<Found>(
        _ text: [UInt8], _ options: JSONOptions,
        _ read: (JSONNode) throws -> (answer: ShapedDocument, found: Found)
    ) throws -> (answer: ShapedDocument, found: Found) {
        var parser = JSONParser(options: options.forUpstream)
        var result = try parser.withDocument(text) { root in
            let result = Result { try read(root) }
            // A reading that ran out of time fails without a fault of the document.
            try options.checkTime(for: text)
            return try result.get()
        }
        result.answer.drift.merge(DriftReport(parser.textRepairs))
        // The rules of a record report such numbers themselves, with their paths.
        result.answer.drift.merge(DriftReport(.defaulted, .sentinel, ofDocument: parser.textRepairs.nonFiniteNumbers))
        return result
    }

    /// Returns the document with a report of more repairs.
    package func adding(_ drift: DriftReport) -> ShapedDocument {
        var document = self
        document.drift.merge(drift)
        return document
    }

    /// Returns the document with its drift and its source, `{"data":…,"drift":[…],"source":{…}}`, and with the member
    /// `upstream` if there is JSON for that member.
    public func explained(source: DocumentSource, upstream: [UInt8]? = nil) -> [UInt8] {
        JSONWriter.bytes(expecting: body.count + (upstream?.count ?? 0) + 1024) { writer in
            writer.write(raw: #"{"data":"#)
            if body.isEmpty { writer.writeNull() } else { writer.write(raw: body) }
            writer.write(raw: #","drift":"#)
            drift.write(to: &writer)
            writer.write(raw: #","source":"#)
            source.write(to: &writer)
            if let upstream {
                writer.write(raw: #","upstream":"#)
                writer.write(raw: upstream)
            }
            writer.write(byte: UInt8(ascii: "}"))
        }
    }
}

/// The source of a document: the member `source` of an explained answer.
public struct DocumentSource: Record {
    /// The fields; see ``schema``.
    public var upstream: String?, dialect = "", failed: [String]?, parts: [String: PartSource]?
    public var fetchedAt: String?, digest: String?

    /// An empty source.
    public init() {}

    /// The source of a document.
    public init(upstream: String? = nil, dialect: String, failed: [String] = []) {
        self.upstream = upstream
        self.dialect = dialect
        self.failed = failed.isEmpty ? nil : failed
    }

    /// The table of fields.
    public static let schema = Schema<DocumentSource> {
        Field(\.upstream, .note("The name of the upstream; absent for a document from a file, or of parts."))
        Field(\.dialect, .note("The name of the upstream's dialect."))
        Field(\.failed, .note("The names of the upstreams that failed before this one answered."))
        Field(\.fetchedAt, .note("When the upstream sent the document, or confirmed the document of the cache."))
        Field(\.digest, .note("A checksum of the upstream's document, as in the access log and in `weir snapshot`."))
        Field(\.parts, .note("The sources of the parts of a configured answer, by name."))
    }
}

/// The source of a part of an answer.
public struct PartSource: Record {
    /// The fields; see ``schema``.
    public var upstream: String?, status: Int?, failed: [String]?, reason: String?, error: String?, failures: Int?
    public var fetchedAt: String?, digest: String?

    /// An empty source.
    public init() {}

    /// The table of fields.
    public static let schema = Schema<PartSource> {
        Field(\.upstream, .note("The name of the upstream that answered, or that failed."))
        Field(\.status, .note("The upstream's status, if the upstream answered."))
        Field(\.failed, .note("The names of the upstreams that failed before this one answered."))
        Field(\.fetchedAt, .note("When the upstream sent or confirmed the first document of the part."))
        Field(\.digest, .note("A checksum of this document."))
        Field(\.reason, .note("Why the part or the first of its pieces is null."))
        Field(\.error, .note("The upstream's message, if the part failed."))
        Field(
            \.failures, .note("The number of pieces that are null, of a part with a piece for each of several values."))
    }
}
