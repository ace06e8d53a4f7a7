import API
import HTTPClient
import HTTPCore
import Testing

@testable import Proxy

@Suite("Client credentials")
struct ClientCredentialsTests {
    @Test("The request is that of RFC 6749 §4.4.2 and of Twitter's document on tokens of applications")
    func request() {
        func request(_ id: String, _ secret: String, scope: String? = nil) -> OutgoingRequest {
            let client = ClientCredentials(
                tokenURL: "https://a/oauth2/token", id: Secret(id), secret: Secret(secret), scope: scope)
            return client.request
        }
        let twitter = request("xvz1evFS4wEEPTGEFPHBog", "L8qq9PZyRg6ieKGEKhZolGC0vJWLw8iEJ88DRdyOg")
        #expect(twitter.url == Secret("https://a/oauth2/token"))
        #expect(twitter.content == Secret("grant_type=client_credentials"))
        #expect(twitter.headers.map(\.name) == ["Authorization"])
        let basic =
            "Basic eHZ6MWV2RlM0d0VFUFRHRUZQSEJvZzpMOHFxOVBaeVJnNmllS0dFS2hab2xHQzB2SldMdzhpRUo4OERSZHlPZw=="
        #expect(twitter.headers[0].value == Secret(basic))
        // A colon in the id and other characters are encoded before.
        let encoded = request("a:b", "c&d é", scope: "x y&z")
        #expect(encoded.headers[0].value == Secret("Basic YSUzQWI6YyUyNmQlMjAlQzMlQTk="))
        #expect(encoded.content == Secret("grant_type=client_credentials&scope=x%20y%26z"))
    }

    @Test("All texts that an endpoint could repeat are secrets")
    func secrets() {
        let client = ClientCredentials(
            tokenURL: "https://a/k3y0123456789/token", id: Secret("a:b"), secret: Secret("c&d"), scope: nil)
        #expect(client.secrets == [Secret("a:b"), Secret("c&d"), Secret("a%3Ab:c%26d"), Secret("YSUzQWI6YyUyNmQ=")])
        #expect(client.endpoint == "https://a/***/token")
        #expect("\(client)".contains("***"))
    }

    @Test(
        "A token has its lifetime, in numbers and in strings",
        arguments: [
            (#""expires_in":3600"#, 3600), (#""expires_in":"3600""#, 3600), (#""expires_in":3599.9"#, 3599),
            (#""expires_in":0"#, 0), (#""expires_in":-5"#, 0), (#""expires_in":1e300"#, 1_000_000_000),
            (#""expires_in":null"#, nil), (#""expires_in":"soon""#, nil), (#""expires_in":{}"#, nil), (#""x":1"#, nil),
        ] as [(String, Int?)])
    func lifetimes(_ member: String, _ lifetime: Int?) throws {
        let body = #"{"token_type":"Bearer","access_token":"AAAA%2FAAA-._~+/=",\#(member)}"#
        let grant = try ClientCredentials.read(
            IncomingResponse(body: Array(body.utf8)), without: KeyScrubber([]), now: 0)
        #expect(grant == ClientCredentials.Grant(token: Secret("AAAA%2FAAA-._~+/="), lifetime: lifetime))
    }

    @Test(
        "Any other answer is a fault that says why and quotes nothing",
        arguments: [
            (200, "<html>", .unusable("it is HTML")), (200, "", .unusable("it is not JSON")),
            (200, "[]", .unusable("it has no access_token")), (200, "{}", .unusable("it has no access_token")),
            (200, #"{"token_type":"bearer","access_token":7}"#, .unusable("it has no access_token")),
            (200, #"{"access_token":"a"}"#, .unusable("its token_type is not bearer")),
            (200, #"{"token_type":"mac","access_token":"a"}"#, .unusable("its token_type is not bearer")),
            (
                200, #"{"token_type":"bearer","access_token":"a\r\nX: y"}"#,
                .unusable("its access_token is not one word of visible ASCII")
            ),
            (
                200, #"{"token_type":"bearer","access_token":""}"#,
                .unusable("its access_token is not one word of visible ASCII")
            ),
            (
                200, #"{"token_type":"bearer","access_token":"\#(String(repeating: "a", count: 8193))"}"#,
                .unusable("its access_token is longer than 8192 bytes")
            ),
            (200, String(repeating: "[", count: 10_000), .unusable("it is not JSON")),
            (400, #"{"error":"invalid_client"}"#, .status(400, code: "invalid_client", retryAfter: 7)),
            (401, #"{"error":"Your key k3y is wrong"}"#, .status(401, code: nil, retryAfter: 7)),
            (403, #"{"errors":[{"code":99}]}"#, .status(403, code: nil, retryAfter: 7)),
            (302, "", .status(302, code: nil, retryAfter: 7)), (500, "<html>", .status(500, code: nil, retryAfter: 7)),
            (204, "", .status(204, code: nil, retryAfter: 7)),
        ] as [(Int, String, TokenFault.Reason)])
    func faults(_ status: Int, _ body: String, _ reason: TokenFault.Reason) {
        let headers = HeaderFields([
            ("Content-Type", body.hasPrefix("<") ? "text/html" : "text/x"), ("Retry-After", "7"),
        ])
        #expect(throws: reason) {
            try ClientCredentials.read(
                IncomingResponse(status: status, headers: headers, body: Array(body.utf8)), without: KeyScrubber([]),
                now: 0)
        }
    }

    @Test("A key that the endpoint repeats is in no fault, also if it consists of digits")
    func repeatedKeys() {
        let response = IncomingResponse(
            status: 429, headers: HeaderFields([("Retry-After", "87654321")]), body: Array(#"{"error":"k_e_y"}"#.utf8))
        let scrubber = KeyScrubber([Secret("87654321"), Secret("k_e_y")])
        #expect(throws: TokenFault.Reason.status(429, code: "***", retryAfter: nil)) {
            try ClientCredentials.read(response, without: scrubber, now: 0)
        }
    }

    @Test(
        "A fault of the endpoint is a problem that names it",
        arguments: [
            (.transfer(.unreachable), 503, 5, "cannot be used: it does not accept connections"),
            (.transfer(.tooSlow), 504, nil, "cannot be used: it did not answer in time"),
            (.transfer(.tooLarge(limit: 9)), 502, nil, "cannot be used: its answer is larger than 9 bytes"),
            (
                .status(403, code: "invalid_client", retryAfter: nil), 502, nil,
                "answered with status 403: invalid_client"
            ),
            (.status(404, code: nil, retryAfter: 9), 502, nil, "answered with status 404"),
            (.status(429, code: nil, retryAfter: 9), 503, 9, "answered with status 429"),
            (.status(503, code: nil, retryAfter: nil), 503, 5, "answered with status 503"),
        ] as [(TokenFault.Reason, Int, Int?, String)])
    func problems(_ reason: TokenFault.Reason, _ status: Int, _ retryAfter: Int?, _ clause: String) {
        let fault = TokenFault(endpoint: "https://a/token", reason: reason)
        let problem = UpstreamProblem.problem(of: .token(fault), from: "sky")
        #expect(problem.status.code == status)
        #expect(problem.headers.first { $0.name == "Retry-After" }?.value == retryAfter.map { "\($0)" })
        #expect(problem.detail == "The token endpoint https://a/token of the upstream sky \(clause).")
    }
}
