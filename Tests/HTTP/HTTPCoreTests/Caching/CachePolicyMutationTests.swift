import HTTPCore
import TestSupport
import Testing

/// Random heads, policies and clocks.
@Suite("Random responses") struct CachePolicyMutationTests {
    private static let names = [
        "Cache-Control", "Expires", "Date", "Age", "ETag", "Last-Modified", "Vary", "Pragma", "If-None-Match",
        "If-Modified-Since", "Authorization", "Foo",
    ]
    private static let parts = [
        "max-age=", "s-maxage=", "stale-if-error=", "stale-while-revalidate=", "no-cache", "no-store", "private",
        "public", "must-revalidate", "must-understand", "max-stale", "min-fresh=", "only-if-cached", ",", ";", "=", "-",
        "\\", "\"", "\0", " ", "9", "0", "60", "99999999999", "Foo", "*", "W/", "\"a\"", "é",
        "Sun, 06 Nov 1994 08:49:37 GMT",
        "Fri, 31 Dec 9999 23:59:59 GMT", "Sat, 01 Jan 0000 00:00:00 UTC", "Sunday, 06-Nov-94 08:49:37 GMT",
    ]

    private static func fields(_ random: inout SplitMix64) -> HeaderFields {
        HeaderFields(
            (0..<Int.random(in: 0...5, using: &random)).map { _ in
                let count = Int.random(in: 0...6, using: &random)
                let value = (0..<count).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
                return (names.randomElement(using: &random) ?? "", value)
            })
    }

    private static func number(_ random: inout SplitMix64) -> Int {
        let numbers = [0, 1, 60, 784_111_777, 4_000_000_000, 1 << 40, .max, .min, -1]
        return numbers.randomElement(using: &random) ?? 0
    }

    @Test("No head crashes the cache, has impossible seconds, or is stored in spite of no-store or private")
    func heads() {
        var random = SplitMix64(seed: 9111)
        var stored = 0
        for _ in 0..<100_000 {
            let (headers, request) = (Self.fields(&random), Self.fields(&random))
            let policy = CachePolicy(
                floor: Self.number(&random), ceiling: Self.number(&random), defaultLifetime: Self.number(&random),
                usesHeuristics: .random(using: &random), staleWhileRevalidate: Self.number(&random),
                staleIfError: Self.number(&random), countsClientDirectives: .random(using: &random),
                obeysUpstream: Int.random(in: 0..<8, using: &random) > 0)
            let status = Status(Self.statuses.randomElement(using: &random) ?? 200)
            let (sent, now, moment) = (Self.number(&random), Self.number(&random), Self.number(&random))
            let newer = Self.fields(&random)
            guard
                let response = CachedResponse(
                    status: status, headers: headers, request: request, requestTime: sent, responseTime: now,
                    policy: policy)
            else { continue }
            stored += 1
            let update = response.updated(
                by: newer, request: request, requestTime: sent, responseTime: moment, policy: policy)
            let faults = [
                policy.obeysUpstream ? Self.storingFault(headers) : nil,
                Self.fault(response, request, policy, at: moment),
                update.flatMap { Self.fault($0, request, policy, at: moment) },
            ]
            // An expectation for each would take most of the time.
            for case let fault? in faults { Issue.record("\(fault): \(headers.pairs), \(newer.pairs)") }
        }
        #expect(stored > 10_000)
    }

    private static let statuses = [200, 200, 200, 203, 206, 301, 404, 410, 503, 599]

    /// Why a response with these fields should not have been stored.
    private static func storingFault(_ headers: HeaderFields) -> String? {
        let control = CacheControl(headers)
        if control.forbidsStoring, !control.requiresUnderstanding { return "no-store" }
        return control.isPrivate || headers.contains("*", in: "Vary") ? "not shared" : nil
    }

    /// What is wrong with a stored response.
    private static func fault(
        _ response: CachedResponse, _ request: HeaderFields, _ policy: CachePolicy, at moment: Int
    ) -> String? {
        let seconds = [
            response.lifetime, response.age(at: moment), response.staleWhileRevalidate, response.staleIfError,
        ]
        guard seconds.allSatisfy({ 0...CacheControl.longest ~= $0 }) else { return "seconds \(seconds)" }
        let client = policy.directives(of: request)
        let decision = response.decision(for: client, at: moment)
        let mayServe = response.mayServe(afterErrorAt: moment)
        if response.requiresValidation, decision != .mustValidate(response.validators) || mayServe {
            return "not validated"
        }
        guard response.matches(request) else { return "does not match its own request" }
        _ = request.hasVersion(response.validators?.entityTag, changed: moment)
        let answer = response.answerFields.map(\.value).joined()
        guard !answer.utf8.contains(where: { $0 < 0x20 }) else { return answer }
        var bytes: [UInt8] = []
        response.encode(into: &bytes)
        var input = bytes[...]
        let read = CachedResponse(decoding: &input, policy: policy)
        return read?.decision(for: client, at: moment) == decision ? nil : "not the same from a snapshot"
    }
}
