import API
import HTTPClient
import HTTPCore
import JSONText
import Records
import TestSupport
import Testing

@testable import Proxy

@Suite("The form of a document", .timeLimit(.minutes(10)))
struct ShapeStageTests {
    /// A fetch of a form, whose response becomes the answer as it is; `reads` counts how often it is read and shaped.
    private static func fetch(_ test: StageTest, _ form: AnswerForm, reads: Watched<Int> = Watched(0)) -> Fetch {
        let request = DocumentRequest(
            to: test.upstream, .forecast, target: "/", policy: test.policy, errors: .none
        ) { response, options in
            var parser = JSONParser(options: options)
            try parser.withDocument(response.body) { _ in }
            return ReadDocument {
                reads.increase()
                return ShapedDocument(body: response.body, drift: DriftReport())
            }
        }
        return Fetch(request, form, in: test.fetch().context)
    }

    /// Returns a kept answer in the form of a fetch.
    private static func formed(_ test: StageTest, _ answer: Answer, _ fetch: Fetch) async throws(FetchFailure) -> Answer
    {
        try await Task(executorPreference: test.shard) { () async -> StageTest.Outcome in
            do throws(FetchFailure) { return .success(try await answer.formed(for: fetch)) } catch {
                return .failure(error)
            }
        }.value.get()
    }

    @Test("A new document gets the form of its request at once, and its repairs are counted", arguments: [true, false])
    func new(isExplained: Bool) async throws {
        let (test, reads) = (try StageTest(), Watched(0))
        defer { test.stop() }
        let form = AnswerForm(name: "si", explanation: isExplained ? .repairs : .none)
        let fetch = Self.fetch(test, form, reads: reads)
        fetch.attempt.response = IncomingResponse(
            headers: HeaderFields([("Link", "<a>"), ("X", "b")]), body: Array("[1]".utf8))
        let answer = try await test.run([.read, .shape], fetch) { _ throws(FetchFailure) in throw .unread }.get()
        #expect(reads.current == 1)
        #expect((answer.form == nil) == isExplained)
        #expect(answer.document.content.response.headers.pairs.map(\.value) == ["<a>"])
    }

    @Test("A form that is kept is not made again, and every form is made from the kept response")
    func forms() async throws {
        let (test, reads) = (try StageTest(), Watched(0))
        defer { test.stop() }
        let document = test.document(.ok, "[1]")
        test.cache.insert(document)
        let answer = Answer(document, of: test.upstream, .hit)
        for (form, expected) in [("si", 1), ("si", 1), ("us", 2), ("si", 2)] {
            let formed = try await Self.formed(test, answer, Self.fetch(test, AnswerForm(name: form), reads: reads))
            #expect(formed.body == Array("[1]".utf8))
            #expect(reads.current == expected)
        }
        #expect(document.content.variant(AnswerForm(name: "us").key) != nil)
    }

    @Test("An explained document and one that may not be kept are made each time", arguments: [true, false])
    func notKept(isExplained: Bool) async throws {
        let (test, reads) = (try StageTest(), Watched(0))
        defer { test.stop() }
        let document = test.document(.ok, "[1]")
        let answer = Answer(document, of: test.upstream, isExplained ? .hit : nil)
        let form = AnswerForm(name: "si", explanation: isExplained ? .repairs : .none)
        for _ in 0..<2 {
            #expect(try await Self.formed(test, answer, Self.fetch(test, form, reads: reads)).form != nil)
        }
        #expect(reads.current == 2)
        #expect(document.content.variant(form.key) == nil)
    }

    @Test("A kept response that cannot be read is a failure of its upstream")
    func unreadable() async throws {
        let test = try StageTest()
        defer { test.stop() }
        let answer = Answer(test.document(), of: test.upstream, .hit)
        let failure = await #expect(throws: FetchFailure.self) {
            _ = try await Self.formed(test, answer, Self.fetch(test, AnswerForm(name: "si")))
        }
        #expect(failure.map { UpstreamProblem.problem(of: $0, from: "sample").status } == .badGateway)
    }

    @Test(
        "Forms are told from each other by the bytes of their texts",
        arguments: [("K", "K", true), ("K", "\u{212A}", false), ("\u{C5}", "A\u{30A}", false)])
    func identity(left: String, right: String, isSame: Bool) throws {
        #expect((AnswerForm(name: left).key == AnswerForm(name: right).key) == isSame)
        func key(_ text: String) -> DocumentKey { DocumentKey(upstream: "a", address: 1, target: "/\nx: \(text)") }
        #expect((key(left) == key(right)) == isSame)
        #expect(Set([key(left), key(right)]).count == (isSame ? 1 : 2))
    }
}
