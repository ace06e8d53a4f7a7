import API
import HTTPClient
import HTTPCore
import Testing

@testable import Proxy

@Suite("Keys in requests")
struct AuthorizationTests {
    /// Credentials, the URL, and the added header field.
    @Test(arguments: [
        (Credentials.none, "https://a/-/b?c=1", nil), (.key(Secret("k/"), .none), "https://a/-/b?c=1", nil),
        (.key(Secret("k/&"), .path), "https://a/k%2F&/b?c=1", nil),
        (.key(Secret("k/&"), .query("id")), "https://a/-/b?c=1&id=k%2F%26", nil),
        (.key(Secret("k/&"), .header("X-Key")), "https://a/-/b?c=1", "X-Key: k/&"),
        (.key(Secret("k/&"), .bearer), "https://a/-/b?c=1", "Authorization: Bearer k/&"),
        (
            .key(Secret("Aladdin:open sesame"), .basic), "https://a/-/b?c=1",
            "Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="
        ),
    ])
    func places(_ credentials: Credentials, _ url: String, _ field: String?) {
        let request = Authorization.request(for: "/{key}/b?c=1", at: "https://a", with: credentials, now: 0)
        #expect(request.url == Secret(url))
        let fields = request.headers.map { field in field.value.withExposedText { "\(field.name): \($0)" } }
        #expect(fields == (field.map { [$0] } ?? []))
    }

    @Test("The first parameter of a query follows a question mark")
    func firstParameter() {
        let request = Authorization.request(
            for: "/b", at: "https://a", with: .key(Secret("k"), .query("id")), now: 0)
        #expect(request.url == Secret("https://a/b?id=k"))
    }

    @Test("The secrets are all texts that must not be shown")
    func secrets() {
        let oauth = OAuth1(
            consumerKey: Secret("a"), consumerSecret: Secret("b"), token: Secret("c"), tokenSecret: Secret("d"))
        let rows: [(Credentials, [String])] = [
            (.none, []), (.key(Secret("k"), .none), ["k"]), (.key(Secret("k"), .bearer), ["k"]),
            (.key(Secret("u:p:q"), .basic), ["u:p:q", "p:q", "dTpwOnE="]),
            (.oauth1(oauth), ["a", "b", "c", "d"]),
        ]
        for (credentials, texts) in rows { #expect(credentials.secrets == texts.map { Secret($0) }) }
        #expect("\(Credentials.oauth1(oauth))".contains("***"))
    }
}
