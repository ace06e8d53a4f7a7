import API
import Records
import Testing
import Contracts

/// Errors that upstreams send in place of tweets.
@Suite("Errors of tweet upstreams")
struct TweetRefusalTests {
    @Test(
        "An error code has its status, in v1.1 and in v2",
        arguments: [(88, 429), (34, 404), (144, 404), (63, 403), (179, 403), (32, 401), (89, 401), (215, 401)])
    func codes(code: Int, status: Int) {
        let body = Array(#"{"errors":[{"code":\#(code),"message":"Says so"}]}"#.utf8)
        for dialect in [TweetDialect.twitter, .twitterV2] {
            let refusal = dialect.refusal(in: body)
            #expect(refusal?.message == "Says so")
            #expect(refusal?.code == code)
            #expect(refusal?.status == status)
        }
    }

    @Test(
        "The message of an error is found in every form",
        arguments: [
            ("twitter", #"{"errors":"Says so"}"#), ("twitter", #"{"error":"Says so","request":"/1.1/a.json"}"#),
            ("twitter", #"{"error":"Says so"}"#),
            ("twitterV2", #"{"title":"No","detail":"Says so","type":"about:blank"}"#),
            ("twitterV2", #"{"data":null,"errors":[{"title":"Says so"}]}"#), ("mastodon", #"{"error":"Says so"}"#),
            ("mastodon", #"{"error":"invalid","error_description":"Says so"}"#),
        ])
    func forms(dialect name: String, body: String) throws {
        let dialect = try #require(TweetDialect.named(name))
        let refusal = try #require(dialect.refusal(in: Array(body.utf8)))
        #expect(refusal.message == "Says so")
        #expect(refusal.code == nil && refusal.status == nil)
        #expect(throws: refusal) { try dialect.normalize(Array(body.utf8)) }
    }

    @Test(
        "An invalid request of the client is told from a vocabulary that X does not know",
        arguments: [("tweet.fields", 400), ("expansions", 400), ("query", 422), ("until_id", 422)])
    func invalidRequests(parameter: String, status: Int) {
        let problem = #""type":"https://api.x.com/2/problems/invalid-request","title":"Invalid Request""#
        for error in [#""parameters":{"\#(parameter)":["x"]}"#, #""parameter":"\#(parameter)""#] {
            let body = #"{"errors":[{\#(error),"message":"Says so"}],\#(problem)}"#
            #expect(TweetDialect.twitterV2.refusal(in: Array(body.utf8))?.status == status)
        }
    }

    @Test(
        "Other documents are not errors",
        arguments: [
            ("twitter", #"{"id":1,"error":"x"}"#), ("twitter", #"{"errors":[]}"#), ("twitter", "<html>"),
            ("twitterV2", #"{"data":{"id":"1"},"errors":[{"title":"x"}]}"#), ("mastodon", "[]"), ("mastodon", "5"),
        ])
    func otherDocuments(dialect name: String, body: String) throws {
        #expect(try #require(TweetDialect.named(name)).refusal(in: Array(body.utf8)) == nil)
    }
}
