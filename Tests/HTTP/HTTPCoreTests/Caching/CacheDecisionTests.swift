import HTTPCore
import Testing

struct CacheDecisionTests {
    private static let now = CachedResponseTests.now

    private static func response(_ control: String, _ policy: CachePolicy = CachePolicy()) throws -> CachedResponse {
        try #require(CachedResponseTests.response("Cache-Control: \(control)", policy: policy))
    }

    /// What may be done with it after so many seconds: `fresh`, `swr`, `validate`; and `error` if also after a failure.
    private static func decision(_ response: CachedResponse, after seconds: Int, _ client: [String] = []) -> String {
        let name =
            switch response.decision(for: ClientDirectives(HeaderFields(lines: client)), at: now + seconds) {
            case .fresh: "fresh"
            case .staleWhileRevalidate: "swr"
            case .mustValidate: "validate"
            }
        return response.mayServe(afterErrorAt: now + seconds) ? name + " error" : name
    }

    @Test(
        arguments: [
            ("max-age=60", 59, "fresh error"), ("max-age=60", 60, "validate"), ("max-age=60", -5, "fresh error"),
            // It arrived in the future: the clock has been corrected by more than its usual steps.
            ("max-age=60", -60, "fresh error"), ("max-age=60, stale-if-error=86400", -61, "validate"),
            ("max-age=60, stale-while-revalidate=10", 60, "swr"),
            ("max-age=60, stale-while-revalidate=10", 69, "swr"),
            ("max-age=60, stale-while-revalidate=10", 70, "validate"),
            ("max-age=60, stale-if-error=10", 69, "validate error"), ("max-age=60, stale-if-error=10", 70, "validate"),
            ("no-cache, max-age=60, stale-while-revalidate=9, stale-if-error=9", 0, "validate"),
            ("max-age=60, must-revalidate, stale-while-revalidate=9, stale-if-error=9", 60, "validate"),
            ("max-age=60, proxy-revalidate, stale-if-error=9", 60, "validate"), ("s-maxage=60", 60, "validate"),
            ("s-maxage=60, stale-if-error=9", 60, "validate error"),
            ("max-age=0, stale-while-revalidate=9", 0, "swr"),
        ])
    func theUpstreamDecides(_ control: String, _ seconds: Int, _ decision: String) throws {
        #expect(try Self.decision(Self.response(control), after: seconds) == decision)
    }

    @Test(
        arguments: [
            ("max-age=60", 65, "swr error"), ("max-age=60", 72, "validate error"), ("max-age=60", 80, "validate"),
            // What the response says goes before what the policy says.
            ("max-age=60, stale-while-revalidate=0, stale-if-error=0", 60, "validate"),
            ("max-age=60, must-revalidate", 60, "validate"), ("max-age=60, proxy-revalidate", 60, "validate"),
            ("s-maxage=60", 60, "validate"), ("s-maxage=60, stale-while-revalidate=5", 60, "swr"),
            ("no-cache", 0, "validate"),
        ])
    func thePolicyCompletesTheWindows(_ control: String, _ seconds: Int, _ decision: String) throws {
        let policy = CachePolicy(floor: 5, staleWhileRevalidate: 10, staleIfError: 20)
        #expect(try Self.decision(Self.response(control, policy), after: seconds) == decision)
    }

    @Test func aMissingDocumentIsNotUsedStale() throws {
        let policy = CachePolicy(staleWhileRevalidate: 10, staleIfError: 20)
        let response = try #require(CachedResponseTests.response(status: 404, policy: policy))
        #expect(Self.decision(response, after: 59) == "fresh error")
        #expect(Self.decision(response, after: 60) == "validate")
    }

    @Test(
        arguments: [
            ("max-age=60", 5, "Cache-Control: no-cache", "validate"), ("max-age=60", 5, "Pragma: no-cache", "validate"),
            ("max-age=60", 5, "Pragma: foo", "fresh"), ("max-age=60", 5, "Cache-Control: no-store", "fresh"),
            ("max-age=60", 5, "Cache-Control: max-age=5", "fresh"),
            ("max-age=60", 5, "Cache-Control: max-age=4", "validate"),
            ("max-age=60", 5, "Cache-Control: max-age=x", "fresh"),
            ("max-age=60", 5, "Cache-Control: min-fresh=55", "fresh"),
            ("max-age=60", 5, "Cache-Control: min-fresh=56", "validate"),
            ("max-age=60", 65, "Cache-Control: max-stale=5", "swr"),
            ("max-age=60", 65, "Cache-Control: max-stale=4", "validate"),
            ("max-age=60", 99, "Cache-Control: max-stale", "swr"),
            ("max-age=60", 99, "Cache-Control: max-stale=x", "validate"),
            ("max-age=60, must-revalidate", 65, "Cache-Control: max-stale", "validate"),
            ("no-cache", 0, "Cache-Control: max-stale", "validate"),
        ])
    func aClientAsksForLessOrMore(_ control: String, _ seconds: Int, _ line: String, _ decision: String) throws {
        let response = try Self.response(control + ", stale-if-error=0")
        let result = Self.decision(response, after: seconds, [line])
        #expect(result.replacing(" error", with: "") == decision)
    }

    @Test func pragmaCountsOnlyWithoutCacheControl() {
        let fields = HeaderFields(lines: ["Pragma: no-cache", "Cache-Control: max-age=5"])
        #expect(!ClientDirectives(fields).requiresValidation)
        #expect(ClientDirectives(HeaderFields(lines: ["Cache-Control: only-if-cached"])).isOnlyIfCached)
        #expect(ClientDirectives(HeaderFields(lines: ["Cache-Control: no-store"])).forbidsStoring)
        #expect(CachePolicy().directives(of: HeaderFields(lines: ["Pragma: no-cache"])) == .none)
        let counting = CachePolicy(countsClientDirectives: true)
        #expect(counting.directives(of: HeaderFields(lines: ["Pragma: no-cache"])).requiresValidation)
    }

    @Test func theConditionsAreTheValidatorsOfTheResponse() throws {
        let response = try #require(CachedResponseTests.response("Cache-Control: max-age=0", "ETag: \"a\""))
        guard case .mustValidate(let validators) = response.decision(at: Self.now) else {
            Issue.record("The response is stale.")
            return
        }
        #expect(validators?.conditions.map(\.value) == ["\"a\""])
    }

    @Test(
        arguments: [
            ("max-age=60", "max-age=60"), ("no-cache, max-age=60", "no-cache"),
            ("max-age=60, must-revalidate", "max-age=60, must-revalidate"),
            ("s-maxage=60", "max-age=60, must-revalidate"),
            (
                "max-age=60, stale-while-revalidate=9, stale-if-error=8",
                "max-age=60, stale-while-revalidate=9, stale-if-error=8"
            ),
        ])
    func anAnswerSaysHowLongItMayBeUsed(_ control: String, _ answer: String) throws {
        #expect(try Self.response(control).answerFields.map(\.value) == [answer])
    }

    @Test func anAnswerHasTheTimeOfTheLastChangeAsAnHTTPDate() throws {
        let response = try #require(
            CachedResponseTests.response("Last-Modified: Sunday, 06-Nov-94 08:39:37 GMT", policy: CachePolicy()))
        #expect(response.answerFields.last?.value == CachedResponseTests.changed)
    }
}
