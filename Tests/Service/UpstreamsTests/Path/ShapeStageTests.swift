import Contracts
import HTTPClient
import HTTPCore
import JSONText
import Records
import Routing
import TestSupport
import Testing

@testable import Upstreams

@Suite("The stage that makes the form of a document", .timeLimit(.minutes(10)))
struct ShapeStageTests {
    /// Returns the result of a path that ended with `found`, whose responses `read` reads.
    private static func result(
        _ test: StageTest, _ found: FoundDocument,
        read: @escaping @Sendable (IncomingResponse, JSONOptions) throws -> ShapedDocument
    ) -> FailoverResult {
        let fetch = test.fetch()
        let request = DocumentRequest(kind: .forecast, target: "/", errors: fetch.order.errors, read: read)
        return FailoverResult(
            answer: UpstreamAnswer(found, test.upstream, request), failed: [], context: fetch.context)
    }

    @Test("A form that is kept is not made again, and every form is made from the kept response")
    func forms() async throws {
        let (test, reads) = (try StageTest(), Watched(0))
        defer { test.stop() }
        let document = test.document(.ok, "kept")
        test.cache.insert(document)
        let result = Self.result(test, FoundDocument(document: document, finding: .hit)) { response, _ in
            reads.increase()
            return ShapedDocument(body: response.body, drift: DriftReport())
        }
        for (form, expected) in [("si", 1), ("si", 1), ("us", 2), ("si", 2)] {
            let shaped = try await ShapeStage(form: AnswerForm(name: form), cache: test.cache).shape(result)
            #expect(shaped.variant.body == Array("kept".utf8))
            #expect(shaped.explained == nil)
            #expect(reads.current == expected)
        }
        #expect(document.content.variant("us") != nil)
    }

    @Test("An explained document and one that may not be kept are made each time", arguments: [true, false])
    func notKept(isExplained: Bool) async throws {
        let (test, reads) = (try StageTest(), Watched(0))
        defer { test.stop() }
        let document = test.document(.ok, "kept")
        let found = FoundDocument(document: document, finding: isExplained ? .hit : nil)
        let result = Self.result(test, found) { response, _ in
            reads.increase()
            return ShapedDocument(body: response.body, drift: DriftReport())
        }
        let form = AnswerForm(name: "si", explanation: isExplained ? .repairs : .none)
        for _ in 0..<2 {
            let shaped = try await ShapeStage(form: form, cache: test.cache).shape(result)
            #expect((shaped.explained != nil) == isExplained)
        }
        #expect(reads.current == 2)
        #expect(document.content.variant("si") == nil)
    }

    @Test("A kept response that cannot be read is a problem of its upstream")
    func unreadable() async throws {
        let test = try StageTest()
        defer { test.stop() }
        let result = Self.result(test, FoundDocument(document: test.document(), finding: .hit)) { response, options in
            var parser = JSONParser(options: options)
            return try parser.withDocument(response.body) { _ in ShapedDocument(body: [], drift: DriftReport()) }
        }
        let problem = await #expect(throws: Problem.self) {
            _ = try await ShapeStage(form: AnswerForm(name: "si"), cache: nil).shape(result)
        }
        #expect(problem?.status == .badGateway)
        #expect(problem?.upstream?.name == "sample")
    }
}
