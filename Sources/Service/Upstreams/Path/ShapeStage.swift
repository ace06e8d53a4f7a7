import Contracts
import HTTPClient
import HTTPCore
import Routing

/// A document in the form that a client wants.
struct ShapedAnswer: Sendable {
    let variant: DocumentVariant
    /// The document with its repairs, if the answer lists them.
    let explained: ShapedDocument?
    /// The upstream's document as JSON, if the answer shows that document.
    var upstream: [UInt8]?
}

/// Makes the form that a client wants of a document, unless the form was made before.
struct ShapeStage: Sendable {
    let form: AnswerForm
    let cache: DocumentCache?

    nonisolated(nonsending) func shape(_ found: FailoverResult) async throws(Problem) -> ShapedAnswer {
        let document = found.answer.found.document
        if !form.isExplained, let variant = document.content.variant(form.name) {
            return ShapedAnswer(variant: variant, explained: nil)
        }
        let shaped: ShapedDocument
        do throws(FetchFailure) {
            shaped =
                if let shaped = found.answer.shaped { shaped } else { try await found.answer.readAgain(found.context) }
        } catch {
            throw UpstreamProblem.problem(of: error, from: found.answer.upstream.name)
        }
        let isKept = found.answer.found.finding != nil && !form.isExplained
        let variant = DocumentVariant(shaped, form, isKept: isKept)
        if isKept, let cache { cache.keep(variant, form.name, of: document) }
        var answer = ShapedAnswer(variant: variant, explained: form.isExplained ? shaped : nil)
        if form.explanation == .upstream {
            answer.upstream = await ReceivedDocument.json(document.content.response.body)
        }
        return answer
    }
}
