package import Contracts
package import EventLoop
import HTTPClient
package import HTTPCore
package import JSONText
package import Records
package import Routing
import Telemetry

/// A document that is a part of an answer.
package struct DocumentPart: Sendable {
    /// The document in the form of the part.
    package let body: [UInt8]
    /// The repairs of the document.
    package let drift: DriftReport
    package let source: DocumentSource
    fileprivate let found: FoundDocument
}

extension DocumentPath {
    /// Returns the document that answers a question, as a part of an answer that must be there at `end`.
    /// - Throws: As `answer`.
    package nonisolated(nonsending) func part(
        _ question: Source.Question, _ form: AnswerForm, to call: ClientCall, until end: MonotonicTime
    ) async throws(Problem) -> DocumentPart {
        let found = try await failover.answer(question, form, to: call.forPart, until: end)
        let variant = try await ShapeStage(form: form, cache: cache).shape(found).variant
        return DocumentPart(
            body: variant.body, drift: variant.drift, source: found.source, found: found.answer.found)
    }
}

/// An answer that is made of several documents, and not kept.
package struct ComposedAnswer: Sendable {
    private let shaped: ShapedDocument
    private let parts: [DocumentPart]
    private let isComplete: Bool

    /// An answer in its final form; without a part that clients expect it is not complete.
    package init(_ shaped: ShapedDocument, of parts: [DocumentPart], isComplete: Bool) {
        (self.shaped, self.parts, self.isComplete) = (shaped, parts, isComplete)
    }

    package func response(_ form: AnswerForm, source: DocumentSource, to call: ClientCall) async -> Response {
        let variant = DocumentVariant(shaped, form, isKept: false)
        let origin = AnswerOrigin(
            parts.map(\.found), isComplete: isComplete, source: source, variant, now: call.context.clock.seconds)
        let answer = ShapedAnswer(variant: variant, explained: form.isExplained ? shaped : nil)
        return await RespondStage(call: call, cache: nil).response(answer, of: origin)
    }
}

extension Upstream {
    /// Returns what `reader` finds in a text that is made of several documents, of this upstream and of others.
    ///
    /// The text nests at most `maximumDepth` levels. A long text is read by a thread of this upstream.
    package nonisolated(nonsending) func reading<Value: Sendable>(
        _ text: [UInt8], maximumDepth: Int, for call: ClientCall, until end: MonotonicTime,
        _ reader: @escaping @Sendable (JSONOptions) throws -> Value
    ) async throws(Problem) -> Value {
        let context = FetchContext(call, end: end, isLast: true, stale: StaleDocuments()).withTimeToRead
        let errors = ErrorReader(explain: { _ in (nil, nil) }), scrubber = credentials.current.scrubber
        do throws(FetchFailure) {
            return try await reading(IncomingResponse(body: text), context) { [self] limit throws(FetchFailure) in
                try read(IncomingResponse(body: text), errors, scrubber, limit) { _, options in
                    try reader(
                        JSONOptions(
                            maximumBytes: text.count, maximumDepth: maximumDepth, isExpired: options.isExpired))
                }
            }
        } catch {
            if case .unusable(let reason) = error {
                throw Problem(.upstreamFailed, "The documents of the parts cannot be used: \(reason).")
            }
            throw UpstreamProblem.problem(of: error, from: name)
        }
    }
}
