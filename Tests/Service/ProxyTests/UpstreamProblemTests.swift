import HTTPClient
import HTTPCore
import API
import Testing

@testable import Proxy

struct UpstreamProblemTests {
    private static func text(_ problem: Problem) -> String { String(decoding: problem.response.body, as: UTF8.self) }

    @Test(arguments: [
        (TransferError.tooSlow, 504, "upstream-too-slow"),
        (.unreachable, 503, "upstream-unavailable"),
        (.unknownHost, 503, "upstream-unavailable"),
        (.connectTimedOut, 504, "upstream-too-slow"),
        (.stalled, 504, "upstream-too-slow"),
        (.tlsFailed(.expired), 502, "upstream-failed"),
        (.proxyTLSFailed(.expired), 502, "upstream-failed"),
        (.privateAddress, 502, "upstream-failed"),
        (.proxyFailed, 502, "upstream-failed"),
        (.redirect(.otherHost), 502, "upstream-failed"),
        (.queueFull, 503, "upstream-unavailable"),
        (.cancelled, 503, "upstream-unavailable"),
        (.brokenOff(.beforeContentLength), 502, "upstream-failed"),
        (.malformed(reason: "it has two Content-Length fields"), 502, "upstream-failed"),
        (.tooLarge(limit: 10), 502, "upstream-failed"),
        (.invalidURL, 502, "upstream-failed"),
        (.other("Failed initialization"), 502, "upstream-failed"),
    ])
    func aTransferErrorHasItsStatus(_ error: TransferError, _ status: Int, _ kind: String) {
        let problem = UpstreamProblem.problem(of: .transfer(error), from: "sample")
        #expect(problem.status.code == status)
        #expect(problem.kind.rawValue == kind)
        #expect(problem.headers.contains { $0.name == "Retry-After" } == (status == 503))
        #expect(Self.text(problem).hasSuffix(#","upstream":{"name":"sample"}}"#))
        #expect(problem.detail == "The upstream sample cannot be used: \(error).")
    }

    @Test(arguments: [
        (404, 404, "upstream-not-found"), (429, 429, "upstream-rate-limit"), (400, 502, "upstream-failed"),
        (401, 502, "upstream-failed"), (403, 502, "upstream-failed"), (500, 502, "upstream-failed"),
        (503, 502, "upstream-failed"), (302, 502, "upstream-failed"), (204, 502, "upstream-failed"),
    ])
    func anUpstreams404And429KeepTheirMeaning(_ theirs: Int, _ ours: Int, _ kind: String) {
        let problem = UpstreamProblem.problem(
            of: .status(theirs, meaning: nil, message: "its own words", retryAfter: 7), from: "sample")
        #expect(problem.status.code == ours)
        #expect(problem.kind.rawValue == kind)
        let upstream = #","upstream":{"name":"sample","status":\#(theirs),"error":"its own words"}}"#
        #expect(Self.text(problem).hasSuffix(upstream))
        #expect(problem.headers.contains { $0 == ("Retry-After", "7") } == [429, 503].contains(theirs))
    }

    @Test(arguments: [
        (401, 403, 403, "upstream-refused", "status 401"), (422, 422, 422, "upstream-refused", "status 422"),
        (400, 429, 429, "upstream-rate-limit", "status 400"), (200, 404, 404, "upstream-not-found", "an error"),
        (410, 404, 404, "upstream-not-found", "status 410"), (503, 503, 502, "upstream-failed", "status 503"),
        (401, 400, 502, "upstream-failed", "status 401"),
    ])
    func anErrorWithAMeaningOfItsOwnHasThatStatus(
        _ theirs: Int, _ meaning: Int, _ ours: Int, _ kind: String, _ answer: String
    ) {
        let problem = UpstreamProblem.problem(
            of: .status(theirs, meaning: meaning, message: "its own words", retryAfter: 7), from: "sample")
        #expect(problem.status.code == ours)
        #expect(problem.kind.rawValue == kind)
        #expect(problem.detail == "The upstream sample answered with \(answer).")
        let upstream = #","upstream":{"name":"sample","status":\#(theirs),"error":"its own words"}}"#
        #expect(Self.text(problem).hasSuffix(upstream))
    }

    @Test(arguments: [(402, nil), (403, 402)] as [(Int, Int?)])
    func anUpstreamThatWantsMoneyIsUnavailableWithItsReason(_ theirs: Int, _ meaning: Int?) {
        let problem = UpstreamProblem.problem(
            of: .status(theirs, meaning: meaning, message: "no credits left", retryAfter: nil), from: "sample")
        #expect(problem.status == .serviceUnavailable)
        #expect(problem.kind == .upstreamRateLimit)
        #expect(problem.detail == "The upstream sample demands to be paid before it answers.")
        let upstream = #","upstream":{"name":"sample","status":\#(theirs),"error":"no credits left"}}"#
        #expect(Self.text(problem).hasSuffix(upstream))
    }

    @Test(arguments: [(900, "its 900 requests"), (nil, "its requests")] as [(Int?, String)])
    func aSpentQuotaHasRetryAfter(_ limit: Int?, _ requests: String) {
        let problem = UpstreamProblem.problem(of: .spent(SpentQuota(limit: limit, seconds: 312)), from: "sample")
        #expect(problem.status == .serviceUnavailable)
        #expect(problem.kind == .upstreamRateLimit)
        #expect(problem.detail == "The upstream sample has used up \(requests); it may be asked again in 312 s.")
        #expect(problem.headers.contains { $0 == ("Retry-After", "312") })
        #expect(Self.text(problem).hasSuffix(#","upstream":{"name":"sample"}}"#))
    }

    private static let failures: [String: FetchFailure] = [
        "spent": .spent(SpentQuota(limit: 1, seconds: 86_400)), "suspended": .suspended(seconds: 1),
        "429": .status(429, meaning: nil, message: nil, retryAfter: 60), "unreachable": .transfer(.unreachable),
        "503": .status(503, meaning: nil, message: nil, retryAfter: 600),
        "402": .status(402, meaning: nil, message: nil, retryAfter: nil), "500": .unusable("it is HTML"),
        "404": .status(404, meaning: nil, message: nil, retryAfter: nil), "slow": .transfer(.tooSlow),
    ]

    /// The failures of a chain, the upstream that the client's problem names, and its Retry-After.
    @Test(
        arguments: [
            (["spent"], 0, 86_400), (["spent", "429"], 0, 60), (["429", "spent"], 0, 60),
            (["spent", "suspended"], 0, 1),
            (["503", "suspended"], 0, 1), (["spent", "503"], 0, 600), (["unreachable", "spent"], 1, 5),
            // Without a time it may be asked at any one.
            (["spent", "500"], 0, 5), (["spent", "slow"], 0, 5), (["suspended", "429", "500"], 1, 1),
            // A problem without a time has none of another upstream.
            (["404", "spent"], 0, nil), (["402", "suspended"], 0, nil), (["500", "suspended"], 0, nil),
        ] as [([String], Int, Int?)])
    func retryAfterIsTheShortestTimeOfAChain(_ names: [String], _ named: Int, _ seconds: Int?) throws {
        let problems = try names.enumerated().map { index, name in
            UpstreamProblem.problem(of: try #require(Self.failures[name]), from: "upstream-\(index)")
        }
        let problem = UpstreamProblem.mostInformative(of: problems)
        #expect(problem.upstream?.name == "upstream-\(named)")
        #expect(problem.retryAfter == seconds)
    }

    @Test func anUnusableAnswerIsA502ThatSaysWhy() {
        let problem = UpstreamProblem.problem(of: .unusable("it is HTML"), from: "sample")
        #expect(problem.status == .badGateway)
        #expect(problem.detail == "The answer of the upstream sample cannot be used: it is HTML.")
        #expect(Self.text(problem).hasSuffix(#","upstream":{"name":"sample","status":200}}"#))
    }
}
