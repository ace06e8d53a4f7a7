import API
import JSONText
import Proxy
import Records

/// The parts of an answer, as one document: an object with a member for each.
struct PartAnswers: Sendable {
    let parts: [PartAnswer]

    /// Returns the bytes that the text of the object has at most.
    /// - Throws: A problem if these are more than `maximumBytes`.
    func size(maximumBytes: Int) throws(Problem) -> Int {
        let count = parts.reduce(2) { $0 + $1.size }
        if count <= maximumBytes { return count }
        throw Problem(.upstreamFailed, "The parts of the answer have more than \(maximumBytes) bytes together.")
    }

    /// Returns the text of the object, of `count` bytes at most.
    func text(_ count: Int) -> [UInt8] {
        JSONWriter.bytes(expecting: count) { writer in
            writer.write(byte: UInt8(ascii: "{"))
            for (index, part) in parts.enumerated() {
                if index > 0 { writer.write(byte: UInt8(ascii: ",")) }
                writer.write(part.name)
                writer.write(byte: UInt8(ascii: ":"))
                part.write(to: &writer)
            }
            writer.write(byte: UInt8(ascii: "}"))
        }
    }

    /// The documents of upstreams in the parts.
    var documents: [Answer] { parts.flatMap(\.documents) }

    /// Whether no document is missing, or replaced by a fixed one.
    var isComplete: Bool { parts.allSatisfy(\.isComplete) }

    /// Returns what the rules made of the object, with the repairs of the parts and the field that names those that failed.
    func completed(_ answer: ShapedDocument) -> ShapedDocument {
        var drift = parts.reduce(into: DriftReport()) { $0.merge($1.drift) }
        drift.merge(answer.drift)
        let failures = parts.compactMap(\.failure)
        let fields = failures.isEmpty ? [] : [(AnswerField.parts.name, failures.joined(separator: ", "))]
        return ShapedDocument(body: answer.body, drift: drift, fields: fields)
    }

    /// The source of each part.
    var source: DocumentSource {
        var source = DocumentSource(dialect: "json")
        source.parts = Dictionary(uniqueKeysWithValues: parts.map { ($0.name, $0.source) })
        return source
    }
}

/// The outcome of a part of an answer.
struct PartAnswer: Sendable {
    /// The outcome of one request, to any of the upstreams of the part.
    enum Piece: Sendable {
        case document(Answer)
        /// The fixed answer of the part, after these upstreams failed.
        case fixed([UInt8], failed: [String])
        case failed(Problem)
    }

    let name: String
    let pieces: [Piece]
    /// Whether the part is an array of its pieces; otherwise it has one.
    let isList: Bool
    /// The number of values of `each` for which no request was made.
    var dropped = 0

    /// The bytes of the part in the text of an answer.
    var size: Int { pieces.reduce(name.utf8.count + 6) { $0 + $1.body.count + 1 } }

    /// Writes the part without its name.
    func write(to writer: inout JSONWriter) {
        if isList { writer.write(byte: UInt8(ascii: "[")) }
        for (index, piece) in pieces.enumerated() {
            if index > 0 { writer.write(byte: UInt8(ascii: ",")) }
            writer.write(raw: piece.body)
        }
        if isList { writer.write(byte: UInt8(ascii: "]")) }
    }

    /// The documents of upstreams in the part.
    var documents: [Answer] {
        pieces.compactMap { if case .document(let document) = $0 { document } else { nil } }
    }

    /// Whether all pieces are documents of upstreams.
    var isComplete: Bool { documents.count == pieces.count }

    /// The problems in place of documents.
    private var problems: [Problem] {
        pieces.compactMap { if case .failed(let problem) = $0 { problem } else { nil } }
    }

    /// The repairs of the documents, with their paths in the whole answer, and the values that were left out.
    var drift: DriftReport {
        var drift = DriftReport()
        for (index, piece) in pieces.enumerated() {
            guard case .document(let document) = piece, !document.drift.isEmpty else { continue }
            let (pattern, example) = isList ? ("\(name)[]", "\(name)[\(index)]") : (name, name)
            drift.merge(document.drift.moved(under: pattern, example: example))
        }
        drift.note(.dropped, .tooMany, pieces.count..<pieces.count + dropped, "\(name)[]")
        return drift
    }

    /// The name of the part with the status of the first upstream that failed, or the name of its problem; nil without one.
    var failure: String? {
        guard let problem = problems.first else { return nil }
        // An upstream that answered 200 sent an unusable document.
        let status = problem.upstream?.status.flatMap { $0 == 200 ? nil : "\($0)" }
        return "\(name)=\(status ?? problem.kind.rawValue)"
    }

    /// The source of the part: the first failure, or else its first document.
    var source: PartSource {
        let problem = problems.first
        var source = PartSource()
        source.upstream = problem?.upstream?.name ?? documents.first?.source.upstream
        source.status = problem.map { $0.upstream?.status } ?? (documents.isEmpty ? nil : 200)
        source.failed = documents.first?.source.failed
        if case .fixed(_, let failed)? = pieces.first { source.failed = failed }
        source.reason = problem?.detail
        source.failures = isList && !problems.isEmpty ? problems.count : nil
        return source
    }
}

extension PartAnswer.Piece {
    fileprivate var body: [UInt8] {
        switch self {
        case .document(let document): document.body
        case .fixed(let body, _): body
        case .failed: Array("null".utf8)
        }
    }
}
