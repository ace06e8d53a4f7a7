import Contracts
import JSONText
import Records
import Routing
import Upstreams

/// The parts of an answer, as one document: an object with a member for each.
struct PartAnswers: Sendable {
    let parts: [PartAnswer]

    /// Returns the text of the object.
    /// - Throws: A problem if it has more than `maximumBytes`.
    func text(maximumBytes: Int) throws(Problem) -> [UInt8] {
        let count = parts.reduce(2) { $0 + $1.size }
        guard count <= maximumBytes else {
            throw Problem(.upstreamFailed, "The parts of the answer have more than \(maximumBytes) bytes together.")
        }
        return JSONWriter.bytes(expecting: count) { writer in
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
    var documents: [DocumentPart] { parts.flatMap(\.documents) }

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
