import API
import HTTPClient
import HTTPCore
import Records
import Operations
import TestSupport
import Testing

@testable import Proxy

@Suite("The stage that makes the response", .timeLimit(.minutes(10)))
struct RespondStageTests {
    private static let body = [UInt8](repeating: UInt8(ascii: "a"), count: 2000)

    /// A response of the stage to a request with `headers`, whose document was found like this.
    private static func response(
        _ test: StageTest, _ document: CachedDocument, _ cacheOutcome: CacheOutcome?, _ variant: DocumentVariant,
        headers: [(name: String, value: String)] = [], _ form: AnswerForm = AnswerForm(name: "si")
    ) async throws -> Response {
        var answer = Answer(document, of: test.upstream, cacheOutcome, variant)
        answer.failed = ["other"]
        let context = ShardContext(test.shard, client: test.fetch().context.client, clock: test.time.clock)
        let call = ClientCall(
            Request(target: try RequestTarget("/weather"), headers: HeaderFields(headers)), nil, context,
            trace: nil, edition: 1)
        return await RespondStage(call: call, cache: test.cache).response(answer, form)
    }

    private static let variant = DocumentVariant(
        ShapedDocument(body: body, drift: DriftReport()), AnswerForm(name: "si"), isKept: true)

    private static func field(_ name: String, of response: Response) -> String? {
        response.headers.first { $0.name == name }?.value
    }

    @Test(
        "The answer says how the document was found and how old it is",
        arguments: [
            (CacheOutcome.hit, 20, "Weir; hit; ttl=40", "20"), (.refreshing, 65, "Weir; fwd=stale; ttl=-5", "65"),
            (.fetched(.uriMiss, isCollapsed: false), 0, "Weir; fwd=uri-miss; ttl=60", nil),
            (.fetched(.stale, isCollapsed: true), 1, "Weir; fwd=stale; ttl=59; collapsed", "1"),
            (
                .stale(forwardStatus: 500), 70,
                #"Weir; fwd=stale; fwd-status=500; ttl=-10; detail="the upstream failed""#, "70"
            ), (nil, 0, nil, nil),
        ])
    func cacheOutcome(cacheOutcome: CacheOutcome?, age: Int, status: String?, ageField: String?) async throws {
        let test = try StageTest()
        defer { test.stop() }
        let document = test.document(at: MovedTime.start - age)
        let response = try await Self.response(test, document, cacheOutcome, Self.variant)
        #expect(response.status == .ok)
        #expect(response.body == Self.body)
        #expect(response.note.upstream == "sample")
        #expect(Self.field("Cache-Status", of: response) == status)
        #expect(Self.field("Age", of: response) == ageField)
        #expect(Self.field("Cache-Control", of: response) == (cacheOutcome == nil ? nil : "max-age=60"))
    }

    @Test("A client that has the version gets 304 without a body")
    func notModified() async throws {
        let test = try StageTest()
        defer { test.stop() }
        for (tag, isNotModified) in [(Self.variant.tag, true), ("\"other\"", false)] {
            let response = try await Self.response(
                test, test.document(), .hit, Self.variant, headers: [("If-None-Match", tag)])
            #expect(response.status == (isNotModified ? .notModified : .ok))
            #expect(response.body.isEmpty == isNotModified)
        }
    }

    @Test("A body that is kept is compressed once")
    func coding() async throws {
        let test = try StageTest()
        defer { test.stop() }
        let (document, headers) = (test.document(), [(name: "Accept-Encoding", value: "gzip")])
        let variant = DocumentVariant(
            ShapedDocument(body: Self.body, drift: DriftReport()), AnswerForm(name: "si"), isKept: true)
        #expect(variant.compressedBody(.gzip).body == nil)
        let first = try await Self.response(test, document, .hit, variant, headers: headers)
        #expect(Self.field("Content-Encoding", of: first) == "gzip")
        #expect(first.body.count < 100)
        #expect(variant.compressedBody(.gzip).body == first.body)
        #expect(try await Self.response(test, document, .hit, variant, headers: headers).body == first.body)
    }

    @Test("An explained document names its source and is not compressed here")
    func explained() async throws {
        let test = try StageTest()
        defer { test.stop() }
        let response = try await Self.response(
            test, test.document(), .hit, Self.variant, headers: [("Accept-Encoding", "gzip")],
            AnswerForm(name: "si", explanation: .repairs))
        #expect(Self.field("Content-Encoding", of: response) == nil)
        let text = String(decoding: response.body, as: UTF8.self)
        #expect(
            text.contains(
                #/"source":\{"upstream":"sample","dialect":"json","failed":\["other"\],"fetchedAt":"[0-9T:Z-]{20}",/#))
        #expect(text.contains(#/"digest":"[0-9a-f]{16}"\}\}$/#))
    }
}
